import GarlandDiagnostics
import GarlandResults
import TestSupport
import Testing

@testable import GarlandReports

/// Tests of the commands of CI systems.
@Suite struct JobLogTests {
  /// A text with all characters that any of the systems escapes.
  private static let hostile = "100% [a] ; it's, a: b|c\r\n::error::x ##vso[x]y ##teamcity[x] ##[error]z é😀"

  private static func command(_ log: JobLog, name: String = "a.yaml", message: String) -> String {
    let file = SourceFile(name: name, bytes: Array("one\ntwo\n".utf8))
    let diagnostic = Diagnostic("unknown-key", message, at: SourceRange(file, 5..<6))
    return log.lines(for: [diagnostic], redactor: Redactor()).last ?? ""
  }

  @Test(
    arguments: [
      (["GITHUB_ACTIONS": "true"], JobLog.github), (["GITHUB_ACTIONS": "false"], nil), (["TF_BUILD": "True"], .azure),
      (["TEAMCITY_VERSION": "2024.12"], .teamCity), (["TEAMCITY_VERSION": ""], nil), (["GITLAB_CI": "true"], nil), ([:], nil),
    ] as [([String: String], JobLog?)]) func `a CI system is detected by the environment variable that it sets`(
      environment: [String: String], log: JobLog?
    )
  {
    #expect(JobLog(environment: environment) == log)
    #expect(ConsoleOptions(environment: environment).log == log)
  }

  /// The escapes are those of the systems' documentation: GitHub's toolkit escapes `%`, CR and LF everywhere and `:` and `,` in properties; Azure's task library
  /// escapes `;`, `]`, CR and LF and has `%AZP25` for `%`; TeamCity escapes with `|`, and anything but ASCII as `|0xNNNN`.
  @Test func `a CI command such as '::error::' takes only one line even if its message has line breaks`() {
    let lines = JobLog.allCases.map { Self.command($0, name: "a;b],c:d.yaml", message: Self.hostile) }
    for line in lines { #expect(!line.contains("\n") && !line.contains("\r"), "\(line)") }
    expectGolden(lines.joined(separator: "\n") + "\n", "annotations.txt")
  }

  @Test(arguments: JobLog.allCases) func `a message in an annotation for a CI service cannot start a second command such as '::error::'`(
    log: JobLog
  ) {
    let line = Self.command(log, message: Self.hostile)
    let beginning = log == .github ? "::error" : log == .azure ? "##vso[" : "##teamcity["
    #expect(line.hasPrefix(beginning))
    #expect(line.dropFirst(beginning.count).ranges(of: "\n" + beginning).isEmpty)
    if log == .teamCity { #expect(line.dropFirst().ranges(of: "##teamcity[").isEmpty) }
  }

  @Test func `if a diagnostic has no source position, its CI command, such as '::error::', names no file`() {
    let lines = JobLog.allCases.map { $0.lines(for: [Diagnostic("missing-file", "no file", at: nil)], redactor: Redactor()).last }
    #expect(lines[0] == "::error title=missing-file::no file")
    #expect(lines[1] == "##vso[task.logissue type=error;code=missing-file;]no file")
    #expect(lines[2] == "##teamcity[inspection typeId='missing-file' message='no file' file='' line='0' SEVERITY='ERROR']")
  }

  @Test func `each inspection type is declared to TeamCity once, before its first inspection`() {
    let diagnostics = [
      Diagnostic("a-b", "one", at: nil), Diagnostic("a-b", "two", at: nil), Diagnostic("c", severity: .warning, "three", at: nil),
    ]
    let lines = JobLog.teamCity.lines(for: diagnostics, redactor: Redactor())
    #expect(lines.count == 5)
    #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("##teamcity[inspectionType ") })
  }

  @Test(arguments: JobLog.allCases) func `if text from a server looks like a CI command, the console output does not contain the command`(
    log: JobLog
  ) throws {
    let words = "::set-output name=a::b\n ::add-mask::c\n##vso[task.setvariable variable=a]b\n  ##teamcity[buildStop]\n##[error]x"
    var exchange = Fixture.exchange("GET", "http://127.0.0.1/x", status: 500, type: "text/plain", body: words)
    exchange.error = nil
    let step = Fixture.step(0, "health", "GET /x")
    var result = StepResult(step: step, outcome: .failed, startedAt: .zero, endedAt: .milliseconds(3))
    result.exchanges = [exchange]
    result.failures = [CheckFailure(.expectation, subject: "status", message: words, at: step.range)]
    var summary = RunSummary()
    summary.count(result)
    let start = RunStart(runID: "1", startedAt: 0, steps: [step], dependencies: [[]], concurrency: 1)
    var options = ConsoleOptions()
    options.isLive = false
    options.log = log
    options.verbosity = .verbose
    let console = ConsoleHarness(options)
    try console.run([.runStarted(start), .stepEnded(result), .runEnded(summary)])
    let own = ["::group::", "::endgroup::", "::error file=", "##vso[task.logissue ", "##teamcity[buildProblem "]
    for line in console.standardOutput.text.split(separator: "\n") where !own.contains(where: { line.hasPrefix($0) }) {
      let trimmed = line.drop { $0 == " " }
      switch log {
      case .github: #expect(!trimmed.hasPrefix("::") && !line.contains("##["), "\(line)")
      case .azure: #expect(!line.contains("##vso[") && !line.contains("##["), "\(line)")
      case .teamCity: #expect(!line.contains("##teamcity["), "\(line)")
      }
    }
    #expect(console.standardOutput.text.split(separator: "\n").count { line in own.dropFirst(2).contains { line.hasPrefix($0) } } == 1)
  }

  @Test func `a command of GitHub Actions such as '::error::' in a response body is escaped, even if the body is printed in pieces`() {
    var last: UInt8?
    let pieces = ["a #", "#vso[x]b #", "# c ###"].map {
      String(decoding: JobLog.breakingCommands(in: Array($0.utf8), after: &last), as: UTF8.self)
    }
    #expect(pieces.joined() == "a # #vso[x]b # # c # # #")
  }
}
