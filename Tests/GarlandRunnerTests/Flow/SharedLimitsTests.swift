import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of limits that apply to the whole run, even for deeply nested documents. `Run.start` itself asserts that every slot is released at
/// the end.
@Suite("Limits across documents and pages", .timeLimit(.minutes(15)))
struct SharedLimitsTests {
  private static let prelude = "garland: 1\ndefaults: { base_url: \"${env.SANDBOX}\" }\n"

  /// Runs `top` together with documents that it calls.
  private func carryOut(
    _ top: String, calling files: [String: String], _ sandbox: Sandbox, configure: (inout RunConfiguration) -> Void = { _ in }
  ) async throws -> TestRun {
    let folder = try TemporaryFolder()
    for (name, text) in files { _ = try folder.write(name, Self.prelude + text) }
    let run = try await TestRun.carryOut(Self.prelude + top, sandbox, folder: folder, configure: configure)
    #expect(run.summary.exitStatus == 0, "\(run.results.map { ($0.step.id, $0.reason, $0.failures.map(\.message)) })")
    return run
  }

  private static let six = "steps:\n" + (1...6).map { "  s\($0): { get: /delay/0.02 }\n" }.joined()

  @Test(arguments: [(1, 6, 1), (16, 2, 2), (3, 6, 3)])
  func `the run's limit of concurrent transfers also applies to documents that a called document calls`(
    concurrency: Int, perOrigin: Int, most: Int
  )
    async throws
  {
    try await withSandbox { sandbox in
      _ = try await carryOut(
        "steps: { a: { call: mid.yaml }, b: { call: mid.yaml }, c: { get: /delay/0.02 } }",
        calling: ["mid.yaml": "steps: { deep: { call: leaf.yaml }, own: { get: /delay/0.02 } }", "leaf.yaml": Self.six], sandbox
      ) {
        $0.pace.concurrency = concurrency
        $0.pace.perOrigin = perOrigin
      }
      #expect(sandbox.records.count == 15)
      #expect(ConcurrencyTests.overlap(sandbox.records) == most)
    }
  }

  @Test func `polls and paginations give back their transfer slots, so that later steps can use all slots`()
    async throws
  {
    try await withSandbox { sandbox in
      _ = try await carryOut(
        """
        steps:
          pages: { for_each: [1, 2, 3], get: "/pages?total=40", paginate: { next: "${response.json.next}" } }
          again:
            get: /counter/again
            poll: { until: "${response.json.count > 3}", every: 0s }
          after: { for_each: [1, 2, 3, 4, 5, 6], get: /delay/0.05, after: [pages, again] }
        """, calling: [:], sandbox
      ) {
        $0.pace.concurrency = 6
        $0.pace.perOrigin = 6
      }
      let last = sandbox.records.filter { $0.target.hasPrefix("/delay") }
      #expect(ConcurrencyTests.overlap(last) == 6)
    }
  }

  @Test(arguments: [1, 2]) func `if a document and its caller declare the same resource, such as 'db', the caller's limit applies to both`(
    count: Int
  ) async throws {
    try await withSandbox { sandbox in
      _ = try await carryOut(
        """
        resources: { db: \(count) }
        steps:
          a: { call: mid.yaml }
          b: { for_each: [1, 2, 3], call: leaf.yaml }
          c: { get: "/delay/0.02?db", uses: db }
        """,
        calling: [
          "mid.yaml": "steps: { deep: { call: leaf.yaml } }",
          "leaf.yaml": """
          resources: { db: 4 }
          steps:
            x: { get: "/delay/0.02?db", uses: db }
            y: { get: "/delay/0.02?db", uses: db, for_each: [1, 2] }
            z: { get: /delay/0.02 }
          """,
        ], sandbox)
      let records = sandbox.records
      #expect(records.count == 17)
      #expect(ConcurrencyTests.overlap(records.filter { $0.target.hasSuffix("?db") }) == count)
      #expect(ConcurrencyTests.overlap(records) > count, "what uses nothing need not wait")
    }
  }

