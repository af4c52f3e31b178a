import Synchronization
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandTransfer

/// Tests taps, which read bodies while they arrive.
@Suite(.timeLimit(.minutes(15))) struct BodyTapTests {
  /// Counts bytes until it has enough of them, and pauses for each piece.
  private final class CountingTap: BodyTap {
    let keptBytes = 4
    let isWanted: Bool
    let enough: Int
    let pause: Duration
    let count = Mutex(0)
    /// Whether the pauses are skipped.
    let hurries = Mutex(false)

    init(enough: Int = .max, isWanted: Bool = true, pause: Duration = .zero) {
      self.enough = enough
      self.isWanted = isWanted
      self.pause = pause
    }

    func begin(_ head: BodyChannel.Head) -> Bool { isWanted }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let end = MonotonicClock.now &+ pause.nanoseconds
      while MonotonicClock.now < end, !hurries.withLock({ $0 }) {}
      return count.withLock { count in
        count += bytes.count
        return count < enough
      }
    }
  }

  private static func answer(_ body: String, _ fields: String = "") -> String {
    "HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private func request(_ server: PlainServer, _ tap: CountingTap) -> TransferRequest {
    var request = TransferRequest(url: server.url)
    request.tap = tap
    return request
  }

  @Test func `if a BodyTap receives the whole response body, the response itself stores only the first bytes of the body`() async throws {
    let server = try PlainServer(Self.answer("0123456789"))
    let tap = CountingTap()
    let response = try await Engine().response(for: request(server, tap))
    #expect(tap.count.withLock { $0 } == 10)
    guard case .prefix(let bytes, _) = response.body else { throw Unexpected() }
    #expect(bytes == Array("0123".utf8))
    #expect(response.decodedBodyBytes == 10)
  }

  @Test func `if a body observer needs no more bytes, the transfer ends without an error`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
      connection.readToEnd()
    }
    var request = TransferRequest(url: server.url)
    request.tap = CountingTap(enough: 5)
    let response = try await Engine().response(for: request)
    #expect(response.status == .ok)
  }

  @Test func `if a body observer does not want the body of a response, the caller receives the body as usual`() async throws {
    let server = try PlainServer(Self.answer("0123456789"))
    let tap = CountingTap(isWanted: false)
    let response = try await Engine().response(for: request(server, tap))
    #expect(response.bytes == Array("0123456789".utf8))
    #expect(tap.count.withLock { $0 } == 0)
  }

  @Test func `the size limit of response bodies does not apply to a body that an observer receives`() async throws {
    let server = try PlainServer(Self.answer("0123456789"))
    var tapped = request(server, CountingTap())
    tapped.settings.maximumBodyBytes = 5
    let status = try await Engine().response(for: tapped).status
    #expect(status == .ok)
  }

  @Test func `if the caller ends a transfer early, the response contains the number of body bytes received until then`() async throws {
    let server = try RawServer { connection in
      _ = connection.readHead()
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
      connection.readToEnd()
    }
    let engine = Engine()
    let handle = Mutex<TransferHandle?>(nil)
    var request = TransferRequest(url: server.url)
    request.tap = CountingTap()
    let response: Result<TransferResponse, NetworkingError> = await withCheckedContinuation { continuation in
      // The first progress arrives with the first bytes, and waits until the handle exists.
      handle.withLock { known in
        known = engine.start(
          request, until: nil, progress: { _ in handle.withLock { $0 }?.conclude(after: .seconds(1)) },
          completion: { continuation.resume(returning: $0) })
      }
    }
    #expect(try response.get().decodedBodyBytes == 5)
  }

  @Test func `a transfer can end while the body of another transfer is still being processed piece by piece`() async throws {
    // The tap takes more than 10 s for all bytes, unless its pauses are skipped.
    let size = 32 << 20
    let large = try PlainServer(Self.answer(String(repeating: "x", count: size)))
    let small = try PlainServer(Self.answer("y"))
    let engine = Engine()
    let tap = CountingTap(pause: .milliseconds(20))
    async let slow = engine.response(for: request(large, tap))
    while tap.count.withLock({ $0 == 0 }) { await Task.yield() }
    _ = try await engine.response(for: TransferRequest(url: small.url))
    #expect(tap.count.withLock { $0 } < size)
    tap.hurries.withLock { $0 = true }
    let received = try await slow.decodedBodyBytes
    #expect(received == size)
  }

  private struct Unexpected: Error {}
}
