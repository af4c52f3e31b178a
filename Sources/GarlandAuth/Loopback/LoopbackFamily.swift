import Glibc

/// An address of this machine's loopback interface.
enum LoopbackFamily {
  /// `127.0.0.1`.
  case version4
  /// `::1`.
  case version6

  var domain: Int32 { self == .version6 ? AF_INET6 : AF_INET }
  var address: String { self == .version6 ? "[::1]" : "127.0.0.1" }
}
