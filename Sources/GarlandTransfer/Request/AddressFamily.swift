/// The IP versions to use.
public enum AddressFamily: Sendable, Hashable {
  /// Both versions; the first connection that succeeds is used.
  case any
  /// IPv4 only.
  case ipv4
  /// IPv6 only.
  case ipv6
}
