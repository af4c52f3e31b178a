import TestSupport
import Testing

/// Tests of the messages about JSON reports that are incomplete or changed.
@Suite(.timeLimit(.minutes(15))) struct TornReportTests {
  static let commands = [
    ["run", "w.yaml", "--failed-from"], ["run", "w.yaml", "--from"], ["plan", "w.yaml", "--from"], ["report", "history"],
  ]

  private static let report = """
    {
      "format": "garland-report/1",
      "generator": "garland 0.1.0",
      "run": {"id":"r1","startedAt":"2026-01-01T00:00:00Z","concurrency":1,"seconds":1,"counts":{"passed":1},"exitStatus":0},
      "notices": [],
      "steps": [
        {"step":0,"id":"a","file":"w.yaml","line":2,"column":10,"workflow":"w","action":"GET /","dependsOn":[]}
      ],
      "results": [
        {"step":0,"id":"a","file":"w.yaml","outcome":"passed","startedAt":0,"endedAt":1,"seconds":1,"checks":1}
      ]
    }

    """

  private static func error(of arguments: [String], _ report: String, input: [UInt8] = []) async throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nsteps: { a: { get: 'http://127.0.0.1:1/' } }\n")
    try folder.write("r.json", report)
    let result = try await Garland.run(arguments, input: input, in: folder.path)
    #expect(result.status == 2, "\(result.output)\(result.error)")
    return String(result.error.prefix { $0 != "\n" })
  }

  @Test(arguments: commands)
  func `if the report of an earlier run is truncated, the error message contains the line and column where the report ends`(
    arguments: [String]
  ) async throws {
    let torn = String(Self.report.prefix(Self.report.count / 2))
    let lines = torn.split(separator: "\n", omittingEmptySubsequences: false)
    let place = "at line \(lines.count), column \((lines.last?.count ?? 0) + 1)"
    let message = try await Self.error(of: arguments + ["r.json"], torn)
    #expect(message.hasPrefix("error: the file `r.json` can't be used: the report is torn: "), "\(message)")
    #expect(message.contains(place) && message.contains("only the beginning of a report"), "\(message)")
  }

  @Test func `for a truncated report on standard input, the error of 'garland report history' says that the report is torn`() async throws {
    let message = try await Self.error(of: ["report", "history", "-"], "", input: Array(Self.report.utf8.dropLast(20)))
    #expect(message.hasPrefix("error: the file `-` can't be used: the report is torn: "), "\(message)")
  }

  @Test(arguments: commands) func `a negative number in the report of an earlier run is an error that names the number`(
    arguments: [String]
  ) async throws {
    let message = try await Self.error(
      of: arguments + ["r.json"], Self.report.replacing("\"seconds\":1,\"checks\"", with: "\"seconds\":-1,\"checks\""))
    #expect(message.contains("`/results/0/seconds` is -1, which is negative"), "\(message)")
  }

  @Test func `a huge count in a JSON report is an error with status 2 that names the count`() async throws {
    let changed = Self.report.replacing("\"passed\":1", with: "\"passed\":9223372036854775807,\"failed\":1")
    let message = try await Self.error(of: ["report", "r.json"], changed)
    #expect(
      message
        == "error[bad-report]: `/run/counts/passed` is 9223372036854775807, which is more than the limit of 1,099,511,627,776", "\(message)"
    )
  }
}
