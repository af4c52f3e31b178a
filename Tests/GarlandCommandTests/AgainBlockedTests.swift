import GarlandJSON
import TestSupport
import Testing

/// Tests of `--rerun-failed` for steps that are blocked in the first run and in the rerun.
@Suite(.timeLimit(.minutes(15))) struct AgainBlockedTests {
  @Test func `if a step passed in the first run, but its failure in the rerun blocks another step, the exit status is 1`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        x: { get: "/status/${200 + (run.iteration - 1) * 300}" }
        shaky: { get: "/flaky/a?fails=1" }
        use: { get: "/get?s=${shaky.status}&x=${x.status}" }

      """)
    let result = try await Garland.run(
      ["run", "w.yaml", "--sandbox", "--rerun-failed", "1", "--report", "json=r.json"], in: folder.path)
    #expect(result.status == 1, "\(result.output)\(result.error)")
    #expect(result.output.contains("needs the step `x`, which passed before, but not in the last rerun: status is 500, expected 2xx"))
    let results = try JSONValue(parsing: folder.read("r.json"))["results"]?.arrayValue ?? []
    #expect(results.map { $0["outcome"] } == ["passed", "passed", "failed"])
  }
}