  @Test func `a step of a called document can use a resource that the calling step already uses`() async throws {
    try await withSandbox { sandbox in
      _ = try await carryOut(
        """
        resources: { db: 2, disk: 1 }
        steps:
          a: { call: leaf.yaml, uses: db }
          b: { call: leaf.yaml, uses: disk }
          c: { call: leaf.yaml, uses: db }
        """,
        calling: [
          "leaf.yaml": """
          resources: { db: 2, disk: 1 }
          steps:
            x: { get: "/delay/0.02?db", uses: db }
            y: { get: "/delay/0.02?disk", uses: disk }
            z: { get: "/delay/0.02?db", uses: [db, disk] }
          """
        ], sandbox)
      #expect(sandbox.records.count == 9)
      #expect(ConcurrencyTests.overlap(sandbox.records.filter { $0.target.hasSuffix("?disk") }) == 1)
      #expect(ConcurrencyTests.overlap(sandbox.records.filter { $0.target.hasSuffix("?db") }) <= 2)
    }
  }

  @Test func `in a called document, a step with the key 'exclusive' runs alone`() async throws {
    try await withSandbox { sandbox in
      _ = try await carryOut(
        """
        steps:
          a: { get: /delay/0.02 }
          b: { for_each: [1, 2, 3], call: mid.yaml }
          c: { call: mid.yaml }
          d: { get: /delay/0.02 }
        """,
        calling: [
          "mid.yaml": "steps: { deep: { call: leaf.yaml } }",
          "leaf.yaml": "steps: { x: { get: \"/delay/0.02?alone\", exclusive: true }, y: { get: /delay/0.02 } }",
        ], sandbox)
      let records = sandbox.records
      for alone in records.filter({ $0.target.hasSuffix("?alone") }) {
        let end = alone.finished ?? .zero
        let beside = records.filter { $0 != alone && $0.arrived < end && alone.arrived < ($0.finished ?? .zero) }
        #expect(beside.isEmpty, "\(beside.map(\.target))")
      }
      #expect(records.count == 10)
    }
  }

  @Test(arguments: [true, false]) func `loop items and steps with 'exclusive: true' that use the same resource never run at the same time`(
    isSerial: Bool
  )
    async throws
  {
    let steps = """
      resources: { db: 1 }
      steps:
        b: { for_each: [1, 2], get: /delay/0.01, uses: db }
        c: { get: /delay/0.01, uses: db }
        d: { get: /delay/0.01, uses: db, exclusive: true }
      """
    try await withSandbox { sandbox in
      for (top, files) in [(steps, [:]), ("steps: { a: { call: leaf.yaml }, b: { call: leaf.yaml } }", ["leaf.yaml": steps])] {
        _ = try await carryOut(top, calling: files, sandbox) { $0.pace.isSerial = isSerial }
      }
      #expect(sandbox.records.count == 12)
      #expect(ConcurrencyTests.overlap(sandbox.records) == 1)
    }
  }

