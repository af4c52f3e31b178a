import Foundation
import TestSupport
import Testing

@testable import GarlandTransfer

@Suite(.timeLimit(.minutes(2))) struct DecodingDeadlineTests {
  /// 1,023 MiB of zeros, compressed three times.
  private static let bomb = [
    "H4sIAAAAAAACA5Pv5mAAASbmt3d0/eYkSrRd7OdrCrkwbQlXoJBZoLPGsl1MJomMM/IWTPYJ4Ljh0fyKqeBNg3yrw6S2EJHLBm/P",
    "KGntey3z9ZX7vcriWotYabE4Xzn98LB/tsue64vbX4/jB5p94IRvfvrkoxIGOWfX29dbgqw79u7F2V+vikR+FO/Y+VwGKGBQpW4t",
    "f1+vnuPPr7I9ryAi7+vv10flMYZ/ln//7S4zUMjtvZsBSHcQC4i3wBXMiQJzFNyQOKMyozKjMqMyozKjMrhlnuWZ3YzIYaz+fPj5",
    "27+MDAwP9s8617Z5Pf/99oeZ3/XZPy67f/QFPwMAp9MCwSEHAAA=",
  ].joined()

  @Test func `a small body that unpacks to a gigabyte ends at the deadline`() async throws {
    let body = try #require(Data(base64Encoded: Self.bomb))
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\nContent-Length: \(body.count)\r\n\r\n")
      connection.send(Array(body))
    }
    var request = TransferRequest(url: server.url)
    request.settings.deadline = .milliseconds(100)
    request.destination = .discard
    let error = await #expect(throws: NetworkingError.self) { try await Engine().response(for: request) }
    guard case .timeout(let timeout)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(timeout.limit == .deadline)
  }
}
