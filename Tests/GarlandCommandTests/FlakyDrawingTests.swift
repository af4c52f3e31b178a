import GarlandJSON
import TestSupport
import Testing

/// Tests of drawings of plans with a flaky step and a loop.
@Suite(.timeLimit(.minutes(5))) struct FlakyDrawingTests {
  @Test(arguments: [
    ("svg", #"<g class="flaky"><title>again"#, "↻ flaky"), ("dot", #"↻ again\nGET /flaky/again"#, #"tooltip="flaky""#),
  ])
  func `a drawing of a plan distinguishes flaky steps from passed steps`(format: String, box: String, legend: String) async throws {
    let folder = try await Self.folder()
    let drawing = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", format], in: folder.path)
    #expect(drawing.status == 0, "\(drawing.error)")
    for text in [box, legend] { #expect(drawing.output.contains(text), "\(text)\n\(drawing.output)") }
  }

  @Test func `the HTML page of a plan marks flaky steps`() async throws {
    let past = try await Self.past()
    // The outcome, the time, whether the failure is allowed, and whether the step is flaky.
    #expect(past[0]?[0] == 0 && past[0]?[3] == 1, "\(past)")
    #expect(past[1]?[0] == 0 && past[1]?[3] == nil, "\(past)")
  }

  @Test func `the time of a loop in a drawing is that from the start of its first item to the end of its last`() async throws {
    // Four items of 50 ms, one after the other.
    let past = try await Self.past()
    #expect(try #require(past[1]?[1]?.intValue) >= 200_000, "\(past)")
  }

  private static func past() async throws -> JSONValue {
    let folder = try await Self.folder()
    let page = try await Garland.run(["plan", "a.yaml", "--from", "r.json", "--format", "html"], in: folder.path)
    try folder.write("page.html", page.output)
    let unpacked = try await ChildProcess.run(
      "/usr/bin/python3", [Repository.path("Tests/Browser/unpack.py"), "\(folder.path)/page.html"])
    return try #require(try JSONValue(parsing: unpacked.outputBytes)["index"]?["past"])
  }

  private static func folder() async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps: { again: { get: "/flaky/again?fails=1" }, loop: { for_each: [1, 2, 3, 4], limit: 1, get: /delay/0.05 } }

      """)
    let run = try await Garland.run(["run", "a.yaml", "--sandbox", "--rerun-failed", "1", "--report", "json=r.json"], in: folder.path)
    try #require(run.status == 0, "\(run.error)")
    return folder
  }
}