  /// In a serial run, the items of loops and the steps of called documents also run one after another.
  @Test func `in a serial run, steps never run at the same time, even in a loop whose items call a document`() async throws {
    try await withSandbox { sandbox in
      _ = try await carryOut(
        "steps: { a: { for_each: [1, 2, 3], call: leaf.yaml, with: { n: '${item}' } } }",
        calling: [
          "leaf.yaml": """
          inputs: { n: 0 }
          steps:
            g: { get: "/anything/g${inputs.n}" }
            h: { get: "/counter/${inputs.n}", poll: { until: "${response.json.count == 2}", every: 1ms }, after: g }
          """
        ], sandbox
      ) { $0.pace.isSerial = true }
      #expect(
        sandbox.records.map(\.target) == (1...3).flatMap { ["/anything/g\($0)", "/counter/\($0)", "/counter/\($0)"] })
    }
  }

  @Test func `if an item of a loop with allow_failure fails, the steps after the loop still run`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        Self.prelude + """
          steps:
            some: { for_each: [200, 500], get: "/status/${item}", allow_failure: true }
            after: { get: /get, after: some }
            uses: { post: /anything, json: "${some.status | filter(true)}" }
          """, sandbox)
      #expect(run.summary.exitStatus == 0)
      #expect(run.results.filter { $0.outcome == .passed }.map(\.step.id).sorted() == ["after", "some", "uses"])
    }
  }

  // MARK: Stopping

  @Test func `if fail-fast ends a run after a failure, the steps of a called document are stopped too`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      _ = try folder.write(
        "leaf.yaml", Self.prelude + "steps: { a: { get: /delay/0.2 }, b: { get: /anything/b, after: a } }")
      let run = try await TestRun.carryOut(
        Self.prelude + "steps: { long: { call: leaf.yaml }, fails: { get: /status/500 } }", sandbox, folder: folder
      ) { $0.pace.maxFailures = 1 }
      #expect(run.outcomes == ["long not run", "fails failed"])
      #expect(Set(sandbox.records.map(\.target)) == ["/delay/0.2", "/status/500"])
    }
  }

  @Test func `if an interrupt arrives during the pause before a retry, the retry is not sent`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        Self.prelude + """
          steps:
            make: { post: /status/503, retry: { limit: 3, delay: 10m, statuses: [503], methods: [POST] } }
            remove: { delete: /anything, cleanup: make }
          """, sandbox,
        react: { run, event in if case .stepWaits = event { run.interrupt(signal: "SIGINT") } })
      #expect(run.outcomes == ["make not run", "remove passed"])
      #expect(sandbox.records.map(\.method) == ["POST", "DELETE"])
    }
  }

  /// Arguments: the URL of every attempt, of which the last has the status 409, and whether the cleanup runs.
  @Test(arguments: [("/once/x?status=409", true), ("/status/409", false)])
  func `the cleanup of a failed step runs only if an attempt of the step may have created something`(path: String, runs: Bool) async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        Self.prelude + """
          steps:
            make: { put: "\(path)", poll: { until: "${response.status != 200}", every: 0s } }
            remove: { delete: /anything, cleanup: make }
          """, sandbox)
      #expect(run.outcomes == ["make failed", runs ? "remove passed" : "remove skipped"])
    }
  }

  // MARK: Cookie files

  @Test func `if the file under the key 'cookies' is not a cookie file, it is not overwritten`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let notes = "buy milk\n"
      _ = try folder.write("notes.txt", notes)
      let run = try await TestRun.carryOut(
        Self.prelude + "steps: { a: { get: /cookies/set?a=1, cookies: notes.txt } }", sandbox, folder: folder)
      #expect(run.outcomes == ["a error"])
      #expect(try run.result("a").failures.first?.message.contains("line 1 is not a cookie") == true)
      #expect(try String(decoding: folder.read("notes.txt"), as: UTF8.self) == notes)
    }
  }

  @Test func `if a run has changed no cookie, the cookie file is not written`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let text = "# kept by hand\n\n127.0.0.1\tFALSE\t/\tFALSE\t0\ta\t1\n"
      _ = try folder.write("jar.txt", text)
      let run = try await TestRun.carryOut(
        Self.prelude
          + "steps: { a: { get: /get, cookies: jar.txt, expect: { json: { $.header.cookie: a=1 } } }, b: { get: /get, cookies: none.txt } }",
        sandbox, folder: folder)
      #expect(run.summary.counts[.passed] == 2, "\(run.results.map(\.failures))")
      #expect(try String(decoding: folder.read("jar.txt"), as: UTF8.self) == text)
      #expect(!folder.names.contains("none.txt"))
    }
  }

  @Test func `if several calls of a document use the same cookie file, the file contains the cookies of all calls`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      _ = try folder.write(
        "leaf.yaml", Self.prelude + "inputs: { n: 0 }\nsteps: { a: { get: '/cookies/set?c${inputs.n}=1', cookies: jar.txt } }")
      let run = try await TestRun.carryOut(
        Self.prelude + "steps: { all: { for_each: [1, 2, 3, 4], call: leaf.yaml, with: { n: '${item}' } } }", sandbox, folder: folder)
      #expect(run.summary.exitStatus == 0, "\(run.results.map(\.reason))")
      let jar = try String(decoding: folder.read("jar.txt"), as: UTF8.self)
      #expect((1...4).allSatisfy { jar.contains("\tc\($0)\t1") }, "\(jar)")
    }
  }

  @Test func `if a run is interrupted during a call step with a cleanup, the called document starts no further step`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      _ = try folder.write(
        "leaf.yaml",
        Self.prelude + """
          steps:
            a: { get: /delay/0.2 }
            b: { get: /anything/b, after: a }
            c: { get: /anything/c, after: b }
          """)
      let run = try await TestRun.carryOut(
        Self.prelude + """
          steps:
            make: { call: leaf.yaml }
            remove: { delete: /anything, cleanup: make }
          """, sandbox, folder: folder,
        react: { run, event in if case .stepStarted = event { run.interrupt(signal: "SIGINT") } })
      #expect(run.outcomes == ["make not run", "remove passed"])
      // The current request is completed, so that its effects are known.
      #expect(sandbox.records.map(\.target) == ["/delay/0.2", "/anything"])
      #expect(sandbox.records.first?.outcome == .completed)
    }
  }
}
