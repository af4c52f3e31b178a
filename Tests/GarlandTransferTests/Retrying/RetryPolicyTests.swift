import GarlandTransfer
import HTTPTypes
import Testing

@Suite struct RetryPolicyTests {
  let policy = RetryPolicy(random: { 0 }, now: { 784_111_777 })

  private func attempt(_ method: HTTPRequest.Method = .get, _ reason: NetworkingError.Reason, retryCount: Int = 0) -> RequestAttempt {
    RequestAttempt(
      request: TransferRequest(url: "http://h/", method: method), error: NetworkingError(reason), retryCount: retryCount)
  }

  @Test func `each retry waits twice as long as the one before, up to 60 seconds`() {
    #expect((0..<4).map { policy.wait(before: $0) } == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
    #expect(policy.wait(before: 1_000_000) == .seconds(60))
    #expect(RetryPolicy(jitter: 0.5, random: { 0.5 }).wait(before: 0) == .milliseconds(625))
    #expect(RetryPolicy(delay: .zero).wait(before: 5) == .zero)
  }

  @Test(
    arguments: [
      .resolve(host: "h"), .refused(host: "h", port: 1), .connectionLost(detail: ""), .truncated(received: 0, expected: 1),
      .timeout(.init(limit: .idle, phase: .receiving, duration: .zero)),
      .timeout(.init(limit: .connect, phase: .connecting, duration: .zero)),
    ] as [NetworkingError.Reason])
  func `a request that fails with a network error is retried`(_ reason: NetworkingError.Reason) {
    #expect(policy.decide(attempt(reason)) == .retryAfter(.milliseconds(500)))
  }

  private func attempt(_ reason: NetworkingError.Reason) -> RequestAttempt { attempt(.get, reason) }

  @Test(
    arguments: [
      .cancelled, .shutDown, .tls(.untrusted, detail: ""), .bodyTooLarge(limit: 1), .redirect(.tooMany(limit: 20)),
      .invalidRequest(""), .timeout(.init(limit: .deadline, phase: .receiving, duration: .zero)), .validation(.unacceptableStatus(404)),
    ] as [NetworkingError.Reason])
  func `a request that fails for a reason other than the network is not retried`(_ reason: NetworkingError.Reason) {
    #expect(policy.decide(attempt(reason)) == .doNotRetry)
  }

  @Test func `only idempotent methods are retried`() {
    for method in [HTTPRequest.Method.get, .head, .put, .delete, .options, .trace] {
      #expect(policy.decide(attempt(method, .connectionLost(detail: ""))) == .retryAfter(.milliseconds(500)))
    }
    for method in [HTTPRequest.Method.post, .patch, .connect] {
      #expect(policy.decide(attempt(method, .connectionLost(detail: ""))) == .refuse(.notIdempotent(method.rawValue)))
    }
  }

  @Test func `a request is not retried after its maximum number of retries`() {
    let lost = NetworkingError.Reason.connectionLost(detail: "")
    #expect(policy.decide(attempt(.get, lost, retryCount: 1)) == .retryAfter(.seconds(1)))
    #expect(policy.decide(attempt(.get, lost, retryCount: 2)) == .refuse(.limitReached(2)))
    #expect(RetryPolicy(limit: 0).decide(attempt(lost)) == .doNotRetry)
  }

  @Test(
    arguments: [
      ("7", .seconds(7)), ("0", .zero), ("61", .seconds(61)), ("99999999999999999999", .seconds(1 << 40)),
      ("Sun, 06 Nov 1994 08:49:37 GMT", .zero), ("Sun, 06 Nov 1994 08:50:07 GMT", .seconds(30)), ("soon", nil), ("-1", nil), ("", nil),
      ("Sun, 06 Nov 1994 07:00:00 GMT", .zero),
    ] as [(String, Duration?)])
  func `Retry-After is read as seconds or date`(_ value: String, _ expected: Duration?) throws {
    let name = try #require(HTTPField.Name("Retry-After"))
    #expect(RetryAfter.duration([name: value], now: 784_111_777) == expected)
  }
}
