import GarlandTransfer
import GarlandResults
import TestSupport
import Testing

@testable import GarlandRunner
@testable import GarlandWorkflow

/// Tests of `expect.error`.
@Suite(.timeLimit(.minutes(15))) struct ExpectedErrorTests {
  @Test(
    arguments: [
      (.resolve(host: "h"), [.dns]), (.refused(host: "h", port: 1), [.refused]),
      (.unreachable(host: "h", port: 1, detail: ""), [.unreachable]),
      (.timeout(.init(limit: .idle, phase: .receiving, duration: .seconds(1))), [.timeout]),
      (.tls(.untrusted, detail: ""), [.certificate, .tls]),
      (.tls(.wrongHost, detail: ""), [.certificate, .tls]), (.tls(.handshake, detail: ""), [.handshake, .tls]),
      (.trust(.init(host: "h", evaluator: "", problem: .noVerifiedChain)), [.certificate, .tls]),
      (.proxy(detail: ""), [.proxy]),
      (.connectionLost(detail: ""), [.reset]), (.truncated(received: 1, expected: 2), [.truncated, .reset]),
      (.invalidResponse(detail: ""), [.invalidResponse]),
      (.redirect(.tooMany(limit: 1)), [.redirect]), (.bodyTooLarge(limit: 1), [.tooLarge]),
      (.itemTooLarge(item: "event", limit: 1), [.tooLarge]), (.headerTooLarge(limit: 1), [.tooLarge]),
      (.undecodable(detail: ""), [.decoding]), (.library(code: 1, detail: ""), []),
      // An error that is not a network error cannot be expected.
      (.cancelled, nil), (.invalidRequest(""), nil), (.upload(.init(path: "", operation: .open, detail: "")), nil),
      (.tls(.clientCertificate, detail: ""), nil),
    ] as [(NetworkingError.Reason, [ErrorName]?)])
  func `each network error matches the right names under the key 'error' of 'expect', such as 'certificate' and 'tls'`(
    reason: NetworkingError.Reason, names: [ErrorName]?
  ) {
    #expect(reason.isOfTransit == (names != nil))
    if let names { #expect(reason.names == names + [.any]) }
  }

  @Test func `a step that expects an error passes only if this error occurs`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            dns: { get: "http://nothing.invalid/", expect: { error: dns } }
            refused: { get: "http://127.0.0.1:1/", expect: { error: [dns, refused] } }
            reset: { get: /fault/reset, expect: { error: reset } }
            truncated: { get: /fault/truncate, expect: { error: truncated } }
            chunk: { get: /fault/bad-chunk, expect: { error: invalid_response } }
            timeout: { get: /delay/9, deadline: 100ms, expect: { error: timeout } }
            large: { get: /bytes/5000, max_body: 1KB, expect: { error: too_large } }
            loop: { get: /redirect/loop, expect: { error: redirect } }
            any: { get: /fault/close, expect: { error: any } }
            words: { get: "http://127.0.0.1:1/", expect: { error: { kind: refused, message: { contains: "127.0.0.1:1" } } } }
            only_words: { get: "http://127.0.0.1:1/", expect: { error: { message: { starts_with: connection refused } } } }
            other: { get: "http://127.0.0.1:1/", expect: { error: timeout } }
            others: { get: /fault/reset, expect: { error: [dns, timeout] } }
            message: { get: "http://127.0.0.1:1/", expect: { error: { kind: refused, message: { contains: expired } } } }
            answered: { get: /status/204, expect: { error: refused } }
            error_page: { get: /status/500, expect: { error: any } }
            user: { get: "/get?x=${refused.status}" }
          """, sandbox)
      let good = ["dns", "refused", "reset", "truncated", "chunk", "timeout", "large", "loop", "any", "words", "only_words"]
      let bad = ["other", "others", "message", "answered", "error_page"]
      #expect(run.outcomes == good.map { "\($0) passed" } + bad.map { "\($0) failed" } + ["user failed"])
      #expect(try run.result("refused").checkCount == 1)
      let text = try (bad + ["user"]).map { id in "--- \(id)\n" + CheckRun.text(try run.result(id).failures) }.joined()
      expectGolden(text, "expected-errors.txt")
    }
  }

  /// Default expectations of a response do not apply to a step that expects none.
  @Test func `default expectations do not apply to a step that expects an error`() async throws {
    let run = try await TestRun.carryOut(
      """
      garland: 1
      defaults: { expect: { status: 200, type: application/json } }
      steps:
        refused: { get: "http://127.0.0.1:1/", expect: { error: refused } }
        unreachable: { get: "http://127.0.0.1:1/" }
      """)
    #expect(run.outcomes == ["refused passed", "unreachable unreachable"])
  }
}
