import GarlandTransfer
import Testing

@testable import GarlandRunner

/// Tests of the circuit breaker alone, with simulated times.
@Suite struct CircuitTests {
  private static func diagnosis() async throws -> Diagnosis {
    Diagnosis(target: "http://h", report: await ReachabilityProbe().run(try ProbeTarget("127.0.0.1:1")), finder: "s0")
  }

  private static func word(_ decision: Circuit.Decision) -> String {
    switch decision {
    case .send: "send"
    case .wait: "wait"
    case .refuse: "refuse"
    }
  }

  @Test func `while a host is down, its circuit breaker lets one request through after each pause`() async throws {
    let diagnosis = try await Self.diagnosis()
    var circuit = Circuit(cost: .zero)
    #expect(Self.word(circuit.decide(for: 1, at: .zero)) == "wait")
    #expect(circuit.isDiagnosing && circuit.diagnosis == nil)
    circuit.open(diagnosis, at: .seconds(10))
    #expect(!circuit.isDiagnosing && circuit.diagnosis != nil)
    #expect(Self.word(circuit.decide(for: 2, at: .seconds(10))) == "refuse")
    #expect(Self.word(circuit.decide(for: 3, at: .milliseconds(10_999))) == "refuse")
    #expect(Self.word(circuit.decide(for: 4, at: .seconds(11))) == "send")
    // Only one trial request is sent at a time.
    #expect(Self.word(circuit.decide(for: 5, at: .seconds(100))) == "refuse")
    // The ends of other requests in progress have no effect.
    circuit.ended(2, at: .seconds(100))
    #expect(Self.word(circuit.decide(for: 5, at: .seconds(200))) == "refuse")
    circuit.ended(4, at: .seconds(200))
    #expect(Self.word(circuit.decide(for: 6, at: .milliseconds(201_999))) == "refuse")
    #expect(Self.word(circuit.decide(for: 6, at: .seconds(202))) == "send")
  }

  @Test func `if a host responds to a request during its reachability check, the host counts as reachable after the check`() async throws {
    var circuit = Circuit(cost: .zero)
    #expect(!circuit.hasAnswered)
    circuit.noteAnswer()
    #expect(circuit.hasAnswered && circuit.isDiagnosing)
    circuit.open(try await Self.diagnosis(), at: .zero)
    circuit.noteAnswer()
    #expect(!circuit.hasAnswered)
  }

  @Test func `the reachability check of an origin requests a URL that has responded before, not the URL that failed`() {
    var answers = OriginAnswers("http://h/a", .post, at: .zero)
    #expect(answers.place(otherThan: "http://h/b")?.url == "http://h/a")
    #expect(answers.place(otherThan: "http://h/a?x=1") == nil)
    answers.note("http://h/b?y", .get, at: .seconds(1))
    answers.note("http://h/c", .get, at: .seconds(2))
    answers.note("http://h/d", .get, at: .seconds(3))
    #expect(answers.last == .seconds(3))
    #expect(answers.place(otherThan: "http://h/a")?.isGet == true)
    #expect(answers.place(otherThan: "http://h/b")?.url == "http://h/c")
    #expect(answers.place(otherThan: "http://h/c#f")?.url == "http://h/b?y")
  }

  @Test func `a circuit breaker first pauses as long as the failed request took, then longer and longer, up to a limit`() async throws {
    let diagnosis = try await Self.diagnosis()
    for (cost, expected) in [
      (Duration.seconds(30), [30, 60, 60, 60]), (.milliseconds(5), [1, 2, 4, 8]), (.seconds(90), [90, 90, 90, 90]),
    ] {
      var circuit = Circuit(cost: cost)
      var now = Duration.zero
      circuit.open(diagnosis, at: now)
      var pauses: [Int] = []
      for step in 1...4 {
        let begun = now
        while case .refuse = circuit.decide(for: step, at: now) { now += .milliseconds(500) }
        pauses.append(Int((now - begun).components.seconds))
        circuit.ended(step, at: now)
      }
      #expect(pauses == expected, "\(cost)")
    }
  }

  @Test func `a failed request causes a reachability check only if the host may have caused the failure`() {
    func suspicion(_ reason: NetworkingError.Reason, hasAnswered: Bool = false) -> Suspicion? {
      Suspicion(NetworkingError(reason), hasAnswered: hasAnswered)
    }
    func timeout(_ phase: NetworkingError.Phase) -> NetworkingError.Reason {
      .timeout(.init(limit: .idle, phase: phase, duration: .seconds(1)))
    }
    for reason: NetworkingError.Reason in [
      .resolve(host: "h"), .refused(host: "h", port: 1), .unreachable(host: "h", port: 1, detail: ""), .proxy(detail: ""),
      .tls(.untrusted, detail: ""), timeout(.resolving), timeout(.connecting), timeout(.securing),
    ] {
      #expect(suspicion(reason) == .connection, "\(reason)")
      #expect(suspicion(reason, hasAnswered: true) == .connection, "\(reason)")
    }
    let unanswered: [(NetworkingError.Reason, Suspicion)] = [
      (timeout(.awaitingResponse), .answer), (.connectionLost(detail: ""), .connection), (.invalidResponse(detail: ""), .connection),
    ]
    for (reason, expected) in unanswered {
      #expect(suspicion(reason) == expected, "\(reason)")
      // If a host responds to other requests, a slow or broken path is not a problem of the host.
      #expect(suspicion(reason, hasAnswered: true) == nil, "\(reason)")
    }
    for reason: NetworkingError.Reason in [
      timeout(.waiting), timeout(.receiving), .tls(.clientCertificate, detail: ""), .tls(.authorities, detail: ""), .cancelled,
      .truncated(received: 1, expected: 2), .bodyTooLarge(limit: 1), .redirect(.tooMany(limit: 20)), .invalidRequest(""),
    ] {
      #expect(suspicion(reason) == nil, "\(reason)")
    }
  }
}
