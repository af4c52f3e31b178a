import GarlandJSON
import TestSupport
import Testing

/// Tests of drawings of plans with failures that do not count.
@Suite(.timeLimit(.minutes(5))) struct AllowedFailureDrawingTests {
  @Test(arguments: [
    ("svg", #"<g class="failed"><title>counts"#, #"<g class="allowed"><title>permitted"#, "✗ failed, allowed"),
    ("dot", ##"✗ counts\nGET /status/500\n"##, ##"color="#a8400a", fillcolor="#fdf0e6", tooltip="failed, allowed""##, "permitted"),
  ])
  func `a drawing of a plan distinguishes allowed failures from other failures`(
    format: String, counting: String, permitted: String, legend: String
  ) async throws {
    let folder = try await Self.folder()
    let drawing = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", format], in: folder.path)
    #expect(drawing.status == 0, "\(drawing.error)")
    for text in [counting, permitted, legend] { #expect(drawing.output.contains(text), "\(text)\n\(drawing.output)") }
  }

  @Test func `the HTML page of a plan marks allowed failures`() async throws {
    let folder = try await Self.folder()
    let page = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", "html"], in: folder.path)
    try folder.write("page.html", page.output)
    let unpacked = try await ChildProcess.run(
      "/usr/bin/python3", [Repository.path("Tests/Browser/unpack.py"), "\(folder.path)/page.html"])
    let past = try JSONValue(parsing: unpacked.outputBytes)["index"]?["past"]
    // The outcome, the time, and whether the failure is allowed.
    #expect(past?[0]?[0] == 1 && past?[0]?[2] == nil, "\(past ?? .null)")
    #expect(past?[1]?[0] == 1 && past?[1]?[2] == 1, "\(past ?? .null)")
  }

  private static func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps: { counts: { get: /status/500 }, permitted: { get: /status/503, allow_failure: true } }

      """)
    let run = try await Garland.run(["run", "a.yaml", "--sandbox", "--report", "json=r.json"], in: folder.path)
    try #require(run.status == 1, "\(run.error)")
    return folder
  }
}
