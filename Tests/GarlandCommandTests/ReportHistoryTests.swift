import GarlandJSON
import TestSupport
import Testing

/// Tests of `garland report history`.
@Suite(.timeLimit(.minutes(15))) struct ReportHistoryTests {
  @Test func `'garland report history' lists flaky steps first, then failed steps, then the slowest steps`() async throws {
    let folder = try TemporaryFolder()
    func report(_ day: Int, _ results: String) throws {
      let steps = ["a", "b", "c", "d"].enumerated().map { index, id in
        #"{"step":\#(index),"id":"\#(id)","file":"w.yaml","line":1,"column":1,"workflow":"w","action":"GET /","dependsOn":[]}"#
      }
      try folder.write(
        "r\(day).json",
        #"{"format":"garland-report/1","generator":"g","run":{"startedAt":"2026-01-0\#(day)T00:00:00Z"},"notices":[],"steps":[\#(steps.joined(separator: ","))],"results":[\#(results)]}"#
      )
    }
    func result(_ step: Int, _ outcome: String, _ seconds: String, _ more: String = "") -> String {
      let id = ["a", "b", "c", "d"][step]
      let failed = #"{"step":\#(step),"outcome":"failed","seconds":1}"#
      let earlier = more.isEmpty ? "" : #","earlier":[\#(failed)]"#
      return #"{"step":\#(step),"id":"\#(id)","file":"w.yaml","outcome":"\#(outcome)","seconds":\#(seconds)\#(earlier)}"#
    }
    for day in [4, 1, 3, 2] {
      try report(
        day,
        [
          result(0, "passed", day < 3 ? "0.1" : "1.0819"), result(1, day == 2 ? "failed" : "passed", "0.01"),
          result(2, "passed", "0.0\(day)", day == 3 ? "flaky" : ""), result(3, "skipped", "0"),
        ].joined(separator: ","))
    }
    let result = try await Garland.run(["report", "history", "r4.json", "r1.json", "r2.json", "r3.json"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    expectGolden(result.output, "history.txt")
    let json = try await Garland.run(["report", "history", "r1.json", "r2.json", "--format", "json"], in: folder.path)
    #expect(try JSONValue(parsing: json.outputBytes)["steps"]?.arrayValue?.first?["times"] == [0.01, 0.01])
    let torn = try await Garland.run(["report", "history", "r1.json", "w.yaml"], in: folder.path)
    #expect(torn.status == 2)
  }

  @Test func `'garland report history' counts a run with several reports once, and names the reports that it ignores`()
    async throws
  {
    let folder = try await AgainTests.brokenFolder()
    try folder.write("copy.json", String(decoding: try folder.read("first.json"), as: UTF8.self))
    let result = try await Garland.run(["report", "history", "first.json", "copy.json", "first.json"], in: folder.path)
    #expect(result.status == 0 && result.output.hasPrefix("1 run, 3 steps\n"), "\(result.output)")
    for path in ["copy.json", "first.json"] {
      #expect(result.error.contains("note: \(path) has the same run as first.json, and is left out\n"), "\(result.error)")
    }
  }

  /// Returns a report of a run that began at a fixed time.
  private static func report(_ members: String = "") -> String {
    let result = #"{"file":"w.yaml","id":"a","outcome":"passed","seconds":1}"#
    return #"{"format":"garland-report/1","run":{"startedAt":"2026-01-01T00:00:00Z"\#(members)},"results":[\#(result)]}"#
  }

  @Test func `'garland report history' counts reports without a run ID as different runs even if the runs began together`() async throws {
    let folder = try TemporaryFolder()
    for name in ["a.json", "b.json"] { try folder.write(name, Self.report()) }
    let result = try await Garland.run(["report", "history", "a.json", "b.json"], in: folder.path)
    #expect(result.status == 0 && result.output.hasPrefix("2 runs, 1 step\n"), "\(result.output)\(result.error)")
    #expect(result.error.isEmpty, "\(result.error)")
  }

  @Test(arguments: [["m.json", "s1.json", "s2.json"], ["s1.json", "s2.json", "m.json"], ["m.json", "whole.json", "s1.json"]])
  func `'garland report history' refuses a merged report that does not name its runs, if the report of a shard is also given`(
    paths: [String]
  ) async throws {
    let folder = try Self.folderOfShards(merge: #"{"count":2,"missing":[]}"#)
    let result = try await Garland.run(["report", "history"] + paths, in: folder.path)
    #expect(result.status == 2 && result.output.isEmpty, "\(result.output)")
    #expect(
      result.error.contains("m.json is a merged report that does not name its runs, and s1.json is the report of a shard"),
      "\(result.error)")
    for others in [["m.json", "whole.json"], ["s1.json", "s2.json"], ["s2.json", "whole.json"]] {
      let result = try await Garland.run(["report", "history"] + others, in: folder.path)
      #expect(result.status == 0 && result.output.hasPrefix("2 runs, 1 step\n"), "\(others): \(result.output)\(result.error)")
    }
  }

  /// The third shard belongs to another run of the plan.
  @Test(arguments: [["m.json", "s1.json", "s2.json", "s3.json"], ["s3.json", "s2.json", "s1.json", "m.json"]])
  func `'garland report history' counts the report of a shard only if no merged report contains this shard`(paths: [String])
    async throws
  {
    let folder = try Self.folderOfShards(merge: #"{"count":2,"missing":[],"runs":["r1","r2"]}"#)
    let result = try await Garland.run(["report", "history"] + paths, in: folder.path)
    #expect(result.status == 0 && result.output.hasPrefix("2 runs, 1 step\n"), "\(result.output)\(result.error)")
    for number in 1...2 {
      #expect(result.error.contains("note: s\(number).json has the same run as m.json, and is left out\n"), "\(result.error)")
    }
    #expect(!result.error.contains("s3.json"), "\(result.error)")
  }

  @Test func `of two merged reports of the same run, 'garland report history' ignores the report that lacks a shard`()
    async throws
  {
    let folder = try Self.folderOfShards(merge: #"{"count":3,"missing":[3],"runs":["r1","r2"]}"#)
    try folder.write("all.json", Self.report(#","id":"r1","shards":{"count":3,"missing":[],"runs":["r1","r2","r3"]}"#))
    let result = try await Garland.run(["report", "history", "m.json", "all.json", "s3.json"], in: folder.path)
    #expect(result.status == 0 && result.output.hasPrefix("1 run, 1 step\n"), "\(result.output)\(result.error)")
    for name in ["m.json", "s3.json"] {
      #expect(result.error.contains("note: \(name) has the same run as all.json, and is left out\n"), "\(result.error)")
    }
  }

  @Test func `'garland report history' refuses two merged reports that have only some runs in common`() async throws {
    let folder = try Self.folderOfShards(merge: #"{"count":3,"missing":[3],"runs":["r1","r2"]}"#)
    try folder.write("other.json", Self.report(#","id":"r2","shards":{"count":3,"missing":[1],"runs":["r2","r3"]}"#))
    let result = try await Garland.run(["report", "history", "m.json", "other.json"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("have some runs of shards in common"), "\(result.error)")
  }

  /// Returns a folder with the reports of three shards, the report of a whole run, and a merged report.
  ///
  /// - Parameter merge: the value of `run.shards` in the merged report.
  private static func folderOfShards(merge: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("m.json", report(#","id":"r1","shards":\#(merge)"#))
    try folder.write("whole.json", report(#","id":"r4""#))
    for number in 1...3 {
      try folder.write("s\(number).json", report(#","id":"r\#(number)","shard":{"number":\#(number),"count":2}"#))
    }
    return folder
  }
}
