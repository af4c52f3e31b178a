import GarlandJSON
import TestSupport
import Testing

/// Tests of drawings of plans with the outcomes and durations of an earlier run.
@Suite(.timeLimit(.minutes(15))) struct OutcomeDrawingTests {
  @Test(arguments: [
    ("svg", [#"<g class="failed"><title>counts"#, #"<g class="allowed"><title>permitted"#, "✗ failed, allowed"]),
    ("dot", [##"✗ counts\nGET /status/500\n"##, ##"color="#a8400a", fillcolor="#fdf0e6", tooltip="failed, allowed""##, "permitted"]),
  ])
  func `the drawing of a plan with the outcomes of an earlier run distinguishes allowed failures from other failures`(
    format: String, texts: [String]
  ) async throws {
    try await Self.expect(texts, in: format)
  }

  @Test(arguments: [
    ("svg", [#"<g class="flaky"><title>again"#, "↻ flaky"]), ("dot", [#"↻ again\nGET /flaky/again"#, #"tooltip="flaky""#]),
  ])
  func `a drawing of a plan with the outcomes of an earlier run distinguishes flaky steps from passed steps`(
    format: String, texts: [String]
  ) async throws {
    try await Self.expect(texts, in: format)
  }

  @Test func `if the HTML page of a plan shows the outcomes of an earlier run, it marks allowed failures and flaky steps`() async throws {
    let past = try await Self.past()
    // The outcome, the time, whether the failure is allowed, and whether the step is flaky.
    let marks: [[Int?]]? = past.arrayValue?.map { [$0[0]?.intValue, $0[2]?.intValue, $0[3]?.intValue] }
    #expect(marks == [[1, nil, nil], [1, 1, nil], [0, 0, 1], [0, nil, nil]], "\(past)")
  }

  @Test
  func `in a plan drawn with the outcomes of a run, a loop's duration is the time from the start of its first to the end of its last item`()
    async throws
  {
    // Four items of 50 ms, one after the other.
    let past = try await Self.past()
    #expect(try #require(past[3]?[1]?.intValue) >= 200_000, "\(past)")
  }

  private static func expect(_ texts: [String], in format: String) async throws {
    let folder = try await folder()
    let drawing = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", format], in: folder.path)
    #expect(drawing.status == 0, "\(drawing.error)")
    for text in texts { #expect(drawing.output.contains(text), "\(text)\n\(drawing.output)") }
  }

  /// Returns the outcomes of the earlier run in the HTML page of the plan.
  private static func past() async throws -> JSONValue {
    let folder = try await folder()
    let page = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", "html"], in: folder.path)
    try folder.write("page.html", page.output)
    let unpacked = try await ChildProcess.run(
      "/usr/bin/python3", [Repository.path("Tests/Browser/unpack.py"), "\(folder.path)/page.html"])
    return try #require(try JSONValue(parsing: unpacked.outputBytes)["index"]?["past"])
  }

  /// Returns a folder with a workflow and the report of a run of it.
  private static func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        counts: { get: /status/500 }
        permitted: { get: /status/503, allow_failure: true }
        again: { get: "/flaky/again?fails=1" }
        loop: { for_each: [1, 2, 3, 4], limit: 1, get: /delay/0.05 }

      """)
    let run = try await Garland.run(["run", "a.yaml", "--sandbox", "--rerun-failed", "1", "--report", "json=r.json"], in: folder.path)
    try #require(run.status == 1, "\(run.error)")
    return folder
  }
}
