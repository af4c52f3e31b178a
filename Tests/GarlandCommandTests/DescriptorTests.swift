import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

@testable import garland

/// Tests of processes that may open few descriptors, or whose first three descriptors are closed.
@Suite(.timeLimit(.minutes(15))) struct DescriptorTests {
  /// Runs the program after shell commands such as `ulimit -n 12`.
  private static func run(
    after commands: String, _ line: String, in folder: TemporaryFolder, environment: [String: String?] = [:]
  ) async throws -> ChildProcess.Result {
    var variables: [String: String?] = ["CI": nil, "GITHUB_ACTIONS": nil, "NO_COLOR": nil, "GARLAND_SANDBOX": nil]
    variables.merge(environment) { $1 }
    return try await ChildProcess.run(
      "/bin/sh", ["-c", "\(commands) exec '\(Garland.path)' \(line)"], environment: variables, in: folder.path)
  }

  private static let many = """
    garland: 1
    steps: { many: { for_each: "${120 | range}", get: "${env.GARLAND_SANDBOX}/delay/0.05?${item}" } }

    """

  @Test(arguments: [8, 12, 20, 24]) func `if the limit of file descriptors is too low, a run exits with an error before any output`(
    limit: Int
  )
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.many)
    let result = try await Self.run(after: "ulimit -n \(limit);", "run w.yaml -j 200 --per-origin 200 --sandbox", in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(result.error.contains("\(limit) (`ulimit -n`), at least"))
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [36, 48, 64, 128, 256])
  func `if the limit of file descriptors is low, a run reduces the number of concurrent transfers and prints the reduced number`(limit: Int)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.many)
    let result = try await Self.run(
      after: "ulimit -n \(limit);", "run w.yaml -j 200 --per-origin 200 --sandbox --report json=r.json", in: folder)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.error.contains(" at once and not 200: no more than \(limit)"))
    #expect(try JSONValue(parsing: try folder.read("r.json"))["results"]?.arrayValue?.count == 120)
  }

  @Test func `a run raises its own limit of file descriptors, but not that of its child processes`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.many)
    let result = try await Self.run(after: "ulimit -S -n 40;", "run w.yaml -j 60 --per-origin 60 --sandbox", in: folder)
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    try folder.write("git", "#!/bin/sh\nulimit -n >&2\nexit 1\n")
    let other = try await Self.run(
      after: "chmod +x git; ulimit -S -n 57; PATH=$PWD:$PATH", "run w.yaml --sandbox --changed-since main", in: folder)
    #expect(other.error.contains("git says: 57"), "\(other.error)")
  }

  @Test func `the number of concurrent transfers is limited to what the free file descriptors allow`() {
    #expect(DescriptorBudget(wanted: 16, limit: 1_024, open: 8, hasServer: true, reports: 2)?.isScarce == false)
    #expect(DescriptorBudget(wanted: 400, limit: 1_024, open: 8, hasServer: false, reports: 0)?.transfers == 400)
    #expect(DescriptorBudget(wanted: 400, limit: 1_024, open: 8, hasServer: false, reports: 0, threads: 64)?.isScarce == true)
    #expect(DescriptorBudget(wanted: 1_500, limit: 1_024, open: 8, hasServer: false, reports: 0)?.transfers == 476)
    #expect(DescriptorBudget(wanted: .max, limit: 1 << 20, open: 8, hasServer: false, reports: 0)?.isScarce == true)
    for limit in 0..<400 {
      let budget = DescriptorBudget(wanted: 16, limit: limit, open: 5, hasServer: true, reports: 1)
      #expect((budget != nil) == (limit >= DescriptorBudget.least(open: 5, hasServer: true, reports: 1)), "\(limit)")
      if let budget { #expect((1...16).contains(budget.transfers) && 5 + 3 * budget.transfers < limit, "\(limit)") }
    }
  }

  private static let two = """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps: { a: { get: /json }, b: { get: /health, after: a } }

    """

  @Test(arguments: ["1>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-", "2>&-"])
  func `reports are complete even if standard output or standard error is closed`(closed: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.two)
    let result = try await Self.run(after: "", "run w.yaml --sandbox --report json=r.json --report junit=r.xml \(closed)", in: folder)
    #expect(result.status == 0, "\(result.error)")
    #expect(try JSONValue(parsing: try folder.read("r.json"))["results"]?.arrayValue?.count == 2)
    let lint = try await ChildProcess.run("/usr/bin/xmllint", ["--noout", folder.path + "/r.xml"])
    #expect(lint.status == 0, "\(lint.error)")
  }

  @Test func `if standard output is closed, a command that prints to it exits with status 4`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.two)
    for (line, status) in [
      ("run w.yaml a --sandbox", 4), ("run w.yaml --sandbox --print '${b.status}'", 4), ("run w.yaml --sandbox --report json=-", 4),
      ("run w.yaml a --sandbox --quiet", 4), ("check w.yaml", 0), ("list w.yaml", 4),
    ] as [(String, Int32)] {
      let result = try await Self.run(after: "", "\(line) 1>&-", in: folder)
      #expect(result.status == status, "\(line): \(result.error)")
      #expect(status == 0 || result.error.contains("Bad file descriptor"), "\(line): \(result.error)")
    }
    let unread = try await Self.run(after: "", "check - 0<&-", in: folder)
    #expect(unread.status == 2 && unread.error.contains("standard input can't be read"), "\(unread.error)")
  }
}
