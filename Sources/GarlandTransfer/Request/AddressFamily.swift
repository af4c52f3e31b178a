/// The IP versions to use.
public enum AddressFamily: Sendable, Hashable {
  /// Either version; the first to connect is used.
  case any
  /// IPv4 only.
  case ipv4
  /// IPv6 only.
  case ipv6
}
