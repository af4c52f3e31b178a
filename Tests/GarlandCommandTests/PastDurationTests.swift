import GarlandJSON
import TestSupport
import Testing

/// Tests of the durations that `--from` reads from a report.
@Suite(.timeLimit(.minutes(15))) struct PastDurationTests {
  @Test func `'garland plan --from' shows the longest duration of each step in all repetitions of the reported run`() async throws {
    let folder = try Garland.folder(steps: "{ one: { get: /health }, loop: { for_each: [a, b], get: /health, after: one } }")
    try folder.write(
      "r.json",
      """
      {"format":"garland-report/1","run":{"repeated":true,"seconds":4,"sumOfStepSeconds":4},"results":[
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

  @Test func `'garland plan --from' shows the duration of the whole loop if the items of the loop are named like repetitions`()
    async throws
  {
    let folder = try Garland.folder(steps: "{ loop: { for_each: [[a], [b]], get: /health } }")
    try folder.write(
      "r.json",
      """
      {"format":"garland-report/1","run":{"seconds":0.5,"sumOfStepSeconds":0.5},"results":[
      {"file":"w.yaml","id":"loop","iteration":"#0","iterationIndex":0,"outcome":"passed","startedAt":0,"seconds":0.25},
      {"file":"w.yaml","id":"loop","iteration":"#1","iterationIndex":1,"outcome":"passed","startedAt":0.25,"seconds":0.25}]}
      """)
    let plan = try await Garland.run(["plan", "w.yaml", "--from", "r.json"], in: folder.path)
    #expect(plan.output.contains("(500 ms)\n"), "\(plan.output)\(plan.error)")
  }

  /// Returns the JSON of `plan --shards` with the durations of a report.
  private static func shards(_ count: Int, steps: String, report: String) async throws -> [JSONValue] {
    let folder = try Garland.folder(steps: steps)
    try folder.write("r.json", report)
    let plan = try await Garland.run(
      ["plan", "w.yaml", "--from", "r.json", "--shards", "\(count)", "--format", "json"], in: folder.path)
    #expect(plan.status == 0, "\(plan.error)")
    return try JSONValue(parsing: plan.outputBytes)["shards"]?.arrayValue ?? []
  }

  /// A merged report of two shards that started 100 s apart, and divided the items of the loop.
  static let apart = """
    {"format":"garland-report/1","run":{"seconds":100.5,"sumOfStepSeconds":1,"shards":{"count":2,"missing":[],"runs":["a","b"],
    "seconds":[0.5,0.5],"loops":[{"file":"w.yaml","id":"loop","first":0,"count":2,"of":4},
    {"file":"w.yaml","id":"loop","first":2,"count":2,"of":4}]}},"results":[
    {"file":"w.yaml","id":"loop","iteration":"a","iterationIndex":0,"outcome":"passed","startedAt":0,"seconds":0.25},
    {"file":"w.yaml","id":"loop","iteration":"b","iterationIndex":1,"outcome":"passed","startedAt":0.25,"seconds":0.25},
    {"file":"w.yaml","id":"loop","iteration":"c","iterationIndex":2,"outcome":"passed","startedAt":100,"seconds":0.25},
    {"file":"w.yaml","id":"loop","iteration":"d","iterationIndex":3,"outcome":"passed","startedAt":100.25,"seconds":0.25}]}
    """
  static let loop = "{ loop: { for_each: [a, b, c, d], get: /health } }"

  @Test func `if shards that divided a loop started at different times, the time between their starts is not part of the loop's duration`()
    async throws
  {
    let folder = try Garland.folder(steps: Self.loop)
    try folder.write("r.json", Self.apart)
    let plan = try await Garland.run(["plan", "w.yaml", "--from", "r.json"], in: folder.path)
    #expect(plan.output.contains("(1.0 s)\n"), "\(plan.output)\(plan.error)")
  }

  @Test func `'garland plan --shards' expects that a shard with half of a loop's items takes half of the loop's duration`() async throws {
    let shards = try await Self.shards(2, steps: Self.loop, report: Self.apart)
    #expect(shards.map { $0["work"]?.doubleValue } == [0.5, 0.5])
    #expect(shards.map { $0["chain"]?.doubleValue } == [0.5, 0.5])
    #expect(shards.map { $0["expected"]?.doubleValue } == [0.5, 0.5])
  }

  /// The members of `run` in the report of one of two shards that divided the items of the loop, and in a merged report without the second
  /// shard.
  static let incomplete = [
    #""shard":{"number":1,"count":2,"loops":[{"file":"w.yaml","id":"loop","first":0,"count":1,"of":4}]}"#,
    #""shards":{"count":2,"missing":[2],"seconds":[0.25],"loops":[{"file":"w.yaml","id":"loop","first":0,"count":1,"of":4}]}"#,
  ]

  @Test(arguments: incomplete)
  func `if the report for --from has one of a loop's four items, the whole loop is expected to take four times as long`(
    member: String
  ) async throws {
    let report = """
      {"format":"garland-report/1","run":{"seconds":0.25,"sumOfStepSeconds":0.25,\(member)},"results":[
      {"file":"w.yaml","id":"loop","iteration":"a","iterationIndex":0,"outcome":"passed","startedAt":0,"seconds":0.25}]}
      """
    let shards = try await Self.shards(2, steps: Self.loop, report: report)
    #expect(shards.map { $0["work"]?.doubleValue } == [0.5, 0.5])
    #expect(shards.map { $0["chain"]?.doubleValue } == [0.5, 0.5])
  }

  @Test func `if one of two shards skipped all of its items of a loop, --from does not expect that these items take time`() async throws {
    let report = """
      {"format":"garland-report/1","run":{"seconds":0.5,"sumOfStepSeconds":0.5,"shards":{"count":2,"missing":[],"runs":["a","b"],
      "seconds":[0.5,0],"loops":[{"file":"w.yaml","id":"loop","first":0,"count":2,"of":4},
      {"file":"w.yaml","id":"loop","first":2,"count":2,"of":4}]}},"results":[
      {"file":"w.yaml","id":"loop","iteration":"a","iterationIndex":0,"outcome":"passed","startedAt":0,"seconds":0.25},
      {"file":"w.yaml","id":"loop","iteration":"b","iterationIndex":1,"outcome":"passed","startedAt":0.25,"seconds":0.25},
      {"file":"w.yaml","id":"loop","iteration":"c","iterationIndex":2,"outcome":"skipped","startedAt":0,"seconds":0},
      {"file":"w.yaml","id":"loop","iteration":"d","iterationIndex":3,"outcome":"skipped","startedAt":0,"seconds":0}]}
      """
    let shards = try await Self.shards(2, steps: Self.loop, report: report)
    #expect(shards.map { $0["chain"]?.doubleValue } == [0.25, 0.25])
  }

  @Test func `if a loop fails before its first item, the wait until the loop's rerun is not part of the loop's duration`()
    async throws
  {
    let report = """
      {"format":"garland-report/1","run":{"seconds":100.5,"sumOfStepSeconds":0.5},"results":[
      {"file":"w.yaml","id":"loop","iteration":"a","iterationIndex":0,"outcome":"passed","startedAt":100,"seconds":0.25,
      "earlier":[{"file":"w.yaml","id":"loop","outcome":"failed","startedAt":0,"seconds":0}]},
      {"file":"w.yaml","id":"loop","iteration":"b","iterationIndex":1,"outcome":"passed","startedAt":100.25,"seconds":0.25}]}
      """
    let shards = try await Self.shards(1, steps: Self.loop, report: report)
    #expect(shards.map { $0["chain"]?.doubleValue } == [0.5])
  }

  @Test func `in a merged report, the parallelism is the total time of all steps, divided by the sum of the durations of all shards`()
    async throws
  {
    let ids = (0..<8).map { "s\($0)" }
    let results = ids.map { #"{"file":"w.yaml","id":"\#($0)","outcome":"passed","startedAt":0,"seconds":0.5}"# }
    let report = """
      {"format":"garland-report/1","run":{"seconds":1,"sumOfStepSeconds":4,"shards":{"count":2,"missing":[],"runs":["a","b"],
      "seconds":[1,1]}},"results":[\(results.joined(separator: ","))]}
      """
    let steps = "{ \(ids.map { "\($0): { get: /health }" }.joined(separator: ", ")) }"
    let shards = try await Self.shards(2, steps: steps, report: report)
    #expect(shards.map { $0["work"]?.doubleValue } == [2, 2] && shards.map { $0["expected"]?.doubleValue } == [1, 1])
  }

  @Test func `the durations of steps in the report of a load test are the medians of all repetitions`() async throws {
    let report = """
      {"format":"garland-report/1","run":{"seconds":10,"sumOfStepSeconds":0,"load":{"begun":10,"ended":0,"steps":[
      {"file":"w.yaml","id":"one","counts":{"passed":9,"failed":1},"latency":{"p50":0.25}},
      {"file":"w.yaml","id":"loop","counts":{"passed":40},"latency":{"p50":9},"service":{"p50":0.5}}]}},"results":[
      {"file":"w.yaml","id":"one","outcome":"failed","startedAt":0,"seconds":10},
      {"file":"w.yaml","id":"loop","outcome":"passed","startedAt":0,"seconds":10}]}
      """
    let steps = "{ one: { get: /health }, loop: { for_each: [a, b, c, d], get: /health, after: one } }"
    let folder = try Garland.folder(steps: steps)
    try folder.write("r.json", report)
    let plan = try await Garland.run(["plan", "w.yaml", "--from", "r.json"], in: folder.path)
    #expect(plan.output.contains("(250 ms)\n") && plan.output.contains("(500 ms)\n"), "\(plan.output)\(plan.error)")
    let shards = try await Self.shards(1, steps: steps, report: report)
    #expect(shards.map { $0["work"]?.doubleValue } == [2.25] && shards.map { $0["chain"]?.doubleValue } == [0.75])
  }
}
