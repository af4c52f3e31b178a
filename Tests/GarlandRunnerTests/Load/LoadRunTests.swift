import GarlandDiagnostics
import GarlandResults
import GarlandSandbox
import GarlandTransfer
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of load tests, most of them with a server in memory and in simulated time.
@Suite(.timeLimit(.minutes(15))) struct LoadRunTests {
  struct Sent {
    let load: RunLoad
    let summary: RunSummary
    let observer: RecordingObserver
  }

  static func send(
    _ steps: String, _ settings: LoadSettings, _ transport: MemoryTransport? = nil, _ sandbox: Sandbox? = nil,
    expecting expectations: [String] = [], part: (number: Int, count: Int) = (1, 1), redactor: Redactor = Redactor(),
    variables: String = "", threads: Int = 1, deadline: Duration? = nil, maxFailures: Int? = nil, act: (LoadRun) -> Void = { _ in }
  ) async throws -> Sent {
    let base = sandbox == nil ? "http://in.memory" : "\"${env.SANDBOX}\""
    let text = "garland: 1\n\(variables)defaults: { base_url: \(base) }\nsteps:\n  \(steps.replacing("\n", with: "\n  "))\n"
    let prepared = try TestRun.prepare(text, sandbox, detail: []) { configuration in
      if let transport {
        configuration.sending.transport = transport
        configuration.clock = { transport.now }
      }
      configuration.redactor = redactor
      configuration.pace.deadline = deadline
      configuration.pace.maxFailures = maxFailures
    }
    let run = try #require(prepared.run, "\(prepared.diagnostics.all.map(\.message))")
    let ids = await run.plan.steps.map(\.step.id)
    var others: [Run] = []
    for _ in 1..<threads {
      var configuration = await run.configuration
      configuration.sending.engine = Engine()
      others.append(try #require(Run.prepare(await run.plan, configuration).run))
    }
    let load = LoadRun(
      run, and: others, settings, expectations: try expectations.map { try LoadExpectation($0, steps: ids) }, part: part)
    act(load)
    let summary = await load.start().summary
    return Sent(load: try #require(summary.load), summary: summary, observer: prepared.observer)
  }

  // MARK: Rate and users

  @Test func `with --rate, no repetition of a load test begins late if there are enough users`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .milliseconds(30)) }
    let sent = try await Self.send("a: { get: /a }", LoadSettings(rate: 50, users: 100, duration: .seconds(10)), transport)
    #expect(sent.load.begun == 500 && sent.load.ended == 500 && sent.load.late == 0)
    #expect(transport.sent[1].at == .milliseconds(20) && transport.sent[499].at == .milliseconds(9_980))
    #expect(sent.load.steps[0].latency.most == .milliseconds(30))
    #expect(sent.summary.exitStatus == 0)
  }

  @Test func `in a load test, the result of a step that passed has the median duration, and that of a failed step its own`() async throws {
    let transport = MemoryTransport { url, number in
      url.hasSuffix("b") && number == 2 ? .init(status: 503, after: .seconds(7)) : .init(after: .seconds(1))
    }
    let sent = try await Self.send("a: { get: /a }\nb: { get: /b, after: a }", LoadSettings(users: 1, repetitions: 5), transport)
    #expect(sent.observer.results.map(\.outcome) == [.passed, .failed])
    let durations = sent.observer.results.map { Int(($0.duration / .seconds(1)).rounded()) }
    #expect(durations == [1, 7])
  }

  @Test func `in a load test, the result of a failed step has the wait for a slot that was measured for its most frequent failure`()
    async throws
  {
    let transport = MemoryTransport { url, _ in .init(status: url.hasSuffix("b") ? 503 : 200, after: .seconds(1)) }
    let sent = try await Self.send(
      "a: { get: /a, uses: one }\nb: { get: /b, uses: one }", LoadSettings(users: 1, repetitions: 2), transport,
      variables: "resources: { one: 1 }\n")
    let failed = try #require(sent.observer.results.last)
    #expect(failed.outcome == .failed && failed.startedAt - failed.readyAt == .seconds(1))
  }

  @Test func `in a load test, the result of a failed step has the delay of its most frequent failure`() async throws {
    let transport = MemoryTransport { _, _ in .init(status: 503) }
    let sent = try await Self.send("a: { get: /a, delay: 1s }", LoadSettings(users: 1, repetitions: 2), transport)
    #expect(sent.observer.results.map(\.delay) == [.seconds(1)])
  }

  @Test func `if a repetition of a load test begins late, a step's latency includes the delay, but its service time does not`()
    async throws
  {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(1)) }
    let sent = try await Self.send("a: { get: /a }", LoadSettings(rate: 2, users: 1, repetitions: 4), transport)
    #expect(sent.load.late == 3 && sent.load.latest == .milliseconds(1_500))
    let step = sent.load.steps[0]
    #expect(step.latency.least == .seconds(1) && step.latency.most == .milliseconds(2_500))
    #expect(step.service?.most == .seconds(1))
    #expect(sent.load.repetition.most == .milliseconds(2_500))
  }

  @Test func `in a load test, the latency of a step that waits for another step excludes a late start of the repetition`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(1)) }
    let sent = try await Self.send(
      "a: { get: /a }\nb: { get: /b, after: a }", LoadSettings(rate: 1, users: 1, repetitions: 2), transport)
    #expect(sent.load.steps.map { $0.latency.most } == [.seconds(2), .seconds(1)])
    #expect(sent.load.repetition.most == .seconds(3))
  }

  @Test func `without --rate, a load test repeats the plan with the given number of concurrent users`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(1)) }
    let sent = try await Self.send("a: { get: /a }\nb: { get: /b, after: a }", LoadSettings(users: 3, repetitions: 9), transport)
    #expect(transport.mostUnderWay == 3 && transport.sent.count == 18)
    #expect(sent.load.elapsed == .seconds(6) && sent.load.requests == 18)
    #expect(sent.load.steps[0].service == nil)
  }

  @Test func `the latency of a step does not include the pause that the step's key 'delay' sets`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(1)) }
    let sent = try await Self.send("a: { get: /a, delay: 1h }", LoadSettings(users: 1, repetitions: 2), transport)
    #expect(sent.load.steps[0].latency.most == .seconds(1))
  }

  @Test func `when the duration of a load test is over, repetitions that are still running are completed`() async throws {
    let transport = MemoryTransport { _, _ in .init(after: .seconds(3)) }
    let sent = try await Self.send("a: { get: /a }", LoadSettings(users: 1, duration: .seconds(10)), transport)
    #expect(sent.load.ended == 4 && sent.load.elapsed == .seconds(12))
  }

  @Test func `a load test whose steps send no request still ends`() async throws {
    let transport = MemoryTransport { _, _ in .init() }
    let sent = try await Self.send("a: { get: /a, when: '${false}' }", LoadSettings(users: 2, repetitions: 1_000), transport)
    #expect(sent.load.ended == 1_000 && transport.sent.isEmpty)
    #expect(sent.load.steps[0].counts == [.skipped: 1_000])
  }

  // MARK: Values

  @Test func `in each repetition of a load test, the variables and the iteration number have new values`() async throws {
    let transport = MemoryTransport { _, _ in .init() }
    _ = try await Self.send(
      "a: { get: '/${run.iteration}/${vars.id}/${run.id}' }", LoadSettings(users: 4, repetitions: 40), transport,
      variables: "vars: { id: \"${uuid()}\" }\n")
    let parts = transport.sent.map { $0.url.split(separator: "/").dropFirst(2).map(String.init) }
    #expect(Set(parts.compactMap { $0.first.flatMap { Int($0) } }) == Set(1...40))
    #expect(Set(parts.map { $0[1] }).count == 40 && Set(parts.map { $0[2] }).count == 40)
  }

  @Test func `the threads of a load test have different values of run.iteration`() async throws {
    try await withSandbox { sandbox in
      _ = try await Self.send(
        "a: { get: '/get?${run.iteration}' }", LoadSettings(users: 6, repetitions: 20), nil, sandbox, threads: 3)
      #expect(Set(sandbox.records.map(\.target)).count == 20)
    }
  }

  @Test func `the shards of a load test have different values of run.iteration`() async throws {
    let transport = MemoryTransport { _, _ in .init() }
    _ = try await Self.send("a: { get: '/${run.iteration}' }", LoadSettings(users: 1, repetitions: 3), transport, part: (2, 4))
    #expect(transport.sent.compactMap { $0.url.split(separator: "/").last.flatMap { Int($0) } } == [2, 6, 10])
  }

  @Test func `the cookies of one repetition of a load test are not sent in the next repetition`() async throws {
    try await withSandbox { sandbox in
      let sent = try await Self.send(
        """
        before: { get: /cookies, expect: { json: { $.cookies.a: { exists: false } } } }
        set: { get: '/cookies/set?a=1', after: before }
        after: { get: /cookies, after: set, expect: { json: { $.cookies.a: "1" } } }
        """, LoadSettings(users: 2, repetitions: 20), nil, sandbox)
      #expect(sent.load.failed == 0, "\(sent.load.steps.map(\.errors))")
      #expect(sent.load.steps.map { $0.counts[.passed] } == [20, 20, 20])
    }
  }

  @Test func `if a repetition of a load test has no failures, its extracted secrets are not kept in memory for masking`() async throws {
    try await withSandbox { sandbox in
      let redactor = Redactor()
      let steps =
        "a: { post: /anything, json: { t: '${uuid()}' }, extract: { token: { json: $.json.t, secret: true } } }\n"
        + "b: { get: '/get?t=${a.token}' }"
      let sent = try await Self.send(steps, LoadSettings(users: 2, repetitions: 30), nil, sandbox, redactor: redactor)
      #expect(sent.load.failed == 0 && !redactor.hasSecrets)
    }
  }

  @Test func `if a repetition of a load test fails, its extracted secrets are still masked after the repetition has ended`() async throws {
    try await withSandbox { sandbox in
      let redactor = Redactor()
      let steps =
        "a: { post: /anything, json: { t: 'token-${run.iteration}' }, extract: { token: { json: $.json.t, secret: true } } }\n"
        + "b: { get: '/status/500?t=${a.token}' }"
      let sent = try await Self.send(steps, LoadSettings(users: 1, repetitions: 3), nil, sandbox, redactor: redactor)
      #expect(sent.load.failed == 3)
      #expect(redactor.redact("token-1") == "***")
    }
  }

  // MARK: Failures

  @Test func `a load test keeps the count and one sample result of each kind of error`() async throws {
    let transport = MemoryTransport { _, number in .init(status: number % 3 == 0 ? 503 : number % 3 == 1 ? 404 : 200) }
    let sent = try await Self.send("a: { get: /a }", LoadSettings(users: 1, repetitions: 300), transport)
    let step = sent.load.steps[0]
    #expect(step.errors == ["status 503": 100, "status 404": 100] && step.samples.count == 2)
    #expect(step.counts == [.passed: 100, .failed: 200] && sent.load.failed == 200)
    #expect(sent.summary.exitStatus == 1 && sent.summary.counts == [.failed: 1])
    #expect(sent.observer.results.count == 1)
  }

  @Test func `a load test counts a failed extract 'id' as an error with the name 'extract.id'`() async throws {
    let steps = "a: { get: /a, extract: { id: { header: X-None } } }"
    let sent = try await Self.send(steps, LoadSettings(users: 1, repetitions: 3), MemoryTransport { _, _ in .init() })
    #expect(sent.load.steps[0].errors == ["extract.id": 3])
  }

  @Test func `if the number of failures is within the limit of an --expect condition, the exit status of a load test is 0`() async throws {
    let transport = MemoryTransport { _, number in .init(status: number % 100 == 0 ? 503 : 200) }
    for (text, status) in [("errors <= 1%", 0), ("a.errors < 11", 0), ("errors < 0.5%", 1), ("p99 < 1s", 1)] as [(String, Int32)] {
      let sent = try await Self.send("a: { get: /a }", LoadSettings(users: 1, repetitions: 100), transport, expecting: [text])
      #expect(sent.summary.exitStatus == status, "\(text)")
    }
  }

  @Test func `if a load test has the minimum of errors that --expect requires, its exit status is still 1`() async throws {
    let transport = MemoryTransport { _, _ in .init(status: 503) }
    for text in ["errors > 0", "errors >= 0", "a.errors >= 50%"] {
      let sent = try await Self.send("a: { get: /a }", LoadSettings(users: 1, repetitions: 10), transport, expecting: [text])
      #expect(sent.load.meetsExpectations && sent.summary.exitStatus == 1 && sent.summary.counts == [.failed: 1], "\(text)")
    }
  }

  @Test func `in a load test, a step does not count as passed if an --expect condition permits its failures`() async throws {
    let transport = MemoryTransport { url, number in .init(status: url.hasSuffix("b") && number == 0 ? 503 : 200) }
    let sent = try await Self.send(
      "a: { get: /a }\nb: { get: /b }", LoadSettings(users: 1, repetitions: 100), transport, expecting: ["errors < 1%"])
    #expect(sent.summary.counts == [.passed: 1] && sent.summary.allowedFailures == 1 && sent.summary.exitStatus == 0)
    let result = try #require(sent.observer.results.last)
    #expect(result.outcome == .failed && result.isFailureAllowed && result.failures.count == 1)
  }

  @Test func `failures of a step with allow_failure do not count as errors in --expect conditions`() async throws {
    let transport = MemoryTransport { url, _ in .init(status: url.hasSuffix("b") ? 503 : 200) }
    let sent = try await Self.send(
      "a: { get: /a }\nb: { get: /b, allow_failure: true }", LoadSettings(users: 1, repetitions: 10), transport,
      expecting: ["errors < 1%", "b.errors < 1"])
    #expect(sent.load.expectations.map { $0.isMet(by: sent.load) } == [true, true])
    #expect(sent.load.failed == 0 && sent.load.steps.map(\.failed) == [0, 10] && sent.load.countedFailures == 0)
    #expect(sent.summary.exitStatus == 0 && sent.summary.allowedFailures == 1)
  }

  @Test func `results of blocked steps count neither as errors of a load test nor in the total of a share of errors`() async throws {
    let transport = MemoryTransport { _, number in .init(status: number % 2 == 0 ? 503 : 200) }
    let sent = try await Self.send(
      "a: { get: /a }\nb: { get: /b, after: a, expect: { status: [200, 503] } }", LoadSettings(users: 1, repetitions: 20), transport,
      expecting: ["errors <= 10", "errors >= 33.3%", "errors <= 33.4%"])
    #expect(sent.load.steps.map(\.counts) == [[.passed: 10, .failed: 10], [.passed: 10, .blocked: 10]])
    #expect(sent.load.meetsExpectations)
  }

  @Test func `if a load test does not meet an --expect condition about a duration, its exit status is 1`() async throws {
    let transport = MemoryTransport { _, number in .init(after: .milliseconds(number < 90 ? 10 : 500)) }
    let sent = try await Self.send(
      "a: { get: /a }", LoadSettings(users: 1, repetitions: 100), transport, expecting: ["p50 < 20ms", "a.p95 < 300ms"])
    #expect(sent.load.expectations.map { $0.isMet(by: sent.load) } == [true, false])
    #expect(sent.summary.exitStatus == 1 && sent.summary.counts == [.passed: 1])
  }

  @Test func `after the maximum number of failed repetitions, a load test begins no further repetition`() async throws {
    let transport = MemoryTransport { _, _ in .init(status: 500) }
    let sent = try await Self.send("a: { get: /a }", LoadSettings(users: 1, repetitions: 100), transport, maxFailures: 3)
    #expect(sent.load.begun == 3 && sent.summary.earlyEnd?.reason == "3 repetitions failed")
  }

  @Test func `if --max-failures stops a load test, its exit status is 1, even if --expect permits all failures`() async throws {
    let transport = MemoryTransport { _, _ in .init(status: 503) }
    let sent = try await Self.send(
      "a: { get: /a }", LoadSettings(users: 1, repetitions: 100), transport, expecting: ["errors <= 100%"], maxFailures: 3)
    #expect(sent.load.begun == 3 && sent.summary.allowedFailures == 1 && sent.summary.exitStatus == 1)
  }

  // MARK: Threads

  @Test func `the result of a load test contains the repetitions of all threads`() async throws {
    try await withSandbox { sandbox in
      let sent = try await Self.send("a: { get: /get }", LoadSettings(users: 8, repetitions: 101), nil, sandbox, threads: 3)
      #expect(sent.load.begun == 101 && sent.load.ended == 101 && sent.load.failed == 0)
      #expect(sent.load.steps[0].latency.count == 101 && sent.summary.requestCount == 101)
      #expect(sent.load.settings.users == 8 && sent.load.settings.repetitions == 101)
    }
  }

  @Test func `a load test with more threads than users uses one thread for each user`() async throws {
    try await withSandbox { sandbox in
      let sent = try await Self.send("a: { get: /get }", LoadSettings(users: 2, repetitions: 10), nil, sandbox, threads: 4)
      #expect(sent.load.ended == 10 && sent.load.steps[0].counts == [.passed: 10])
    }
  }

  @Test func `--max-failures counts the failed repetitions of all threads of a load test`() async throws {
    try await withSandbox { sandbox in
      let sent = try await Self.send(
        "a: { get: /status/500 }", LoadSettings(users: 3, repetitions: 10_000), nil, sandbox, threads: 3, maxFailures: 6)
      #expect(sent.summary.earlyEnd?.reason == "6 repetitions failed")
      #expect(sent.load.begun < 10_000 && sent.load.ended == sent.load.begun)
    }
  }

  @Test func `if a load test with two threads is interrupted, the cleanup of each simulated user runs`() async throws {
    try await withSandbox { sandbox in
      let steps = "make: { post: /post }\nslow: { get: /delay/10, after: make }\nremove: { delete: /delete, cleanup: make }"
      let sent = try await Self.send(steps, LoadSettings(users: 4, duration: .seconds(600)), nil, sandbox, threads: 2) { load in
        Task {
          var count = 0
          while count < 4, !Task.isCancelled {
            count = sandbox.records.count { $0.target == "/delay/10" }
            await Task.yield()
          }
          load.interrupt(signal: "SIGINT")
        }
      }
      #expect(sent.summary.exitStatus == 130)
      #expect(sent.load.steps.map(\.counts) == [[.passed: 4], [.notRun: 4], [.passed: 4]])
    }
  }
}
