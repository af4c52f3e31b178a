import GarlandJSON
import TestSupport
import Testing

@testable import garland

/// Tests of `run --shard`, `plan --shards` and `report merge`.
@Suite(.timeLimit(.minutes(15))) struct ShardTests {
  static let shop = """
    garland: 1
    name: Shop
    vars: { size: 3, note: none }
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      login: { post: /anything/login, json: { token: abc }, extract: { token: $.json.token } }
      u1: { get: "/get?t=${login.token}&n=${vars.size}&m=${vars.note}" }
      u2: { get: "/get?t=${login.token}" }
      u3: { get: "/get?t=${login.token}" }
      u4: { get: "/get?t=${login.token}" }
      u5: { get: "/get?t=${login.token}", for_each: [1, 2, 3] }
      u6: { get: "/get?t=${login.token}", when: "${vars.size == 4}" }

    """
  static let books = """
    garland: 1
    name: Books
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      create: { post: /anything/books, json: { id: 7 }, extract: { id: $.json.id } }
      read: { get: "/get?id=${create.id}" }
      remove: { delete: "/anything/${create.id}", cleanup: create }
      apart: { get: /get }

    """

  /// A report of an earlier run, with the members that `--from` reads.
  static let durations = """
    {"format":"garland-report/1","run":{"seconds":2,"sumOfStepSeconds":4},"results":[
    {"file":"t/books.yaml","id":"create","outcome":"passed","seconds":1},
    {"file":"t/shop.yaml","id":"u5","outcome":"passed","seconds":0.5},{"file":"t/shop.yaml","id":"u5","outcome":"passed","seconds":1.5},
    {"file":"t/shop.yaml","id":"login","outcome":"passed","seconds":0.0625}]}
    """

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("t/books.yaml", books)
    try folder.write("t/shop.yaml", shop)
    return folder
  }

  private static func shard(
    _ number: Int, of count: Int, _ more: [String] = [], report: String? = nil, in folder: TemporaryFolder
  ) async throws -> ChildProcess.Result {
    let name = report ?? "s\(number).json"
    return try await Garland.run(
      ["run", "t", "--sandbox", "--shard", "\(number)/\(count)", "--report", "json=\(name)"] + more, in: folder.path)
  }

  /// Returns the outcome of each step and item in a report.
  private static func outcomes(_ name: String, in folder: TemporaryFolder) throws -> [String] {
    let report = try JSONValue(parsing: folder.read(name))
    return (report["results"]?.arrayValue ?? []).map { result in
      let item = result["iterationIndex"]?.intValue.map { "[\($0)]" } ?? ""
      return "\(result["file"]?.stringValue ?? "")#\(result["id"]?.stringValue ?? "")\(item) \(result["outcome"]?.stringValue ?? "")"
    }
  }

  private static func merge(_ arguments: [String], in folder: TemporaryFolder) async throws -> ChildProcess.Result {
    try await Garland.run(["report", "merge"] + arguments, in: folder.path)
  }

  @Test(arguments: [1, 2, 3, 7]) func `the merged report of all shards has the same results as a run of all steps`(count: Int)
    async throws
  {
    let folder = try Self.folder()
    #expect(try await Garland.run(["run", "t", "--sandbox", "--report", "json=whole.json"], in: folder.path).status == 0)
    var names: [String] = []
    for number in 1...count {
      #expect(try await Self.shard(number, of: count, in: folder).status == 0)
      names.insert("s\(number).json", at: 0)
    }
    let merged = try await Self.merge(names + ["--report", "json=merged.json", "--report", "junit=m.xml"], in: folder)
    #expect(merged.status == 0, "\(merged.error)")
    #expect(try Self.outcomes("merged.json", in: folder) == Self.outcomes("whole.json", in: folder))
    let (one, other) = (try JSONValue(parsing: folder.read("merged.json")), try JSONValue(parsing: folder.read("whole.json")))
    let members = ["id", "file", "line", "action", "dependsOn", "source"]
    let steps = [one, other].map { report in (report["steps"]?.arrayValue ?? []).map { step in members.map { step[$0] } } }
    #expect(steps[0] == steps[1])
    #expect(one["run"]?["counts"] == other["run"]?["counts"])
    let runs = try (1...count).map { try JSONValue(parsing: folder.read("s\($0).json"))["run"]?["id"] ?? .null }
    #expect(Set(runs.compactMap(\.stringValue)).count == count)
    let shards = one["run"]?["shards"]
    #expect(shards?["count"] == JSONValue(count) && shards?["missing"] == [] && shards?["runs"] == .array(runs))
    #expect(String(decoding: try folder.read("m.xml"), as: UTF8.self).contains("tests=\"13\""))
  }

  @Test func `a step that fails in one shard fails in the merged run`() async throws {
    let folder = try Self.folder()
    try folder.write("t/books.yaml", Self.books.replacing("apart: { get: /get }", with: "apart: { get: /status/500 }"))
    let statuses = [try await Self.shard(1, of: 2, in: folder).status, try await Self.shard(2, of: 2, in: folder).status]
    #expect(statuses.sorted() == [0, 1])
    let merged = try await Self.merge(["s1.json", "s2.json", "--report", "json=m.json"], in: folder)
    #expect(merged.status == 1)
    #expect(try Self.outcomes("m.json", in: folder).contains("t/books.yaml#apart failed"))
  }

  @Test func `the exit status of 'garland report merge' is 0 if all failures in the shard reports are allowed`() async throws {
    let folder = try Self.folder()
    try folder.write(
      "t/books.yaml", Self.books.replacing("apart: { get: /get }", with: "apart: { get: /status/500, allow_failure: true }"))
    for number in 1...2 { #expect(try await Self.shard(number, of: 2, in: folder).status == 0) }
    let merged = try await Self.merge(["s1.json", "s2.json", "--report", "json=m.json"], in: folder)
    #expect(merged.status == 0, "\(merged.error)")
    #expect(try Self.outcomes("m.json", in: folder).contains("t/books.yaml#apart failed"))
  }

  @Test func `a step that several shards run counts as failed if it failed in one shard`() async throws {
    let folder = try Self.folder()
    for number in 1...2 { _ = try await Self.shard(number, of: 2, in: folder) }
    let text = String(decoding: try folder.read("s2.json"), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      guard line.contains("\"id\":\"login\""), line.contains("\"outcome\"") else { return String(line) }
      return String(line).replacing("\"outcome\":\"passed\"", with: "\"outcome\":\"failed\"")
    }
    try folder.write("s2.json", lines.joined(separator: "\n"))
    let merged = try await Self.merge(["s1.json", "s2.json", "--report", "json=m.json"], in: folder)
    #expect(merged.status == 1)
    #expect(try Self.outcomes("m.json", in: folder).contains("t/shop.yaml#login failed"))
  }

  @Test func `a step that several shards run is flaky in the merged report if it is flaky in one shard`() async throws {
    let folder = try Self.folder()
    let uses = ["a", "b", "c", "d"].map { "  \($0): { get: \"/get?t=${login.at}\" }\n" }.joined()
    let login = "  login: { get: \"/flaky/k?fails=${env.FAILS}\", extract: { at: { header: Date } } }\n"
    try folder.write("f.yaml", "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n\(login)\(uses)")
    for (options, status) in [([], 0), (["--fail-flaky"], 1)] as [([String], Int32)] {
      for number in 1...2 {
        let run = try await Garland.run(
          ["run", "f.yaml", "--sandbox", "--shard", "\(number)/2", "--rerun-failed", "1", "--report", "json=s\(number).json"] + options,
          environment: ["FAILS": "\(number - 1)"], in: folder.path)
        #expect(run.status == (number == 1 ? 0 : status), "\(run.error)")
      }
      let merged = try await Self.merge(["s1.json", "s2.json", "--report", "json=m.json"], in: folder)
      #expect(merged.status == status && merged.output.contains("1 flaky, 4 passed"), "\(merged.output)\(merged.error)")
      #expect(try JSONValue(parsing: folder.read("m.json"))["run"]?["flaky"] == 1)
    }
  }

  // MARK: Incomplete sets of shards

  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Changes the second of three shards' reports, or the arguments of the command.
    let change: @Sendable (TemporaryFolder) async throws -> [String]

    init(_ name: String, _ change: @escaping @Sendable (TemporaryFolder) async throws -> [String]) {
      testDescription = name
      self.change = change
    }
  }

  static let all = ["s1.json", "s2.json", "s3.json"]

  static let mistakes = [
    Mistake("missing") { _ in ["s1.json", "s3.json"] },
    Mistake("two missing") { _ in ["s2.json"] },
    Mistake("no file") { _ in ["s1.json", "s2.json", "s4.json"] },
    Mistake("doubled") { _ in ["s1.json", "s2.json", "s3.json", "s1.json"] },
    Mistake("torn") { folder in
      let lines = String(decoding: try folder.read("s2.json"), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      try folder.write("s2.json", lines.prefix(3).joined(separator: "\n"))
      return all
    },
    Mistake("empty") { folder in
      try folder.write("s2.json", "")
      return all
    },
    Mistake("a result is lost") { folder in
      let lines = String(decoding: try folder.read("s2.json"), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      let last = lines.lastIndex { $0.contains("\"outcome\"") } ?? 0
      var left = lines
      left.remove(at: last)
      if left[last - 1].hasSuffix(",") { left[last - 1].removeLast() }
      try folder.write("s2.json", left.joined(separator: "\n"))
      return all
    },
    Mistake("other document") { folder in
      try folder.write("t/shop.yaml", shop + "# changed\n")
      _ = try await shard(2, of: 3, in: folder)
      return all
    },
    Mistake("one document more") { folder in
      try folder.write("t/third.yaml", "garland: 1\nsteps: { x: { get: \"${env.GARLAND_SANDBOX}/get\" } }\n")
      _ = try await shard(2, of: 3, in: folder)
      return all
    },
    Mistake("other variable") { folder in
      _ = try await shard(2, of: 3, ["--var", "size=4"], in: folder)
      return all
    },
    Mistake("other steps") { folder in
      _ = try await shard(2, of: 3, ["--skip", "u1"], in: folder)
      return all
    },
    Mistake("other durations") { folder in
      try folder.write("long.json", durations)
      _ = try await shard(2, of: 3, ["--from", "long.json"], in: folder)
      return all
    },
    Mistake("other count") { folder in
      _ = try await shard(2, of: 4, in: folder)
      return all
    },
    Mistake("other version") { folder in
      let text = String(decoding: try folder.read("s2.json"), as: UTF8.self)
      try folder.write("s2.json", text.replacing("\"garland \(GarlandVersion.text)\"", with: "\"garland 0.0.9\""))
      return all
    },
    Mistake("a whole run") { folder in
      _ = try await Garland.run(["run", "t", "--sandbox", "--report", "json=s2.json"], in: folder.path)
      return all
    },
    Mistake("a run that did not begin") { folder in
      try folder.write("t/shop.yaml", shop.replacing("u1", with: "login"))
      _ = try await shard(2, of: 3, in: folder)
      return all
    },
  ]

  @Test(arguments: mistakes)
  func `shard reports that are incomplete or do not belong together are not merged, and the exit status is 4`(
    mistake: Mistake
  ) async throws {
    let folder = try Self.folder()
    for number in 1...3 { #expect(try await Self.shard(number, of: 3, in: folder).status == 0) }
    let arguments = try await mistake.change(folder)
    let result = try await Self.merge(arguments + ["--report", "json=m.json", "--report", "junit=m.xml"], in: folder)
    #expect(result.status == 4)
    #expect(result.output.isEmpty && !folder.names.contains("m.json") && !folder.names.contains("m.xml"))
    expectGolden(result.error, "shards/\(mistake.testDescription.replacing(" ", with: "-")).txt")
  }

  @Test func `with --allow-missing, the merged report names the missing shard and marks its steps as not run`() async throws {
    let folder = try Self.folder()
    for number in [1, 3] { #expect(try await Self.shard(number, of: 3, in: folder).status == 0) }
    let reports = ["json=m.json", "tap=m.tap", "markdown=m.md", "har=m.har", "code-quality=m.cq", "openmetrics=m.prom"]
    let result = try await Self.merge(["s1.json", "s3.json", "--allow-missing"] + reports.flatMap { ["--report", $0] }, in: folder)
    #expect(result.status == 0, "\(result.error)")
    let merged = try JSONValue(parsing: folder.read("m.json"))
    #expect(merged["run"]?["shards"]?["count"] == 3 && merged["run"]?["shards"]?["missing"] == [2])
    #expect(merged["run"]?["shards"]?["runs"]?.arrayValue?.count == 2)
    #expect(merged["run"]?["stoppedEarly"] == "the report of shard 2/3 is missing")
    #expect(merged["steps"]?.arrayValue?.count == 11)
    #expect(merged["results"]?.arrayValue?.contains { $0["outcome"] == "not run" } == true)
    #expect(result.output.contains("the report of shard 2/3 is missing"))
    #expect(String(decoding: try folder.read("m.tap"), as: UTF8.self).hasSuffix("\n# the report of shard 2/3 is missing\n"))
    for name in ["m.md", "m.har", "m.cq"] {
      #expect(String(decoding: try folder.read(name), as: UTF8.self).contains("he report of shard 2/3 is missing"), "\(name)")
    }
    #expect(String(decoding: try folder.read("m.prom"), as: UTF8.self).contains("garland_run_missing_shards{report=\"m\"} 1\n"))
    let again = try await Garland.run(["report", "m.json"], in: folder.path)
    #expect(again.status == 0 && again.output.contains("the report of shard 2/3 is missing"))
  }

  @Test func `the report of a shard does not reveal a secret that is also the value of a variable`() async throws {
    let folder = try Self.folder()
    let result = try await Self.shard(1, of: 1, ["--var", "note=k3y-of-acme", "--secret", "K=k3y-of-acme"], in: folder)
    #expect(result.status == 2)
    try folder.write("t/shop.yaml", Self.shop.replacing("name: Shop", with: "name: Shop\nsecrets: [K]"))
    #expect(try await Self.shard(1, of: 1, ["--var", "note=k3y-of-acme", "--secret", "K=k3y-of-acme"], in: folder).status == 0)
    let first = try JSONValue(parsing: folder.read("s1.json"))["run"]?["shard"]?["variables"]
    #expect(try await Self.shard(1, of: 1, ["--var", "note=0ther-key", "--secret", "K=0ther-key"], in: folder).status == 0)
    #expect(try JSONValue(parsing: folder.read("s1.json"))["run"]?["shard"]?["variables"] == first)
    #expect(first?.arrayValue?.count == 1)
  }

  // MARK: One shard

  @Test func `a run of a shard without steps passes and reports that the shard has no steps`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("t/w.yaml", "garland: 1\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/get\" } }\n")
    let result = try await Self.shard(2, of: 2, in: folder)
    #expect(result.status == 0 && result.error.contains("Shard 2/2: 0 of 1 step."), "\(result.error)")
    #expect(try await Self.shard(1, of: 2, in: folder).status == 0)
    #expect(try await Self.merge(["s1.json", "s2.json"], in: folder).status == 0)
    let repeated = try await Self.shard(2, of: 2, ["--until-failure"], report: "r2.json", in: folder)
    #expect(repeated.status == 0 && repeated.output.contains("No step ran."), "\(repeated.output)")
    // The durations of an earlier run are ignored for a shard without steps.
    #expect(try await Self.shard(2, of: 2, ["--from", "s1.json"], in: folder).status == 0)
  }

  @Test func `--shard auto reads the shard from environment variables`() async throws {
    let folder = try Self.folder()
    let result = try await Garland.run(
      ["run", "t", "--sandbox", "--shard", "auto"], environment: ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"], in: folder.path)
    #expect(result.status == 0 && result.error.contains("Shard 2/3: "), "\(result.error)")
  }

  @Test func `a run with --shard auto is refused if no environment variable gives the number of the shard`() async throws {
    let folder = try Self.folder()
    let names = ShardEnvironment.systems.map(\.index)
    let result = try await Garland.run(
      ["run", "t", "--sandbox", "--shard", "auto"], environment: Dictionary(uniqueKeysWithValues: names.map { ($0, String?.none) }),
      in: folder.path)
    #expect(result.status == 2 && result.error.contains("found no environment variable"), "\(result.error)")
  }

  @Test(arguments: ["0", "6", "-1"])
  func `if the number of a shard is not one of the shards, the error has the range of the number`(number: String) async throws {
    let folder = try Self.folder()
    let result = try await Garland.run(["run", "t", "--shard=\(number)/5"], in: folder.path)
    let words = "there is no shard \(number) of 5: the number of the shard is from 1 to 5"
    #expect(result.status == 2 && result.error.contains(words), "\(result.error)")
  }

  @Test(arguments: ["x/5", "2", "2/0", "auto/0", "2/5/7", "2/99999"])
  func `an invalid value of --shard is refused`(value: String) async throws {
    let folder = try Self.folder()
    let result = try await Garland.run(["run", "t", "--shard=\(value)"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("`--shard 2/5`"), "\(result.error)")
  }

  @Test func `garland plan --shards shows the steps, the share of the work and the expected time of each shard`() async throws {
    let folder = try Self.folder()
    let plain = try await Garland.run(["plan", "t", "--shards", "3"], environment: ["GARLAND_SANDBOX": "http://h"], in: folder.path)
    #expect(plain.status == 0, "\(plain.error)")
    expectGolden(plain.output, "shards/plan.txt")
    try folder.write("r.json", Self.durations)
    let timed = try await Garland.run(
      ["plan", "t", "--shards", "3", "--from", "r.json", "--quiet"], environment: ["GARLAND_SANDBOX": "http://h"], in: folder.path)
    #expect(timed.status == 0, "\(timed.error)")
    expectGolden(timed.output, "shards/plan-from.txt")
    let json = try await Garland.run(
      ["plan", "t", "--shards", "3", "--from", "r.json", "--format", "json"], environment: ["GARLAND_SANDBOX": "http://h"], in: folder.path)
    let value = try JSONValue(parsing: json.outputBytes)
    #expect(value["garland_shards"] == 1 && value["shards"]?.arrayValue?.count == 3)
    let steps = value["shards"]?.arrayValue?.flatMap { $0["steps"]?.arrayValue ?? [] } ?? []
    #expect(Set(steps.compactMap { $0["id"]?.stringValue }).count == 11)
  }
}

/// Tests of the shard that variables of CI systems and schedulers determine.
@Suite struct ShardEnvironmentTests {
  @Test(
    arguments: [
      (["JOB_COMPLETION_INDEX": "1"], 5, "2/5"), (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], nil, "2/5"),
      (["CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "5"], nil, "2/5"),
      (["BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "5"], nil, "2/5"),
      (["SYSTEM_JOBPOSITIONINPHASE": "2", "SYSTEM_TOTALJOBSINPHASE": "5"], nil, "2/5"),
      (["BITBUCKET_PARALLEL_STEP": "1", "BITBUCKET_PARALLEL_STEP_COUNT": "5"], nil, "2/5"),
      (["SEMAPHORE_JOB_INDEX": "2", "SEMAPHORE_JOB_COUNT": "5"], nil, "2/5"),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "1", "AWS_BATCH_JOB_ARRAY_SIZE": "5"], nil, "2/5"),
      (["CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "5"], nil, "2/5"),
      (["BATCH_TASK_INDEX": "1", "BATCH_TASK_COUNT": "5"], nil, "2/5"),
      (["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "5", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_STEP": "1"], nil, "2/5"),
      (
        ["SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_COUNT": "5", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "2"], nil, "2/5"
      ),
      (["SGE_TASK_ID": "3", "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": "9", "SGE_TASK_STEPSIZE": "2"], nil, "2/5"),
      (["LSB_JOBINDEX": "2", "LSB_JOBINDEX_END": "5"], nil, "2/5"), (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "1"], 1, "1/1"),
      (["SGE_TASK_ID": "undefined", "LSB_JOBINDEX": "0", "CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "2"], nil, "1/2"),
      (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "5"], nil, "2/5"),
    ] as [([String: String], Int?, String)])
  func `--shard auto finds the shard in each CI system's variables`(variables: [String: String], count: Int?, expected: String) throws {
    let shard = try ShardEnvironment.shard(variables, count: count)
    #expect("\(shard.number)/\(shard.count)" == expected)
  }

  @Test(
    arguments: [
      (["JOB_COMPLETION_INDEX": "1"], nil, "write `--shard auto/COUNT`"), ([:], nil, "found no environment variable"),
      (["JOB_COMPLETION_INDEX": ""], 5, "found no environment variable"),
      (["JOB_COMPLETION_INDEX": "5"], 5, "not one of 5 shards that count from 0"),
      (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"], nil, "not one of 5 shards that count from 1"),
      (["CI_NODE_INDEX": "two", "CI_NODE_TOTAL": "5"], nil, "CI_NODE_INDEX is `two`"),
      (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "0"], nil, "0 is not a number of shards"),
      (["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "20000"], nil, "write one from 1 to 10000"),
      (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], 6, "contradicts CI_NODE_TOTAL"),
      (
        ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "CIRCLE_NODE_INDEX": "2", "CIRCLE_NODE_TOTAL": "5"], nil, "CIRCLE_NODE_INDEX says 3/5"
      ),
      // A job array with chosen numbers, such as --array=1,3,7.
      (
        ["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "1"], nil,
        "not one of 3"
      ),
    ] as [([String: String], Int?, String)])
  func `environment variables that select no valid shard are refused`(variables: [String: String], count: Int?, words: String) {
    do throws(CommandFailure) {
      let shard = try ShardEnvironment.shard(variables, count: count)
      Issue.record("\(shard)")
    } catch {
      #expect(error.status == 2 && error.message.contains(words), "\(error.message)")
    }
  }
}
