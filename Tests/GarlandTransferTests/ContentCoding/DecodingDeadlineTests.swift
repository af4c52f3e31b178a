import TestSupport
import Testing

@testable import GarlandTransfer

@Suite(.timeLimit(.minutes(2))) struct DecodingDeadlineTests {
  @Test func `the decoding of a small body that unpacks to a gigabyte stops at the deadline`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send(CompressedGigabyte.head)
      connection.send(CompressedGigabyte.body)
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
