import Glibc

/// The address family, IPv4 or IPv6, of a loopback address.
enum LoopbackFamily {
  /// IPv4: `127.0.0.1`.
  case version4
  /// IPv6: `::1`.
  case version6

  var domain: Int32 { self == .version6 ? AF_INET6 : AF_INET }
  var address: String { self == .version6 ? "[::1]" : "127.0.0.1" }
}
