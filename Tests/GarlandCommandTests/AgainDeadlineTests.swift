import GarlandJSON
import TestSupport
import Testing

/// Tests of `--deadline` together with `--rerun-failed`, `--repeat` and `--until-failure`.
///
/// The first run ends at once, and the deadline ends the second run, which would take nine seconds.
@Suite(.timeLimit(.minutes(15))) struct AgainDeadlineTests {
  private static func run(_ steps: String, _ arguments: [String], in folder: TemporaryFolder) async throws -> ChildProcess.Result {
    try folder.write("w.yaml", "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n\(steps)")
    let reports = ["json=r.json", "junit=r.xml", "tap=r.tap", "markdown=r.md"].flatMap { ["--report", $0] }
    return try await Garland.run(["run", "w.yaml", "--sandbox", "--deadline", "8s"] + arguments + reports, in: folder.path)
  }

  private static func outcomes(_ folder: TemporaryFolder) throws -> [String] {
    (try JSONValue(parsing: folder.read("r.json"))["results"]?.arrayValue ?? []).map { result in
      "\(result["id"]?.stringValue ?? "") \(result["outcome"]?.stringValue ?? "")"
    }
  }

  @Test(arguments: [
    (["--until-failure"], ["a passed", "a error"]), (["--repeat", "2"], ["a passed", "a error"]),
    (["--rerun-failed", "1"], ["a passed"]),
  ])
  func `the message about the deadline of repetitions names the time that the user gave`(
    arguments: [String], outcomes: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    let step = "{ get: '/delay/${(run.iteration - 1) * 9}'"
    let failing = arguments.contains("--rerun-failed") ? "  failing: \(step), expect: { status: 500 } }\n" : ""
    let result = try await Self.run("  a: \(step) }\n" + failing, arguments, in: folder)
    #expect(result.output.contains("Ended early: the run reached its deadline of 8 s.\n"), "\(result.output)\(result.error)")
    #expect(try Self.outcomes(folder).filter { $0.hasPrefix("a ") } == outcomes)
    let run = try JSONValue(parsing: folder.read("r.json"))["run"]
    #expect(run?["stoppedEarly"] == "the run reached its deadline of 8 s")
    for name in ["r.xml", "r.tap", "r.md"] {
      let text = String(decoding: try folder.read(name), as: UTF8.self)
      #expect(text.components(separatedBy: "its deadline of ").dropFirst().allSatisfy { $0.hasPrefix("8 s") }, "\(text)")
    }
  }

  @Test func `if the deadline ends the rerun of a failed step, every report has the failure, and the exit status is 1`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(
      "  s: { get: '/delay/${(run.iteration - 1) * 9}', expect: { status: 500 } }\n", ["--rerun-failed", "5"], in: folder)
    #expect(result.status == 1 && result.output.contains("1 failed"), "\(result.output)\(result.error)")
    #expect(try Self.outcomes(folder) == ["s failed"])
    for (name, words) in [
      ("r.xml", "failures=\"1\" errors=\"0\""), ("r.tap", "status is 200, expected 500"), ("r.md", "status is 200, expected 500"),
    ] {
      let text = String(decoding: try folder.read(name), as: UTF8.self)
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test func `if the deadline ends the rerun of a cleanup before the step to clean up has run, the cleanup remains failed`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(
      """
        create: { post: /anything, delay: "${(run.iteration - 1) * 9}s" }
        remove: { get: /status/500, cleanup: create }

      """, ["--rerun-failed", "1"], in: folder)
    #expect(result.status == 1, "\(result.output)\(result.error)")
    #expect(try Self.outcomes(folder) == ["create passed", "remove failed"])
  }

  @Test func `if the deadline ends a rerun before a blocked step has run, the step is not run, and the exit status is 4`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(
      """
        shaky: { get: "/flaky/a?fails=1" }
        use: { get: "/get?s=${shaky.status}", delay: 9s }

      """, ["--rerun-failed", "1"], in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(try Self.outcomes(folder) == ["shaky passed", "use not run"])
  }

  @Test func `if a step stays blocked because the deadline ends the rerun of another step, the exit status is 4`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Self.run(
      """
        x: { get: "/delay/${(run.iteration - 1) * 9}" }
        shaky: { get: "/flaky/a?fails=1" }
        use: { get: "/get?s=${shaky.status}&x=${x.status}" }

      """, ["--rerun-failed", "1"], in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(try Self.outcomes(folder) == ["x passed", "shaky passed", "use error"])
  }
}
