import Dispatch
import Glibc
import TestSupport

/// An HTTP proxy that opens tunnels, all of them to one port of this machine.
package final class TunnelProxy: Sendable {
  private let server: RawServer
  private let captured: Captured
  package var url: String { server.url }
  /// The headers of the requests that came.
  package var heads: [String] { captured.all }

  package init(to port: UInt16) throws {
    let captured = Captured()
    self.captured = captured
    server = try RawServer { connection in
      let head = connection.readHead()
      captured.add(head)
      guard head.hasPrefix("CONNECT "), let upstream = Self.connect(to: port) else { return }
      connection.send("HTTP/1.1 200 Connection established\r\nX-Proxy: 1\r\n\r\n")
      let back = DispatchSemaphore(value: 0)
      DispatchQueue(label: "tunnel").async {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
          let count = recv(upstream, &buffer, buffer.count, 0)
          guard count > 0, connection.send(Array(buffer[..<count])) else { break }
        }
        back.signal()
      }
      // One by one: there is no telling how many will come.
      while true {
        let byte = connection.read(1)
        guard !byte.isEmpty, send(upstream, byte, 1, Int32(MSG_NOSIGNAL)) == 1 else { break }
      }
      shutdown(upstream, Int32(SHUT_RDWR))
      back.wait()
      close(upstream)
    }
  }

  private static func connect(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
