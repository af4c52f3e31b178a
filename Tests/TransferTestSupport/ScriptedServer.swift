import Synchronization
import TestSupport

/// Gives one answer after the other, whichever connection is asked, and notes what it was asked.
package final class ScriptedServer: Sendable {
  package struct Answer: Sendable {
    package var text: String
    package var resets = false

    package init(text: String, resets: Bool = false) {
      self.text = text
      self.resets = resets
    }

    /// An answer with this status line and header, and its content.
    package static func whole(_ head: String, _ body: String) -> Answer {
      Answer(text: "HTTP/1.1 \(head)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// One that breaks off: less comes than was announced.
    package static func broken(_ head: String, _ body: String, of length: Int) -> Answer {
      Answer(text: "HTTP/1.1 \(head)\r\nContent-Length: \(length)\r\n\r\n\(body)", resets: true)
    }
  }

  private final class Script: Sendable {
    let heads = Mutex<[String]>([])
    let answers: [Answer]
    init(_ answers: [Answer]) { self.answers = answers }

    func next(_ head: String) -> Answer? {
      heads.withLock { heads in
        heads.append(head)
        return heads.count <= answers.count ? answers[heads.count - 1] : nil
      }
    }
  }
  private let script: Script
  private let server: RawServer

  package var url: String { server.url + "/file" }
  package var heads: [String] { script.heads.withLock { $0 } }

  /// The values of a field in the requests, nil where there was none.
  package func values(_ name: String) -> [String?] {
    heads.map { head in
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { String($0.dropFirst(name.utf8.count + 1).drop { $0 == " " }) }
    }
  }

  package init(_ answers: [Answer]) throws {
    let script = Script(answers)
    self.script = script
    server = try RawServer { connection in
      while let request = connection.readRequest(), let answer = script.next(request.head) {
        connection.send(answer.text)
        if answer.resets {
          connection.reset()
          return
        }
      }
    }
  }
}
