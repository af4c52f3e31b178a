import TestSupport

/// Answers every request with the same text.
package final class PlainServer: Sendable {
  private let server: RawServer
  package var url: String { server.url }

  package init(_ answer: String) throws {
    server = try RawServer { connection in
      while connection.readRequest() != nil { connection.send(answer) }
    }
  }
}
