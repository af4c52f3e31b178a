import GarlandJSON
import TestSupport
import Testing

@testable import garland

/// Loops whose items several shards divide among them: `run --shard`, `plan --shards` and `report merge`.
@Suite(.timeLimit(.minutes(15))) struct ShardedLoopTests {
  static let users = """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      login: { post: /anything/login, json: { token: abc }, extract: { token: $.json.token } }
      user: { rows: users.csv, get: "/get?t=${login.token}&u=${item.name}", label: "${item.name}" }
      state: { for_each: "${20 | range}", get: /status/200, when: "${item != 3}" }
      list: { for_each: [1, 2, 3], get: "/anything/${item}", extract: { path: $.path } }
      all: { post: /anything, json: "${list.path}" }

    """
  static let rows = (1...30).reduce("name\n") { $0 + "user\($1)\n" }

  private static func folder(_ text: String = users) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("t/users.yaml", text)
    try folder.write("t/users.csv", rows)
    return folder
  }

  private static func shard(_ number: Int, of count: Int, _ more: [String] = [], in folder: TemporaryFolder) async throws
    -> ChildProcess.Result
  {
    try await Garland.run(
      ["run", "t", "--sandbox", "--shard", "\(number)/\(count)", "--report", "json=s\(number).json"] + more, in: folder.path)
  }

  private static func merge(_ arguments: [String], in folder: TemporaryFolder) async throws -> ChildProcess.Result {
    try await Garland.run(["report", "merge"] + arguments, in: folder.path)
  }

  /// The outcome of each step and item of a report.
  private static func outcomes(_ name: String, in folder: TemporaryFolder) throws -> [String] {
    let report = try JSONValue(parsing: folder.read(name))
    return (report["results"]?.arrayValue ?? []).map { result in
      let item = result["iterationIndex"]?.intValue.map { "[\($0)]" } ?? ""
      return "\(result["id"]?.stringValue ?? "")\(item) \(result["iteration"]?.stringValue ?? "") \(result["outcome"]?.stringValue ?? "")"
    }
  }

  @Test(arguments: [2, 3, 5])
  func `if a loop is divided among shards, the merged report has the same items as the report of a run without shards`(count: Int)
    async throws
  {
    let folder = try Self.folder()
    #expect(try await Garland.run(["run", "t", "--sandbox", "--report", "json=whole.json"], in: folder.path).status == 0)
    var items = 0
    for number in 1...count {
      #expect(try await Self.shard(number, of: count, in: folder).status == 0)
      items += try Self.outcomes("s\(number).json", in: folder).count { $0.hasPrefix("user[") }
    }
    #expect(items == 30)
    let reports = (1...count).map { "s\($0).json" }
    let merged = try await Self.merge(reports + ["--report", "json=m.json", "--report", "junit=m.xml"], in: folder)
    #expect(merged.status == 0, "\(merged.error)")
    #expect(try Self.outcomes("m.json", in: folder) == Self.outcomes("whole.json", in: folder))
    let runs = [try JSONValue(parsing: folder.read("m.json"))["run"], try JSONValue(parsing: folder.read("whole.json"))["run"]]
    #expect(runs[0]?["counts"] != nil && runs[0]?["counts"] == runs[1]?["counts"])
    #expect(String(decoding: try folder.read("m.xml"), as: UTF8.self).contains("tests=\"55\""))
  }

  @Test func `if a loop item fails in its shard, the item also fails in the merged report`() async throws {
    let folder = try Self.folder(Self.users.replacing("/status/200", with: "\"/status/${200 + item * 20}\""))
    for number in 1...3 { _ = try await Self.shard(number, of: 3, in: folder) }
    let merged = try await Self.merge(["s1.json", "s2.json", "s3.json", "--report", "json=m.json"], in: folder)
    #expect(merged.status == 1)
    let outcomes = try Self.outcomes("m.json", in: folder).filter { $0.hasPrefix("state[") }
    #expect(outcomes.count == 20 && outcomes.contains("state[4] 4 passed") && outcomes.contains("state[15] 15 failed"))
  }

  @Test func `if a loop that is divided among shards is blocked in every shard, the merged report has one result for the loop`()
    async throws
  {
    let folder = try Self.folder(Self.users.replacing("/anything/login", with: "/status/500"))
    for number in 1...2 { #expect(try await Self.shard(number, of: 2, in: folder).status == 1) }
    #expect(try await Self.merge(["s1.json", "s2.json", "--report", "json=m.json"], in: folder).status == 1)
    #expect(try Self.outcomes("m.json", in: folder).filter { $0.hasPrefix("user") } == ["user  blocked"])
  }

  @Test func `with --allow-missing, the merged report marks the loop items of a missing shard as not run`() async throws {
    let folder = try Self.folder()
    for number in [1, 3] { #expect(try await Self.shard(number, of: 3, in: folder).status == 0) }
    let reports = ["json=m.json", "junit=m.xml", "tap=m.tap"].flatMap { ["--report", $0] }
    let result = try await Self.merge(["s1.json", "s3.json", "--allow-missing"] + reports, in: folder)
    #expect(result.status == 0, "\(result.error)")
    let merged = try JSONValue(parsing: folder.read("m.json"))
    var counts: [String: Int] = [:]
    for result in merged["results"]?.arrayValue ?? [] where result["id"] == "user" {
      counts[result["outcome"]?.stringValue ?? "", default: 0] += result["items"]?.intValue ?? 1
    }
    let missing = counts["not run", default: 0]
    #expect(counts.values.reduce(0, +) == 30 && missing > 0, "\(counts)")
    let junit = String(decoding: try folder.read("m.xml"), as: UTF8.self)
    let cases = junit.components(separatedBy: "<testcase ").count - 1
    let skipped = junit.components(separatedBy: "<skipped ").count - 1
    #expect(junit.contains("<testsuites name=\"garland\" tests=\"\(cases)\"") && junit.contains("skipped=\"\(skipped)\""), "\(junit)")
    for text in [junit, String(decoding: try folder.read("m.tap"), as: UTF8.self)] {
      #expect(text.contains("\(missing) of 30 items: the report of shard 2/3 is missing"), "\(text)")
    }
  }

  @Test func `with --repeat, a loop is not divided among the shards`() async throws {
    let folder = try Self.folder()
    for number in 1...2 { #expect(try await Self.shard(number, of: 2, ["--repeat", "2"], in: folder).status == 0) }
    for name in ["s1.json", "s2.json"] {
      #expect(try JSONValue(parsing: folder.read(name))["run"]?["shard"]?["loops"] == nil)
    }
    #expect(try await Self.merge(["s1.json", "s2.json", "--report", "json=m.json"], in: folder).status == 0)
    #expect(try Self.outcomes("m.json", in: folder).count { $0.hasPrefix("user[") } == 60)
  }

  @Test func `a report that is merged from the report of a repeated shard is the report of a repeated run`() async throws {
    let folder = try Self.folder()
    #expect(try await Self.shard(1, of: 1, ["--repeat", "1"], in: folder).status == 0)
    #expect(try await Self.merge(["s1.json", "--report", "json=m.json"], in: folder).status == 0)
    #expect(try JSONValue(parsing: folder.read("m.json"))["run"]?["repeated"] == true)
  }

  @Test func `a merged report warns of shards that ran on different days, but still contains the data of each shard`()
    async throws
  {
    let folder = try Self.folder()
    for number in 1...2 { #expect(try await Self.shard(number, of: 2, in: folder).status == 0) }
    let shards = try ["s1.json", "s2.json"].map { try JSONValue(parsing: folder.read($0))["run"] }
    // The report of the second shard is that of an earlier run.
    let text = String(decoding: try folder.read("s2.json"), as: UTF8.self)
    let start = try #require(shards[1]?["startedAt"]?.stringValue)
    try folder.write("s2.json", text.replacing("\"startedAt\":\"\(start)\"", with: "\"startedAt\":\"2026-01-02T03:04:05.678Z\""))
    let merged = try await Self.merge(["s1.json", "s2.json", "--report", "json=m.json"], in: folder)
    #expect(merged.status == 0, "\(merged.error)")
    #expect((merged.output + merged.error).contains("s2.json began at 2026-01-02 03:04:05 UTC"), "\(merged.output)\(merged.error)")
    let report = try JSONValue(parsing: folder.read("m.json"))
    #expect(report["notices"]?.arrayValue?.map { $0["code"] } == ["distant-shards"])
    #expect(report["run"]?["shards"]?["seconds"]?.arrayValue == shards.map { $0?["seconds"] ?? .null })
    let loops = shards.flatMap { $0?["shard"]?["loops"]?.arrayValue ?? [] }
    #expect(report["run"]?["shards"]?["loops"]?.arrayValue == loops && !loops.isEmpty)
    let plan = try await Garland.run(
      ["plan", "t", "--shards", "2", "--from", "m.json", "--format", "json"], environment: ["GARLAND_SANDBOX": "http://h"], in: folder.path)
    let chains = try JSONValue(parsing: plan.outputBytes)["shards"]?.arrayValue?.compactMap { $0["chain"]?.doubleValue } ?? []
    // Between the two shards, there are many days.
    #expect(chains.count == 2 && chains.allSatisfy { $0 < 86_400 }, "\(chains)")
  }

  // MARK: Mistakes

  static let mistakes: [(name: String, change: @Sendable (TemporaryFolder) async throws -> Void)] = [
    (
      "other-rows",
      { folder in
        try folder.write("t/users.csv", rows.replacing("user7", with: "user8"))
        _ = try await shard(2, of: 3, in: folder)
      }
    ),
    (
      "other-items",
      { folder in
        try folder.write("t/users.csv", rows + "more\n")
        _ = try await shard(2, of: 3, in: folder)
      }
    ),
    ("repeated-shard", { folder in _ = try await shard(2, of: 3, ["--repeat", "1"], in: folder) }),
    (
      "other-repetitions",
      { folder in
        for number in 1...3 { _ = try await shard(number, of: 3, ["--repeat", number == 2 ? "3" : "2"], in: folder) }
      }
    ),
    ("lost-item", { folder in try move(item: 14, to: 15, in: folder) }),
    ("foreign-item", { folder in try move(item: 14, to: 29, in: folder) }),
  ]

  /// Gives the result of a user in the report of the second shard another place in the loop.
  private static func move(item: Int, to place: Int, in folder: TemporaryFolder) throws {
    let text = String(decoding: try folder.read("s2.json"), as: UTF8.self)
    let name = "\"iteration\":\"user\(item + 1)\",\"iterationIndex\":"
    #expect(text.contains("\(name)\(item)"))
    try folder.write("s2.json", text.replacing("\(name)\(item)", with: "\(name)\(place)"))
  }

  @Test(arguments: mistakes.map(\.name)) func `shard reports with missing or overlapping loop items are refused with status 4`(name: String)
    async throws
  {
    let folder = try Self.folder()
    for number in 1...3 { #expect(try await Self.shard(number, of: 3, in: folder).status == 0) }
    let mistake = try #require(Self.mistakes.first { $0.name == name })
    try await mistake.change(folder)
    let result = try await Self.merge(["s1.json", "s2.json", "s3.json", "--report", "json=m.json"], in: folder)
    #expect(result.status == 4 && !folder.names.contains("m.json"))
    expectGolden(result.error, "shards/loops/\(name).txt")
  }

  // MARK: Shown parts of loops

  @Test func `if a loop is divided among shards, garland plan and garland run show how many loop items a shard runs`() async throws {
    let folder = try Self.folder()
    let text = try await Garland.run(["plan", "t", "--shards", "3"], environment: ["GARLAND_SANDBOX": "http://h"], in: folder.path)
    expectGolden(text.output, "shards/loops/plan.txt")
    let json = try await Garland.run(
      ["plan", "t", "--shards", "3", "--format", "json"], environment: ["GARLAND_SANDBOX": "http://h"], in: folder.path)
    let steps = try JSONValue(parsing: json.outputBytes)["shards"]?.arrayValue?.flatMap { $0["steps"]?.arrayValue ?? [] } ?? []
    let shares = steps.filter { $0["id"] == "user" }.compactMap { $0["items"] }
    #expect(shares.compactMap { $0["count"]?.intValue }.reduce(0, +) == 30 && shares.allSatisfy { $0["of"] == 30 })
    let run = try await Self.shard(1, of: 3, in: folder)
    #expect(run.error.contains("Shard 1/3: 3 of 5 steps, 15 of 20 items of state."), "\(run.error)")
  }
}
