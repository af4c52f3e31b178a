import Glibc

/// Ports of this machine.
public enum LoopbackPort {
  /// A port that was free a moment ago.
  public static func free() -> UInt16 {
    let (socket, port) = reserve()
    close(socket)
    return port
  }

  /// So many ports that were free a moment ago, each another one: a port that nobody holds any more may be the next that the system gives.
  public static func free(_ count: Int) -> [UInt16] {
    let reserved = (0..<count).map { _ in reserve() }
    for (socket, _) in reserved { close(socket) }
    return reserved.map(\.port)
  }

  private static func reserve() -> (socket: Int32, port: UInt16) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(socket, $0, size)
        _ = getsockname(socket, $0, &size)
      }
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// Whether somebody listens there.
  public static func accepts(_ port: UInt16) -> Bool {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = Self.address(port: port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
