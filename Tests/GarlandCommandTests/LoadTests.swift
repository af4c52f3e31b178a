import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of load tests with `garland run`: `--rate`, `--users`, `--duration`, `--ramp` and `--expect`.
@Suite(.timeLimit(.minutes(15))) struct LoadTests {
  private static let text = """
    garland: 1
    name: Shop
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      login: { post: /anything/login, json: { user: "${run.iteration}" }, extract: { name: $.json.user } }
      order: { get: "/get?user=${login.name}" }

    """

  private static func run(_ arguments: [String], text: String = text) async throws -> (ChildProcess.Result, TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", text)
    return (try await Garland.run(["run", "w.yaml", "--sandbox"] + arguments, in: folder.path), folder)
  }

  private static func load(_ folder: TemporaryFolder, _ name: String = "r.json") throws -> JSONValue {
    try #require(try JSONValue(parsing: folder.read(name))["run"]?["load"])
  }

  @Test func `with --users, virtual users repeat all steps, and the report has one result for each step`() async throws {
    let (result, folder) = try await Self.run(["--users", "3", "--repeat", "40", "--report", "json=r.json"])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let load = try Self.load(folder)
    #expect(load["ended"] == 40 && load["failed"] == 0 && load["rate"] == nil)
    #expect(load["steps"]?.arrayValue?.map { $0["latency"]?["count"] } == [40, 40])
    let report = try JSONValue(parsing: folder.read("r.json"))
    #expect(report["results"]?.arrayValue?.count == 2 && report["run"]?["requests"] == 80)
    #expect(result.output.contains("(repetition)") && result.output.contains("40 repetitions"))
  }

  @Test func `a load test with --rate and --repeat starts exactly as many repetitions as --repeat states`() async throws {
    let (result, folder) = try await Self.run(["--rate", "100/s", "--repeat", "50", "--report", "json=r.json"])
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let load = try Self.load(folder)
    #expect(load["begun"] == 50 && load["rate"] == 100)
    #expect(load["steps"]?[0]?["service"]?["count"] == 50)
  }

  @Test func `if a load test does not meet a condition of --expect, the exit status is 1`() async throws {
    let text = Self.text + "  broken: { get: /status/503 }\n"
    let (result, folder) = try await Self.run(
      ["--users", "2", "--repeat", "10", "--expect", "login.errors < 1%", "--expect", "errors < 1%", "--report", "json=r.json"], text: text)
    #expect(result.status == 1)
    #expect(try Self.load(folder)["expectations"]?.arrayValue?.map { $0["met"] } == [true, false])
    #expect(result.output.contains("✓ login.errors < 1%: 0 %") && result.output.contains("✗ errors < 1%: 33.333 %"), "\(result.output)")
    #expect(result.output.contains("broken: 10 × status 503"))
  }

  @Test func `an unmet --expect condition of a load test is a failure in the JUnit and TAP reports and on the console`()
    async throws
  {
    let (result, folder) = try await Self.run([
      "--repeat", "5", "--expect", "min < 0.001ms", "--expect", "p95 < 1h", "--report", "junit=r.xml", "--report", "tap=r.tap",
    ])
    #expect(result.status == 1)
    #expect(result.output.contains("1 expectation not met, 2 passed") && result.output.contains("(all requests)"), "\(result.output)")
    let junit = String(decoding: try folder.read("r.xml"), as: UTF8.self)
    #expect(junit.contains("tests=\"4\" failures=\"1\"") && junit.contains("name=\"--expect min &lt; 0.001ms\""), "\(junit)")
    let tap = String(decoding: try folder.read("r.tap"), as: UTF8.self)
    #expect(tap.contains("not ok 3 - --expect min < 0.001ms") && tap.contains("ok 4 - --expect p95 < 1h"), "\(tap)")
  }

  @Test func `if an --expect condition permits the failures of a load test, the exit status is 0 and the reports show allowed failures`()
    async throws
  {
    let text = Self.text + "  broken: { get: /status/503 }\n"
    let (result, folder) = try await Self.run(
      ["--users", "2", "--repeat", "10", "--expect", "errors < 50%", "--report", "junit=r.xml"], text: text)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("10 (100.00 %) allowed") && result.output.contains("1 failed as allowed, 2 passed"), "\(result.output)")
    let junit = String(decoding: try folder.read("r.xml"), as: UTF8.self)
    #expect(junit.contains("<skipped message=\"allowed to fail: status is 503"), "\(junit)")
  }

  @Test func `failures of a quarantined step do not count for --expect conditions about errors`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.text + "  broken: { get: /status/503 }\n")
    try folder.write("quarantine.yaml", "- { step: w.yaml#broken, reason: SHOP-123, until: 2099-01-01 }\n")
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--users", "2", "--repeat", "10", "--expect", "errors < 1%"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("✓ errors < 1%: 0 %"), "\(result.output)\(result.error)")
    #expect(result.output.contains("10 (100.00 %) quarantined"), "\(result.output)")
  }

  @Test func `a mistake in --expect is reported with its position, and no request is sent`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.text)
    let result = try await Garland.run(
      ["run", "w.yaml", "--repeat", "10", "--expect", "logn.p95 < 300ms", "--expect", "p95 < 300"],
      environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(result.status == 2 && result.output.isEmpty && sandbox.records.isEmpty)
    expectGolden(result.error, "load-mistakes.txt")
    await sandbox.stop()
  }

  @Test func `if an --expect condition names a step and its document, the run and its report show the result of the condition`()
    async throws
  {
    let folder = try TemporaryFolder()
    for name in ["a/shop.yaml", "b.yaml"] { try folder.write(name, Self.text) }
    let result = try await Garland.run(
      ["run", "a/shop.yaml", "b.yaml", "--sandbox", "--users", "1", "--repeat", "2", "--expect", "shop.yaml#login.p95 < 1h"]
        + ["--report", "json=r.json"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("✓ shop.yaml#login.p95 < 1h"), "\(result.output)\(result.error)")
    let again = try await Garland.run(["report", "r.json"], in: folder.path)
    #expect(again.status == 0 && again.output.contains("✓ shop.yaml#login.p95 < 1h"), "\(again.output)\(again.error)")
  }

  @Test(arguments: [
    (["--rate", "200/s"], "A load needs an end"), (["--rate", "200", "--repeat", "3"], "write `--rate 200/s`"),
    (["--rate", "fast", "--repeat", "3"], "write a rate such as"), (["--users", "0", "--repeat", "3"], "--users must be from 1"),
    (["--users", "2", "--until-failure"], "needs an end"), (["--users", "2", "--repeat", "3", "--print", "${login.name}"], "--print"),
    (["--users", "1", "--repeat", "3", "--shard", "2/2"], "a load of 1 user can't be divided among 2 shards"),
    (["--users", "1", "--duration", "1s", "--ramp", "2s"], "--ramp must be at most as long as --duration"),
    (["--users", "2", "--repeat", "3", "--expect", "late < 1%"], "`late` is not measured without `--rate`"),
    (["--rate", "1000001/s", "--repeat", "3"], "the number is at most 1000000, such as `--rate 1000000/s`"),
    (["--rate", "1e-321/h", "--duration", "2s"], "the lowest rate is `--rate 0.05/h`"),
    (["--users", "1", "--duration", "99999999h"], "the longest duration is `10000d`"),
    (["--users", "1", "--duration", "20000d"], "--duration must be at most 10000d"),
    (["--repeat", "3", "--ramp", "20000d"], "--ramp must be at most 10000d"),
    (["--deadline", "99999999h"], "the longest duration is `106751d`"),
    (["--shard", "1/20000"], "there are at most 10000 shards"), (["--shard", "auto/20000"], "there are at most 10000 shards"),
  ])
  func `options that can't be combined with a load test, and values above a limit, are refused with status 2`(
    arguments: [String], words: String
  ) async throws {
    let (result, _) = try await Self.run(arguments)
    #expect(result.status == 2 && result.error.contains(words), "\(result.error)")
  }

  @Test(arguments: [
    (["--users", "2", "--repeat", "2"], "2 users can't be divided among 3 shards: each shard needs at least one user"),
    (["--users", "3", "--repeat", "1"], "1 repetition can't be divided among 3 shards: each shard needs at least one repetition"),
    (["--rate", "1/m", "--duration", "2s"], "1 repetition can't be divided among 3 shards: each shard needs at least one repetition"),
  ])
  func `if a load test can't be divided among all shards, every shard is refused with the same error and sends nothing`(
    arguments: [String], words: String
  ) async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.text)
    for shard in 1...3 {
      let result = try await Garland.run(
        ["run", "w.yaml", "--shard", "\(shard)/3"] + arguments, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
      #expect(result.status == 2 && result.error.contains("error: a load of \(words)\n"), "\(result.error)")
    }
    #expect(sandbox.records.isEmpty)
    await sandbox.stop()
  }

  @Test func `the report of a load test is unchanged after it is re-rendered from JSON`() async throws {
    let (result, folder) = try await Self.run(["--users", "2", "--repeat", "20", "--report", "json=r.json", "--report", "markdown=r.md"])
    #expect(result.status == 0)
    let again = try await Garland.run(
      ["report", "r.json", "--report", "markdown=again.md", "--report", "json=again.json"], in: folder.path)
    #expect(again.status == 0, "\(again.error)")
    #expect(try folder.read("again.md") == folder.read("r.md"))
    #expect(again.output.contains("(repetition)"))
  }

  @Test func `if shards divide the repetitions of a load test, the merged report adds the measurements of all shards`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.text)
    for shard in 1...3 {
      let result = try await Garland.run(
        ["run", "w.yaml", "--sandbox", "--users", "3", "--repeat", "50", "--shard", "\(shard)/3", "--report", "json=s\(shard).json"],
        in: folder.path)
      #expect(result.status == 0, "\(result.output)\(result.error)")
    }
    let parts = try (1...3).map { try Self.load(folder, "s\($0).json") }
    #expect(parts.map { $0["ended"] } == [17, 17, 16])
    let merged = try await Garland.run(
      ["report", "merge", "s1.json", "s2.json", "s3.json", "--report", "json=all.json"], in: folder.path)
    #expect(merged.status == 0, "\(merged.output)\(merged.error)")
    let all = try Self.load(folder, "all.json")
    func sum(_ load: JSONValue) -> Int { load["steps"]?[1]?["latency"]?["sumMicroseconds"]?.intValue ?? 0 }
    #expect(all["ended"] == 50 && sum(all) == parts.reduce(0) { $0 + sum($1) } && sum(all) > 0)
  }

  @Test(arguments: [["--users", "3", "--repeat", "5"], ["--users", "4", "--repeat", "4"]])
  func `shards of load tests with different users or repetitions are not merged`(_ options: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.text)
    for (number, options) in [(1, ["--users", "3", "--repeat", "4"]), (2, options)] {
      let result = try await Garland.run(
        ["run", "w.yaml", "--sandbox", "--shard", "\(number)/2", "--report", "json=s\(number).json"] + options, in: folder.path)
      #expect(result.status == 0, "\(result.output)\(result.error)")
    }
    let merged = try await Garland.run(["report", "merge", "s1.json", "s2.json"], in: folder.path)
    #expect(merged.status == 4)
    #expect(merged.error.contains("s2.json and s1.json divide the run in different ways"), "\(merged.error)")
  }

  @Test func `'garland report history' shows the counts and the median time of each step in a load test`() async throws {
    let text = Self.text + "  broken: { get: /status/503 }\n"
    let (result, folder) = try await Self.run(["--users", "2", "--repeat", "20", "--report", "json=r.json"], text: text)
    #expect(result.status == 1, "\(result.output)\(result.error)")
    let history = try await Garland.run(["report", "history", "r.json", "--format", "json"], in: folder.path)
    #expect(history.status == 0, "\(history.error)")
    let shown = try JSONValue(parsing: history.outputBytes)["steps"]?.arrayValue ?? []
    let measured = try Self.load(folder)["steps"]?.arrayValue ?? []
    #expect(measured.count == 3 && shown.count == 3)
    for step in measured {
      let row = try #require(shown.first { $0["id"] == step["id"] })
      let median = try #require(step["latency"]?["p50"]?.doubleValue)
      let failed: JSONValue = step["id"] == "broken" ? 20 : 0
      #expect(row["results"] == 20 && row["failed"] == failed)
      #expect(row["times"]?.arrayValue?.map { $0.doubleValue } == [median])
    }
  }

  @Test func `after Ctrl-C, a load test runs its cleanups and writes its report`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        create: { post: /anything/create }
        hanging: { get: "/fault/hang?after=${create.status}" }
        tidy: { delete: "/anything/tidy/${create.status}", cleanup: create }

      """)
    let child = try Garland.start(
      ["run", "w.yaml", "--users", "2", "--duration", "1h", "--report", "json=r.json"], environment: ["GARLAND_SANDBOX": sandbox.url],
      in: folder.path)
    await sandbox.waitForRequest { $0.target.hasPrefix("/fault/hang") }
    child.signal(SIGINT)
    let result = await child.result
    #expect(result.status == 130, "\(result.output)\(result.error)")
    let counts = try Self.load(folder)["steps"]?.arrayValue ?? []
    let created = counts.first?["counts"]?["passed"]?.intValue ?? 0
    #expect(created > 0 && counts.last?["counts"]?["passed"]?.intValue == created)
    #expect(sandbox.records.count { $0.target.hasPrefix("/anything/tidy") } == created)
    await sandbox.stop()
  }
}
