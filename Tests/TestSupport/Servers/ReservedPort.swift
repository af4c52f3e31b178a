import Glibc

/// A port of this machine at which nobody listens, and that nobody else is given: a ``RawServer`` may come up there later.
public final class ReservedPort: Sendable {
  /// The port.
  public let number: UInt16
  private let socket: Int32

  /// Takes a free port.
  public init() {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // Two sockets may have the port as long as one of them listens at most.
    var on: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = LoopbackPort.address(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(socket, $0, size)
        _ = getsockname(socket, $0, &size)
      }
    }
    number = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(socket) }
}
