import GarlandJSON
import TestSupport
import Testing

/// Tests of `--rerun-failed`, `--repeat`, `--until-failure` and `--failed-from`.
@Suite(.timeLimit(.minutes(15))) struct AgainTests {
  /// A document in which `shaky` passes the second time, and `use` depends on it.
  static let shaky = """
    garland: 1
    name: Shaky
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      login: { post: /anything/login, json: { token: abc }, extract: { token: $.json.token } }
      shaky: { get: "/flaky/a?fails=1&t=${login.token}" }
      use: { get: "/get?s=${shaky.status}" }
      fine: { get: /get }
      items: { for_each: [a, b], get: "/flaky/${item}-item?fails=${index}" }

    """
  static let broken = shaky + "  broken: { get: /status/500 }\n"

  private static func run(
    _ text: String, _ arguments: [String], _ reports: [String] = ["json=r.json"], in folder: TemporaryFolder
  ) async throws -> ChildProcess.Result {
    try folder.write("w.yaml", text)
    return try await Garland.run(["run", "w.yaml", "--sandbox"] + arguments + reports.flatMap { ["--report", $0] }, in: folder.path)
  }

  private static func results(_ folder: TemporaryFolder, _ id: String, of name: String = "r.json") throws -> [JSONValue] {
    (try JSONValue(parsing: folder.read(name))["results"]?.arrayValue ?? []).filter { $0["id"]?.stringValue == id }
  }

  @Test func `with --rerun-failed, a failed step that passes in a rerun counts as flaky, and the exit status is 0`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(Self.shaky, ["--rerun-failed", "2"], in: folder)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("flaky: status is 503"))
    #expect(result.output.contains("2 flaky, 4 passed"))
    let shaky = try #require(Self.results(folder, "shaky").first)
    #expect(shaky["outcome"] == "passed" && shaky["flaky"] == true)
    #expect(shaky["earlier"]?.arrayValue?.map { $0["outcome"] } == ["failed"])
    // The step was blocked by the failure, and has not failed itself.
    let use = try Self.results(folder, "use")
    #expect(use.map { $0["outcome"] } == ["passed"] && use[0]["earlier"] == nil && use[0]["flaky"] == nil)
    #expect(try Self.results(folder, "items").map { $0["flaky"] } == [nil, true])
    #expect(try Self.results(folder, "login").count == 1)
    let run = try JSONValue(parsing: folder.read("r.json"))["run"]
    #expect(run?["flaky"] == 2 && run?["exitStatus"] == 0)
    // The requests of the first run are login, shaky, fine and two items; those of the second are login, shaky, use and two items.
    #expect(run?["requests"] == 10)
  }

  @Test func `if a loop was blocked in the first run and runs in a rerun, the report has one result for each loop item`()
    async throws
  {
    let folder = try TemporaryFolder()
    let loop = "use: { for_each: [0, 2], get: \"/flaky/${item}-use?fails=${item}&s=${shaky.status}\" }"
    let text = Self.shaky.replacing("use: { get: \"/get?s=${shaky.status}\" }", with: loop)
    let result = try await Self.run(text, ["--rerun-failed", "3"], in: folder)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    let use = try Self.results(folder, "use")
    #expect(use.map { $0["outcome"] } == ["passed", "passed"] && use.map { $0["iterationIndex"] } == [0, 1])
    #expect(use[0]["earlier"] == nil && use[1]["earlier"]?.arrayValue?.count == 2)
  }

  @Test(arguments: [["--rerun-failed", "1"], ["--repeat", "3"]])
  func `if each repetition of a run gives the same warning, the warning is shown once`(arguments: [String])
    async throws
  {
    let folder = try TemporaryFolder()
    let text = Self.shaky.replacing("name: Shaky", with: "name: Shaky\nsecrets: [K]")
      .replacing("defaults: {", with: "defaults: { headers: { X-Api-Key: \"${secrets.K}\" },")
      .replacing("\"/flaky/a?", with: "\"http://localhost:${env.GARLAND_SANDBOX | split(':') | last}/flaky/a?")
    let result = try await Self.run(text, arguments + ["--secret", "K=k3y-of-acme"], in: folder)
    #expect(result.error.components(separatedBy: "warning[default-withheld]").count == 2, "\(result.error)")
    let notices = try JSONValue(parsing: folder.read("r.json"))["notices"]?.arrayValue
    #expect(notices?.count == 1)
  }

  @Test func `with --fail-flaky, the exit status of a run with a flaky step is 1`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(Self.shaky, ["--rerun-failed", "1", "--fail-flaky"], in: folder)
    #expect(result.status == 1)
    #expect(try JSONValue(parsing: folder.read("r.json"))["run"]?["exitStatus"] == 1)
    let again = try await Garland.run(["report", "r.json", "--report", "openmetrics=m.prom"], in: folder.path)
    #expect(again.status == 0)
    #expect(String(decoding: try folder.read("m.prom"), as: UTF8.self).contains("garland_run_exit_status{report=\"m\"} 1"))
  }

  @Test func `the piped console output of repetitions has aligned columns`() async throws {
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        a_step_with_a_long_name: { get: /get }
        b: { get: /get }
        items: { for_each: [x, y], get: /get }

      """
    let result = try await Self.run(text, ["--repeat", "2"], in: folder)
    let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("✓") }
    #expect(lines.count == 8)
    let columns = Set(lines.map { $0.components(separatedBy: "GET /get")[0].count })
    #expect(columns.count == 1, "\(lines)")
  }

  @Test func `if a step fails in every rerun, its result contains the earlier failures, and the exit status is 1`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(Self.broken, ["--rerun-failed", "2"], ["json=r.json", "junit=r.xml"], in: folder)
    #expect(result.status == 1)
    let broken = try #require(Self.results(folder, "broken").first)
    #expect(broken["outcome"] == "failed" && broken["earlier"]?.arrayValue?.count == 2 && broken["flaky"] == nil)
    let junit = String(decoding: try folder.read("r.xml"), as: UTF8.self)
    #expect(junit.components(separatedBy: "<rerunFailure ").count == 3)
    #expect(junit.components(separatedBy: "<flakyFailure ").count == 3)
  }

  @Test func `every report format shows that a step was flaky`() async throws {
    let folder = try TemporaryFolder()
    let reports = [
      "json=r.json", "junit=r.xml", "markdown=r.md", "tap=r.tap", "openmetrics=r.prom", "code-quality=r.cq", "otlp=r.otlp", "har=r.har",
    ]
    #expect(try await Self.run(Self.shaky, ["--rerun-failed", "1"], reports, in: folder).status == 0)
    for (name, words) in [
      ("r.xml", "<flakyFailure type=\"expectation\" message=\"status is 503"), ("r.md", "### Flaky"), ("r.md", "2 of them flaky"),
      ("r.tap", "flaky: status is 503"), ("r.prom", "garland_run_flaky{report=\"r\"} 2"), ("r.cq", "\"severity\":\"info\""),
      ("r.cq", ": flaky: status is 503"), ("r.otlp", "garland.step.flaky"), ("r.har", "\"status\":503"), ("r.har", "\"_flaky\":true"),
    ] {
      #expect(String(decoding: try folder.read(name), as: UTF8.self).contains(words), "\(name)")
    }
    let xml = try folder.read("r.xml")
    #expect(try await Garland.run(["report", "r.json", "--quiet", "--report", "junit=r2.xml"], in: folder.path).status == 0)
    #expect(try folder.read("r2.xml") == xml)
  }

  @Test func `--repeat runs every step the given number of times, each time with a new iteration number and run ID`() async throws {
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        a: { post: "/anything/${run.iteration}", json: { id: "${run.id}" }, extract: { link: $.path, id: $.json.id } }
        b: { for_each: [x, y], get: "/get?a=${a.id}" }

      """
    let result = try await Self.run(text, ["--repeat", "3"], in: folder)
    #expect(result.status == 0 && result.output.contains("9 passed"), "\(result.output)\(result.error)")
    let a = try Self.results(folder, "a")
    #expect(a.map { $0["iteration"] } == ["#1", "#2", "#3"])
    #expect(a.map { $0["extracted"]?["link"]?.stringValue?.suffix(2) } == ["/1", "/2", "/3"])
    #expect(Set(a.compactMap { $0["extracted"]?["id"]?.stringValue }).count == 3)
    #expect(try Self.results(folder, "b").map { $0["iteration"] } == ["#1 x", "#1 y", "#2 x", "#2 y", "#3 x", "#3 y"])
    let times = try Self.results(folder, "a").compactMap { $0["startedAt"]?.doubleValue }
    #expect(times.count == 3 && times == times.sorted() && times.first != times.last)
  }

  @Test func `--until-failure repeats the run until a step fails`() async throws {
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps: { a: { get: /counter/until, expect: { json: { $.count: { lt: 4 } } } } }

      """
    let result = try await Self.run(text, ["--until-failure"], in: folder)
    #expect(result.status == 1)
    #expect(try Self.results(folder, "a").map { $0["outcome"] } == ["passed", "passed", "passed", "failed"])
    let limited = try await Self.run(text, ["--until-failure", "--repeat", "2"], in: folder)
    #expect(limited.status == 0)
    #expect(try Self.results(folder, "a").count == 2)
  }

  @Test func `Ctrl-C ends garland run --until-failure, and the report contains every complete repetition`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/delay/0.01\" } }\n")
    let process = try Garland.start(
      ["run", "w.yaml", "--sandbox", "--until-failure", "--report", "json=r.json"], in: folder.path)
    #expect(await process.sees("#3"))
    process.signal(2)
    let result = await process.result
    #expect(result.status == 130)
    #expect(try Self.results(folder, "a").count >= 3)
    #expect(try JSONValue(parsing: folder.read("r.json"))["run"]?["interruptedBy"] == "SIGINT")
  }

  @Test func `--failed-from runs the steps that did not pass in the report, and their dependencies`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Self.run(Self.shaky, [], ["json=first.json"], in: folder).status == 1)
    let result = try await Self.run(Self.shaky, ["--failed-from", "first.json"], in: folder)
    #expect(result.status == 1)
    let report = try JSONValue(parsing: folder.read("r.json"))
    #expect(report["steps"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == ["login", "shaky", "use", "items"])
    try folder.write("ok.yaml", "garland: 1\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/get\" } }\n")
    _ = try await Garland.run(["run", "ok.yaml", "--sandbox", "--report", "json=ok.json"], in: folder.path)
    let none = try await Garland.run(["run", "ok.yaml", "--sandbox", "--failed-from", "ok.json"], in: folder.path)
    #expect(none.status == 0 && none.error.contains("every step passed in ok.json"), "\(none.error)")
  }

  /// Writes w.yaml and other.yaml, and runs both. The step `broken` of w.yaml fails.
  static func brokenFolder(_ options: [String] = [], document: String = "w.yaml") async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(document, "garland: 1\nsecrets: [WORD]\n" + steps("fine: { get: /get }, broken: { get: /status/500 }"))
    try folder.write("other.yaml", "garland: 1\n" + steps("other: { get: /get }"))
    let first = try await Garland.run(
      ["run", document, "other.yaml", "--sandbox", "--report", "json=first.json"] + options, in: folder.path)
    #expect(first.status == 1, "\(first.output)\(first.error)")
    return folder
  }

  private static func steps(_ steps: String) -> String {
    "defaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps: { \(steps) }\n"
  }

  @Test(arguments: [("w.yaml", "w.yaml", "renamed"), ("first.json", "gone.yaml", "broken")])
  func `if a failed step in the report for --failed-from no longer exists, the run is refused and sends nothing`(
    changed: String, file: String, id: String
  ) async throws {
    let folder = try await Self.brokenFolder()
    let text = String(decoding: try folder.read(changed), as: UTF8.self)
    try folder.write(changed, changed == "w.yaml" ? text.replacing("broken", with: id) : text.replacing("w.yaml", with: file))
    let result = try await Garland.run(["run", "w.yaml", "other.yaml", "--sandbox", "--failed-from", "first.json"], in: folder.path)
    #expect(result.status == 2 && result.output.isEmpty, "\(result.output)")
    #expect(result.error.contains("a step that did not pass in first.json is not in this run: `\(file)#broken`"), "\(result.error)")
    #expect(result.error.contains("run all steps without `--failed-from`"), "\(result.error)")
  }

  @Test(arguments: [["other.yaml"], ["w.yaml", "other.yaml", "--only", "other"], ["w.yaml", "fine"]])
  func `if the command line excludes all failed steps of --failed-from, nothing runs, and a note names these steps`(
    arguments: [String]
  ) async throws {
    let folder = try await Self.brokenFolder()
    let result = try await Garland.run(["run"] + arguments + ["--sandbox", "--failed-from", "first.json"], in: folder.path)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    #expect(result.error.contains("note: a step that did not pass in first.json is not selected: `w.yaml#broken`\n"), "\(result.error)")
    #expect(result.error.contains("every selected step passed in first.json\n"), "\(result.error)")
  }

  @Test func `--failed-from together with a tag runs only those failed steps that have the tag`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml", "garland: 1\n" + Self.steps("broken: { get: /status/500 }, worse: { get: /status/501, tags: [slow] }, fine: { get: /get }"))
    _ = try await Garland.run(["run", "w.yaml", "--sandbox", "--report", "json=first.json"], in: folder.path)
    let result = try await Garland.run(
      ["run", "w.yaml", "--tag", "slow", "--sandbox", "--failed-from", "first.json", "--report", "json=r.json"], in: folder.path)
    #expect(result.status == 1, "\(result.output)\(result.error)")
    #expect(try JSONValue(parsing: folder.read("r.json"))["steps"]?.arrayValue?.map { $0["id"] } == ["worse"])
    #expect(result.error.contains("note: a step that did not pass in first.json is not selected: `w.yaml#broken`\n"), "\(result.error)")
  }

  @Test func `--failed-from finds a step whose name contains a secret only if the reported run had the same secret`() async throws {
    let folder = try await Self.brokenFolder(["--secret", "WORD=test"], document: "tests/w.yaml")
    let report = String(decoding: try folder.read("first.json"), as: UTF8.self)
    #expect(!report.contains("tests/w.yaml") && report.contains("***s/w.yaml"))
    let arguments = [
      "run", "tests/w.yaml", "other.yaml", "--sandbox", "--failed-from", "first.json", "--report", "json=r.json", "--secret",
    ]
    let again = try await Garland.run(arguments + ["WORD=test"], in: folder.path)
    #expect(again.status == 1, "\(again.output)\(again.error)")
    #expect(try JSONValue(parsing: folder.read("r.json"))["steps"]?.arrayValue?.map { $0["id"] } == ["broken"])
    let changed = try await Garland.run(arguments + ["WORD=another"], in: folder.path)
    #expect(changed.status == 2 && changed.error.contains("is not in this run: `***s/w.yaml#broken`"), "\(changed.error)")
  }

  @Test func `--failed-from refuses the report of a run that failed although every step passed`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Self.run(Self.shaky, ["--rerun-failed", "1", "--fail-flaky"], in: folder).status == 1)
    let result = try await Self.run(Self.shaky, ["--failed-from", "r.json"], [], in: folder)
    #expect(result.status == 2 && result.error.contains("its run ended with status 1"), "\(result.error)")
  }

  @Test(arguments: [["run", "w.yaml", "--failed-from"], ["plan", "w.yaml", "--from"], ["report", "history"]])
  func `a file without an end, such as /dev/zero, is refused as the report of an earlier run`(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: 'http://127.0.0.1:1/' } }\n")
    let result = try await Garland.run(arguments + ["/dev/zero"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("the file `/dev/zero` is not a report of a run"), "\(result.output)\(result.error)")
  }

  @Test(arguments: [
    (["--repeat", "0"], "at least 1"), (["--rerun-failed", "0"], "from 1 to 100"),
    (["--repeat", "2", "--rerun-failed", "1"], "can't be combined"),
    (["--fail-flaky"], "needs --rerun-failed"), (["--repeat", "2", "--print", "${fine.status}"], "single run"),
    (["--failed-from", "none.json"], "the file `none.json` can't be read"),
  ])
  func `options of a run that contradict each other are refused`(arguments: [String], words: String) async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(Self.shaky, arguments, in: folder)
    #expect(result.status == 2 && result.error.contains(words), "\(result.error)")
  }
}
