import TestSupport
import Testing

/// Processes that may not have much: each has to end by itself, and say why.
@Suite(.timeLimit(.minutes(5))) struct ResourceLimitTests {
  private static let one = "garland: 1\nsteps: { a: { get: '${env.GARLAND_SANDBOX}/get' } }\n"

  private static func run(after limit: String, _ line: String, in folder: TemporaryFolder) async throws -> ChildProcess.Result {
    try await ChildProcess.run(
      "/bin/sh", ["-c", "\(limit); exec '\(Garland.path)' \(line)"],
      environment: ["CI": nil, "GITHUB_ACTIONS": nil, "GARLAND_SANDBOX": nil, "SWIFT_BACKTRACE": "enable=no"], in: folder.path)
  }

  /// Less than the program needs at all, just enough to begin, and nearly enough: libdispatch would wait for a thread for ever.
  @Test(arguments: [60, 80, 90, 100, 110, 120, 130, 150]) func `a run with too little address space ends`(megabytes: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    let result = try await Self.run(after: "ulimit -v \(megabytes * 1000)", "run w.yaml --sandbox", in: folder)
    #expect(result.status != 0 || result.output.contains("1 passed"))
    #expect(result.status == 0 || !result.error.isEmpty)
  }

  @Test func `too little address space for threads is told`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    var told = false
    // At some size between these the program is loaded, and can have no threads.
    for megabytes in stride(from: 80, to: 200, by: 10) where !told {
      let result = try await Self.run(after: "ulimit -v \(megabytes * 1000)", "run w.yaml --sandbox", in: folder)
      told = result.status == 4 && result.error.contains("the process may have more address space (`ulimit -v`)")
    }
    #expect(told)
  }

  @Test func `a report that is larger than a file may be is told`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    let result = try await Self.run(after: "ulimit -f 1", "run w.yaml --sandbox --report json=report.json", in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(result.error.contains("File too large"), "\(result.error)")
  }

  @Test(arguments: [
    "--help >out", "run --help >out", "--version --verbose >out", "schema >out", "completions bash >out", "init", "init - >out",
    "import c.sh -o imported.yaml", "check w.yaml >out", "plan w.yaml >out", "list w.yaml >out",
  ]) func `a command whose output is larger than a file may be ends with status 4`(_ line: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.one)
    try folder.write("c.sh", "curl http://127.0.0.1:1/\n")
    let result = try await Self.run(after: "ulimit -f 0", line, in: folder)
    #expect(result.status == 4, "\(result.output)\(result.error)")
    #expect(result.error.contains("File too large"), "\(result.error)")
  }

  @Test(arguments: ["schema", "--help", "completions bash"]) func `a command whose reader has gone ends quietly`(_ line: String)
    async throws
  {
    let result = try await ChildProcess.run("/bin/bash", ["-c", "'\(Garland.path)' \(line) | true; echo ${PIPESTATUS[0]}"])
    #expect(result.output == "0\n" && result.error.isEmpty, "\(result.output)\(result.error)")
  }
}
