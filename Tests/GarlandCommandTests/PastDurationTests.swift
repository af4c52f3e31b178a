import TestSupport
import Testing

/// Tests of the durations that `--from` reads from a report.
@Suite(.timeLimit(.minutes(15))) struct PastDurationTests {
  @Test func `if a report contains repetitions of a run, 'garland plan --from' shows each step's longest duration among them`() async throws
  {
    let folder = try Garland.folder(steps: "{ one: { get: /health }, loop: { for_each: [a, b], get: /health, after: one } }")
    try folder.write(
      "r.json",
      """
      {"format":"garland-report/1","run":{"seconds":4,"sumOfStepSeconds":4},"results":[
      {"file":"w.yaml","id":"one","iteration":"#1","outcome":"passed","startedAt":0,"seconds":0.5},
      {"file":"w.yaml","id":"one","iteration":"#2","outcome":"passed","startedAt":2,"seconds":0.25},
      {"file":"w.yaml","id":"loop","iteration":"#1 a","outcome":"passed","startedAt":0.5,"seconds":0.5},
      {"file":"w.yaml","id":"loop","iteration":"#1 b","outcome":"passed","startedAt":1,"seconds":0.5},
      {"file":"w.yaml","id":"loop","iteration":"#2 a","outcome":"passed","startedAt":2.25,"seconds":0.25},
      {"file":"w.yaml","id":"loop","iteration":"#2 b","outcome":"passed","startedAt":2.5,"seconds":0.25}]}
      """)
    let plan = try await Garland.run(["plan", "w.yaml", "--from", "r.json"], in: folder.path)
    #expect(plan.output.contains("one      GET /health  (500 ms)\n"), "\(plan.output)\(plan.error)")
    #expect(plan.output.contains("← after one  (1.0 s)\n"), "\(plan.output)\(plan.error)")
  }
}
