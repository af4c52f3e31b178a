import TestSupport
import TransferTestSupport

/// A server that answers each request with an empty response, but `/holder` only when it may.
final class HoldingServer: Sendable {
  /// Opens when `/holder` has arrived.
  let holds: TestGate
  /// Opened by the test, so that `/holder` gets its response.
  let mayGo: TestGate
  /// The targets of all requests, without `/`.
  let targets: Captured
  private let server: RawServer

  var url: String { server.url }
  var connectionCount: Int { server.connectionCount }

  init() throws {
    let (holds, mayGo, targets) = (TestGate(), TestGate(), Captured())
    (self.holds, self.mayGo, self.targets) = (holds, mayGo, targets)
    server = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        let target = String(head.split(separator: " ")[1].dropFirst())
        targets.add(target)
        if target == "holder" {
          holds.open()
          mayGo.block()
        }
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
  }
}
