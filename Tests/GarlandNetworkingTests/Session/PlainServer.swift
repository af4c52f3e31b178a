import TestSupport

/// Answers every request with the same text.
final class PlainServer: Sendable {
  private let server: RawServer
  var url: String { server.url }

  init(_ answer: String) throws {
    server = try RawServer { connection in
      while connection.readRequest() != nil { connection.send(answer) }
    }
  }
}
