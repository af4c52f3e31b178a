import GarlandText
import Synchronization
import TestSupport

@testable import GarlandRunner

/// A server that sends the next text in response to each request, and closes the connection.
final class ScriptedStreams: Sendable {
  /// The first lines of the head of an event stream.
  static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
  /// The head of an event stream that ends with its connection.
  static let open = head + "Connection: close\r\n\r\n"

  private let heads: HeadList
  private let server: RawServer

  private final class HeadList: Sendable {
    let all = Mutex<[String]>([])
  }

  var url: String { server.url + "/" }
  var count: Int { heads.all.withLock { $0.count } }

  init(_ answers: [String]) throws {
    let heads = HeadList()
    self.heads = heads
    server = try RawServer { connection in
      let head = connection.readHead()
      guard !head.isEmpty else { return }
      let number = heads.all.withLock { all in
        all.append(head)
        return all.count
      }
      if number <= answers.count { connection.send(answers[number - 1]) }
    }
  }

  /// Returns the value of a header field in each request; nil for a request without the field.
  func values(_ name: String) -> [String?] {
    heads.all.withLock { $0 }.map { head in
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }.map {
        String($0.dropFirst(name.utf8.count + 1)).trimmed
      }
    }
  }
}
