/// Which versions of IP are used.
public enum AddressFamily: Sendable, Hashable {
  /// Either, whichever connects first.
  case any
  /// IPv4 only.
  case ipv4
  /// IPv6 only.
  case ipv6
}
