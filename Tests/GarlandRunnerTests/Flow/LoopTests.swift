import GarlandJSON
import GarlandPlanner
import GarlandResults
import GarlandSandbox
import TestSupport
import Testing

@Suite("for_each, rows and matrix")
struct LoopTests {
  private func labels(_ run: TestRun, _ id: String) -> [String] {
    run.results.filter { $0.step.id == id }.sorted { ($0.iterationIndex ?? 0) < ($1.iterationIndex ?? 0) }
      .map { "\($0.iteration ?? "-") \($0.outcome.rawValue)" }
  }

  private func body(_ run: TestRun, _ id: String) throws -> String {
    let exchange = try #require(run.result(id).exchanges.last)
    return String(decoding: exchange.requestBody?.bytes ?? [], as: UTF8.self)
  }

  @Test func `a loop over a list sends one request for each item`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/anything/${item}-${index}', for_each: [x, 2, true], extract: { target: $.target } }
            b: { post: /anything, json: { urls: "${a.target | map(item | split('/') | last)}", statuses: "${a.status}" } }
          """, sandbox)
      #expect(labels(run, "a") == ["x passed", "2 passed", "true passed"])
      #expect(run.results.filter { $0.step.id == "a" }.count { $0.endsStep } == 1)
      #expect(try body(run, "b") == #"{"urls":["x-0","2-1","true-2"],"statuses":[200,200,200]}"#)
      #expect(run.summary.counts[.passed] == 4)
    }
  }

  @Test func `if a shard runs only a part of a loop, each item keeps its index in the whole loop`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/anything/${item}-${index}', for_each: [x, y, z, w] }\n", sandbox,
        configure: { $0.items = [0: ItemShare(range: 1..<3, count: 4)] })
      #expect(labels(run, "a") == ["y passed", "z passed"])
      #expect(run.results.map(\.iterationIndex).sorted { $0 ?? 0 < $1 ?? 0 } == [1, 2])
      #expect(run.results.flatMap(\.exchanges).allSatisfy { ["y-1", "z-2"].contains($0.hops[0].url.suffix(3)) })
    }
  }

  @Test func `a loop that is divided among shards fails if its number of items differs from the planned number`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/anything/${item}', for_each: [x, y, z] }\n", sandbox,
        configure: { $0.items = [0: ItemShare(range: 1..<3, count: 4)] })
      #expect(try run.result("a").outcome == .failed && run.result("a").exchanges.isEmpty)
      #expect(try run.result("a").failures.map(\.message) == ["has 3 items, but the shards were planned for 4 items"])
    }
  }

  @Test func `a loop over a list of another step sends one request for each item`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            list: { get: '/pages?total=4&size=4' }
            each: { get: '/anything/${item * 10}', for_each: '${list.json.items}' }
          """, sandbox)
      #expect(labels(run, "each") == ["1 passed", "2 passed", "3 passed", "4 passed"])
    }
  }

  @Test func `a loop over a matrix sends one request for each combination`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/anything/${item.size}/${item.color}', matrix: { size: [s, m], color: [red, blue] } }
          """, sandbox)
      #expect(
        labels(run, "a") == [
          "size=s, color=red passed", "size=s, color=blue passed", "size=m, color=red passed", "size=m, color=blue passed",
        ])
    }
  }

  @Test(arguments: ["users.csv", "users.jsonl", "users.json"])
  func `a loop over rows of a file sends one request for each row`(_ file: String) async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("users.csv", "name,role\nalice,admin\n\"bob, jr\",\"say \"\"hi\"\"\"\n")
    _ = try folder.write("users.jsonl", #"{"name": "alice", "role": "admin"}"# + "\n" + #"{"name": "bob, jr", "role": "say \"hi\""}"#)
    _ = try folder.write("users.json", #"[{"name": "alice", "role": "admin"}, {"name": "bob, jr", "role": "say \"hi\""}]"#)
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { post: /anything, rows: \(file), json: { n: '${item.name}', r: '${item.role}' } }", sandbox, folder: folder)
      #expect(labels(run, "a") == ["name=alice, role=admin passed", "name=bob, jr, role=say \"hi\" passed"])
      let second = try #require(run.results.first { $0.iterationIndex == 1 }?.exchanges.first?.requestBody)
      #expect(String(decoding: second.bytes, as: UTF8.self) == #"{"n":"bob, jr","r":"say \"hi\""}"#)
    }
  }

  @Test func `if an item of a loop fails, the other items still run`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/status/${item}', for_each: [200, 500, 201] }
            uses: { post: /anything, json: { all: "${a.status | filter(true)}", count: "${a.status | length}", third: "${a.status[2]}", second: "${a.status[1] ?? 'none'}" } }
            whole: { post: /anything, json: "${a.status}" }
            each: { get: '/anything/${item}', for_each: '${a.status}' }
            follows: { get: /get, after: a }
          """, sandbox)
      #expect(labels(run, "a") == ["200 passed", "500 failed", "201 passed"])
      #expect(try body(run, "uses") == #"{"all":[200,201],"count":3,"third":201,"second":"none"}"#)
      let failure = try #require(run.result("whole").failures.first)
      #expect(
        failure.message.hasSuffix("`a.status` has no value for item [1], because this item of the loop did not pass or extracted nothing"),
        "\(failure.message)")
      #expect(failure.help == "to leave out items without a value, write `a.status | filter(true)`")
      #expect(labels(run, "each") == ["200 passed", "201 passed"])
      #expect(try run.result("follows").outcome == .blocked)
      #expect(run.summary.exitStatus == 1)
    }
  }

  @Test func `the operator ?? gives a default for the missing value of a failed loop item`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/status/${item}', for_each: [200, 500, 201] }
            one: { post: /anything, json: { x: "${a.status[1] ?? 'none'}" } }
            each: { post: /anything, for_each: [0, 1, 2], json: { x: "${a.status[index] ?? 'none'}" }, expect: { status: 200 } }
            follows: { post: /anything, after: a, json: { x: "${a.status[0] ?? 1}" } }
          """, sandbox)
      #expect(try body(run, "one") == #"{"x":"none"}"#)
      #expect(labels(run, "each") == ["0 passed", "1 passed", "2 passed"])
      #expect(try run.result("follows").outcome == .blocked)
    }
  }

  @Test func `a step that uses values of a loop is blocked if every item of the loop fails`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/status/${item}', for_each: [500, 501] }
            uses: { post: /anything, json: "${a.status}" }
          """, sandbox)
      #expect(try run.result("uses").outcome == .blocked)
    }
  }

  @Test func `the condition of a loop is evaluated for each item`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/anything/${item}', for_each: [1, 2, 3], when: '${item != 2}' }
            b: { post: /anything, json: '${a.status | filter(true)}' }
          """, sandbox)
      #expect(labels(run, "a") == ["1 passed", "2 skipped", "3 passed"])
      #expect(try body(run, "b") == "[200,200]")
    }
  }

  @Test func `a loop over an empty list is skipped`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            list: { get: '/pages?total=0' }
            a: { get: '/anything/${item}', for_each: '${list.json.items}' }
            b: { post: /anything, json: '${a.status}' }
            c: { get: /get, after: a }
          """, sandbox)
      #expect(run.outcomes == ["list passed", "a skipped", "b passed", "c passed"])
      #expect(try run.result("a").reason == "there is nothing to do: `for_each` has no items")
      #expect(try body(run, "b") == "[]")
    }
  }

  @Test func `a cleanup that loops over the extracts of another loop runs once for each extracted value`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            made: { post: '/anything', json: '${item}', for_each: [1, 2], extract: { id: $.json } }
            broken: { get: /status/500, after: made }
            remove: { delete: '/anything/${item}', for_each: '${made.id}', cleanup: made }
          """, sandbox)
      #expect(labels(run, "remove") == ["1 passed", "2 passed"])
    }
  }

  @Test("each item of a loop counts its own retries", .timeLimit(.minutes(15)))
  func flowOfAnItem() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            a: { get: '/flaky/${item}?fails=${index}', for_each: [x, y, z], retry: { limit: 2, delay: 1ms }, delay: 1ms }
          """, sandbox)
      #expect(labels(run, "a") == ["x passed", "y passed", "z passed"])
      let counts = run.results.sorted { ($0.iterationIndex ?? 0) < ($1.iterationIndex ?? 0) }.map(\.exchanges.count)
      #expect(counts == [1, 2, 3])
    }
  }

  @Test func `the number of items of a loop that run at the same time does not exceed the limit of the loop`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/delay/0.01?${item}', for_each: '${12 | range}', limit: 2 }", sandbox)
      #expect(run.results.count == 12)
      #expect(Overlap.most(in: run.results) <= 2)
    }
  }

  @Test func `a loop of 2,000 items passes with the default limit of concurrent transfers`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/anything/${item}', for_each: '${2000 | range}' }", sandbox, detail: [])
      #expect(run.summary.counts[.passed] == 2000)
      #expect(run.results.count { $0.endsStep } == 1)
      #expect(run.results.last?.endsStep == true)
    }
  }

  @Test func `a serial run with fail-fast runs the items of a loop one after another until one of them fails`() async throws {
    try await withSandbox { sandbox in
      let text =
        prelude + """
            a: { get: '/status/${item}', for_each: [200, 500, 200, 200] }
            b: { get: /get, after: a }
          """
      let serial = try await TestRun.carryOut(text, sandbox, configure: { $0.pace.isSerial = true })
      #expect(Overlap.most(in: serial.results) == 1)
      #expect(labels(serial, "a") == ["200 passed", "500 failed", "200 passed", "200 passed"])
      let fast = try await TestRun.carryOut(
        text, sandbox,
        configure: {
          $0.pace.isSerial = true
          $0.pace.maxFailures = 1
        })
      #expect(Set(labels(fast, "a")) == ["200 passed", "500 failed", "- not run"])
      let left = try #require(fast.results.first { $0.step.id == "a" && $0.iteration == nil })
      #expect(left.reason?.hasPrefix("2 of 4 items: ") == true && left.itemCount == 2 && left.iterationIndex == 2)
      // Each item that has not begun is counted separately; `b` needs the loop to pass.
      #expect(fast.summary.counts == [.passed: 1, .failed: 1, .notRun: 2, .blocked: 1])
      #expect(fast.summary.exitStatus == 1)
    }
  }

  /// The counts include all items of the loop, regardless of how many of them have begun.
  @Test(arguments: [1, 7, 150]) func `if a run is interrupted during a loop, the summary of the run counts every item of the loop`(
    _ last: Int
  )
    async throws
  {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + "  a: { get: '/get?n=${item}', for_each: '${2000 | range}' }\n", sandbox,
        react: { run, event in
          if case .stepEnded(let result) = event, result.iterationIndex == last, result.iteration != nil { run.interrupt(signal: "SIGHUP") }
        })
      #expect(run.summary.counts.values.reduce(0, +) == 2_000)
      #expect(run.summary.counts[.passed, default: 0] >= 1 && run.summary.counts[.notRun, default: 0] >= 1_000)
      #expect(run.summary.exitStatus == 129)
      #expect(run.results.count { $0.endsStep } == 1 && run.results.last?.endsStep == true)
    }
  }

  @Test func `a secret in a loop item is masked in the label of the item`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        secrets: [TOKEN]
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          a: { post: /anything, json: '${item}', for_each: ['${secrets.TOKEN}', plain] }
        """, sandbox, configure: { $0.secrets = ["TOKEN": "very-secret-token"] })
      #expect(labels(run, "a") == ["*** passed", "plain passed"])
    }
  }

  @Test("loop items do not exceed the limit of a resource or overlap an exclusive step", .timeLimit(.minutes(15)))
  func resources() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        """
        garland: 1
        defaults: { base_url: "${env.SANDBOX}" }
        resources: { db: 1, disk: 2 }
        steps:
          a: { get: /delay/0.01, uses: db }
          b: { get: /delay/0.01, uses: [db, disk] }
          c: { get: /delay/0.01, uses: [disk, db] }
          loop: { get: '/delay/0.01?${item}', for_each: [1, 2, 3, 4, 5], uses: disk }
          alone: { get: /delay/0.01, exclusive: true }
          free: { get: /delay/0.01 }
        """, sandbox, detail: [])
      #expect(run.summary.counts[.passed] == 10)
      let byID = { (ids: Set<String>) in run.results.filter { ids.contains($0.step.id) } }
      #expect(Overlap.most(in: byID(["a", "b", "c"])) == 1)
      #expect(Overlap.most(in: byID(["b", "c", "loop"])) <= 2)
      let alone = try run.result("alone")
      for other in run.results where other.step.id != "alone" {
        #expect(other.endedAt <= alone.startedAt || other.startedAt >= alone.endedAt, "\(other.step.id)")
      }
    }
  }
}

/// Computes how many results overlap in time.
enum Overlap {
  static func most(in results: [StepResult]) -> Int {
    var edges: [(at: Duration, change: Int)] = []
    for result in results {
      edges.append((result.startedAt, 1))
      edges.append((result.endedAt, -1))
    }
    edges.sort { $0.at != $1.at ? $0.at < $1.at : $0.change < $1.change }
    var count = 0
    var most = 0
    for edge in edges {
      count += edge.change
      most = max(most, count)
    }
    return most
  }
}
