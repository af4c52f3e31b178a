import FoundationEssentials
import GarlandJSON
import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of the output of a run on standard output and standard error.
@Suite(.timeLimit(.minutes(15))) struct RunOutputTests {
  static let quickstart = "examples/quickstart.yaml"

  @Test func `output to a pipe has one line for each step, in the order of the document`() async throws {
    let result = try await Garland.run(["run", Self.quickstart, "--sandbox"])
    #expect(result.status == 0)
    #expect(!result.outputBytes.contains(0x1B))
    #expect(result.error.isEmpty)
    let steps = result.output.split(separator: "\n").filter { $0.hasPrefix("✓ ") }.map { $0.split(separator: " ")[1] }
    #expect(
      steps == ["health", "slow_report", "login", "create", "reviews", "cover", "warehouse", "read_back", "listed", "remove"])
    #expect(result.output.contains("10 passed"))
  }

  @Test func `a run and its report print a command that repeats the failed steps and the blocked steps`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps: { a: { get: /status/404, extract: { x: $ } }, b: { get: "/anything/${a.x}" }, c: { get: /json } }

      """)
    let run = try await Garland.run(["run", "a.yaml", "--sandbox", "--report", "json=r.json"], in: folder.path)
    #expect(run.output.contains("\n  garland run a.yaml a b --sandbox\n"), "\(run.output)")
    let report = try await Garland.run(["report", "r.json"], in: folder.path)
    #expect(report.output.contains("\n  garland run a.yaml a b --sandbox\n"), "\(report.output)")
  }

  @Test func `if several items of a response list fail an expectation, the console shows the source line and the list only once`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.yaml",
      """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        a: { post: /anything, json: [{ n: 11 }, { n: 12 }, { n: 13 }], expect: { json: { "$.json": { each: { type: string } } } } }

      """)
    let run = try await Garland.run(["run", "a.yaml", "--sandbox", "--quiet"], in: folder.path)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count { $0.contains("error[expectation]: json $.json: item ") } == 3, "\(run.output)")
    #expect(lines.count { $0.contains("--> a.yaml:4:") } == 1 && lines.count { $0.contains("\"n\": 1") } == 1, "\(run.output)")
  }

  @Test func `the error for an HTTPS request to a server without TLS says that the server has no TLS`() async throws {
    let folder = try TemporaryFolder()
    let sandbox = try await Sandbox.start()
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: '\(sandbox.url.replacing("http:", with: "https:"))/json' } }\n")
    let run = try await Garland.run(["run", "a.yaml"], in: folder.path)
    #expect(run.output.contains("the server's answer is not TLS; for a server without TLS, write `http://`"), "\(run.output)")
    #expect(run.status == 3, "\(run.output)")
    await sandbox.stop()
  }

  @Test func `--color decides whether the output of a run has colours`() async throws {
    let always = try await Garland.run(["run", Self.quickstart, "--sandbox", "--color", "always"])
    #expect(always.outputBytes.contains(0x1B))
    let never = try await Garland.run(["run", Self.quickstart, "--sandbox", "--color", "never"], environment: ["NO_COLOR": nil])
    #expect(!never.outputBytes.contains(0x1B))
    let quiet = try await Garland.run(["run", Self.quickstart, "--sandbox", "--quiet"])
    #expect(quiet.output.split(separator: "\n").count <= 2)
  }

  @Test func `if the command line names a single step, the run prints only the response body to standard output`() async throws {
    let result = try await Garland.run(["run", "examples/collection/catalogue.yaml", "search", "--sandbox"])
    #expect(result.status == 0)
    let body = try JSONValue(parsing: result.outputBytes)
    #expect(body["books"]?.arrayValue?.isEmpty == false)
    #expect(result.error.contains("1 passed"))
    let both = try await Garland.run(["run", "examples/collection/catalogue.yaml", "stock", "--sandbox", "--show", "headers"])
    #expect(both.output.contains("2 passed") && both.output.contains("Content-Type"))
  }

  @Test func `with --quiet, a run of a single named step prints the response body to standard output and the summary to standard error`()
    async throws
  {
    for words in [["run", "examples/collection/catalogue.yaml", "search"], ["send", "${env.GARLAND_SANDBOX}/anything"]] {
      let result = try await Garland.run(words + ["--sandbox", "-q"])
      #expect(result.status == 0, "\(result.error)")
      #expect((try? JSONValue(parsing: result.outputBytes)) != nil, "\(result.output)")
      #expect(result.error.hasPrefix("1 passed"), "\(result.error)")
    }
  }

  @Test func `--print writes only the value of its expression to standard output, without masking secrets in the value`() async throws {
    let result = try await Garland.run(["run", Self.quickstart, "login", "--sandbox", "--print", "${login.token}"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("access-") && result.output.split(separator: "\n").count == 1)
    let token = result.output.dropLast()
    #expect(!result.error.contains(token))
    let json = try await Garland.run([
      "run", Self.quickstart, "--sandbox", "--quiet", "--print", "${create.json}", "--print", "n=${health.status}",
    ])
    let lines = json.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.last == "n=200")
    #expect(try JSONValue(parsing: Array(lines[0].utf8))["title"] == "Dune")
    let undefined = try await Garland.run(["run", Self.quickstart, "health", "--sandbox", "--print", "${health.json.nothing}"])
    #expect(undefined.status == 1)
    #expect(undefined.outputBytes.isEmpty)
    #expect(undefined.error.contains("nothing"))
  }

  @Test func `if an expression of --print has no value, the reports have the exit status of the command and an error`() async throws {
    let folder = try Garland.folder(steps: "{ a: { get: /health } }")
    let reports = ["json=r.json", "junit=r.xml", "tap=r.tap"].flatMap { ["--report", $0] }
    let run = try await Garland.run(["run", "w.yaml", "--sandbox", "--print", "${a.json.nothing}"] + reports, in: folder.path)
    #expect(run.status == 1 && run.error.components(separatedBy: "has no member `nothing`").count == 2, "\(run.error)")
    let report = try JSONValue(parsing: folder.read("r.json"))["run"]
    #expect(report?["exitStatus"] == 1 && report?["errorOutcome"] == "failed")
    let junit = String(decoding: try folder.read("r.xml"), as: UTF8.self)
    #expect(junit.contains(#"<testsuites name="garland" tests="2" failures="0" errors="1""#), "\(junit)")
    #expect(String(decoding: try folder.read("r.tap"), as: UTF8.self).contains("\nnot ok 2 "))
    #expect(try await Garland.run(["report", "r.json"], in: folder.path).output.contains("has no member `nothing`"))
  }

  /// A step that a permitted failure blocked has no reason for an exit status other than 0.
  @Test(
    arguments: [("down", 3), ("blocked", 3), ("allowed", 3), ("behind", 1), ("broken", 4), ("passed", 1), ("skipped", 1)]
      as [(String, Int32)])
  func `if --print names a value that its step does not have, the outcome of the step decides the exit status`(
    step: String, status: Int32
  ) async throws {
    let folder = try Garland.folder(
      steps: """
        down: { get: "http://127.0.0.1:1/", extract: { x: $.x } }
        blocked: { get: "/anything/${down.x}" }
        allowed: { get: "http://127.0.0.1:1/", allow_failure: true, extract: { x: $.x } }
        behind: { get: "/anything/${allowed.x}" }
        broken: { get: /fault/reset-before-headers }
        passed: { get: /health }
        skipped: { get: /health, when: "${run.iteration == 2}" }
        """)
    let print = "${\(step).json.nothing}"
    let run = try await Garland.run(
      ["run", "w.yaml", step, "--sandbox", "--quiet", "--print", print, "--report", "json=r.json"], in: folder.path)
    #expect(run.status == status && run.outputBytes.isEmpty, "\(run.error)")
    let report = try JSONValue(parsing: folder.read("r.json"))["run"]
    #expect(report?["exitStatus"]?.intValue == Int(status))
    let again = try await Garland.run(["report", "r.json", "--quiet", "--report", "json=s.json"], in: folder.path)
    #expect(try JSONValue(parsing: folder.read("s.json"))["run"]?["exitStatus"]?.intValue == Int(status), "\(again.error)")
  }

  @Test func `--sandbox causes a warning if no document uses the sandbox`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: \(sandbox.url)/health } }\n")
    let run = try await Garland.run(["run", "a.yaml", "--sandbox"], in: folder.path)
    #expect(run.status == 0 && run.error.contains("warning[unused-sandbox]: `--sandbox` has no effect"), "\(run.error)")
    let strict = try await Garland.run(["run", "a.yaml", "--sandbox", "--strict"], in: folder.path)
    #expect(strict.status == 2 && sandbox.records.count == 1)
    // The URL may be that of the project.
    try folder.write("garland.project.yaml", "defaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\n")
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: /health } }\n")
    let project = try await Garland.run(["run", "a.yaml", "--sandbox"], in: folder.path)
    #expect(project.status == 0 && !project.error.contains("unused-sandbox"), "\(project.output)\(project.error)")
    await sandbox.stop()
  }

  @Test func `in the command that a run prints for repeating failed steps, a placeholder replaces each secret`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.yaml",
      """
      garland: 1
      secrets: [PW]
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps: { a: { get: /status/404, bearer: "${secrets.PW}" } }

      """)
    let run = try await Garland.run(["run", "a.yaml", "--sandbox", "--secret", "PW=s3cr3t=7301"], in: folder.path)
    #expect(run.output.contains("\n  garland run a.yaml a --sandbox --secret 'PW=…'\n"), "\(run.output)")
    #expect(!(run.output + run.error).contains("7301"))
  }

  @Test func `--print runs the step whose value is printed, even if the step is not selected`() async throws {
    let result = try await Garland.run(["run", Self.quickstart, "health", "--sandbox", "--quiet", "--print", "${login.status}"])
    #expect(result.output == "200\n")
  }

  @Test func `a workflow can be read from standard input and run`() async throws {
    let text = "garland: 1\nsteps:\n  a: { get: \"${env.GARLAND_SANDBOX}/health\" }\n"
    let result = try await Garland.run(["run", "-", "--sandbox"], input: Array(text.utf8))
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.contains("standard input"))
    let wrong = try await Garland.run(["check", "-"], input: Array("garland: 1\nsteps: { a: { gte: /x } }\n".utf8))
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("standard input:2"))
  }

  @Test func `if the process that reads the output of a run closes the pipe, the run does not crash`() async throws {
    let command = "'\(Garland.path)' run '\(Self.quickstart)' --sandbox --verbose | head -n 1; echo ${PIPESTATUS[0]}"
    let result = try await ChildProcess.run("/bin/bash", ["-c", command], in: Repository.path)
    // As with `cat` and other programs, the command may end quietly or report that it could not write, but it must not crash.
    let status = try #require(Int(result.output.split(separator: "\n").last ?? ""))
    #expect([0, 4].contains(status), "\(result.output)\(result.error)")
  }

  /// The thread that sends requests also writes the lines.
  @Test(.timeLimit(.minutes(15))) func `if the output pipe of a run is full and no process reads it, requests are not delayed`()
    async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    // The lines of these steps are larger than a pipe can hold.
    let long = String(repeating: "x", count: 300)
    let steps = (1...400).map { "  s\($0): { get: \"${env.GARLAND_SANDBOX}/anything/\(long)/\($0)\" }\n" }.joined()
    try folder.write("w.yaml", "garland: 1\nsteps:\n\(steps)")
    // The shell keeps the reading end open, but reads only on command.
    let child = try ChildProcess(
      "/bin/sh", ["-c", "mkfifo out go; { read word <go; cat; } <out & exec \"$0\" run w.yaml --report junit=w.xml >out", Garland.path],
      environment: ["GARLAND_SANDBOX": sandbox.url, "CI": nil, "GITHUB_ACTIONS": nil], in: folder.path)
    for last in [300, 400] { await sandbox.waitForRequest { $0.target.hasSuffix("/\(last)") } }
    close(open("\(folder.path)/go", O_WRONLY))
    let result = await child.result
    #expect(result.status == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("✓ s") }.count == 400)
    #expect(lines.count { $0.contains("400 passed") } == 1, "\(lines.suffix(5))")
    await sandbox.stop()
  }

  @Test func `if the process that reads the output of a run closes the pipe after the first lines, the run continues`() async throws {
    let command = "'\(Garland.path)' run '\(Self.quickstart)' --sandbox | head -n 1; echo ${PIPESTATUS[0]}"
    let result = try await ChildProcess.run("/bin/bash", ["-c", command], in: Repository.path)
    #expect(result.output.split(separator: "\n").last == "0", "\(result.output)\(result.error)")
  }

  @Test func `if standard output is on a full disk, the run exits with status 4`() async throws {
    let command = "'\(Garland.path)' run '\(Self.quickstart)' --sandbox >/dev/full; echo $?"
    let result = try await ChildProcess.run("/bin/bash", ["-c", command], in: Repository.path)
    #expect(result.output == "4\n")
    #expect(result.error.contains("standard output cannot be written: No space left on device"), "\(result.error)")
  }

  @Test func `if a report cannot be written because the disk is full, the run exits with status 4`() async throws {
    let result = try await Garland.run(["run", Self.quickstart, "--sandbox", "--report", "json=/dev/full"])
    #expect(result.status == 4)
    #expect(result.error.contains("/dev/full"))
  }

  @Test func `a missing folder of a report is created`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Garland.run(["run", Self.quickstart, "--sandbox", "--report", "junit=\(folder.path)/new/folder/x.xml"])
    #expect(result.status == 0)
    #expect(String(decoding: try folder.read("new/folder/x.xml"), as: UTF8.self).contains("<testsuites"))
  }

  @Test func `a report whose folder can't be created is an error`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "x")
    let result = try await Garland.run(["run", Self.quickstart, "--sandbox", "--report", "junit=\(folder.path)/file/x.xml"])
    #expect(result.status == 4 && result.error.contains("file/x.xml"))
    #expect(try folder.read("file") == Array("x".utf8))
  }

  @Test func `variables from the command line, files, profiles and the document are used in the request`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("vars.yaml", "a: from file\nb: from file\n")
    try folder.write(
      "w.yaml",
      """
      garland: 1
      vars: { a: 0, b: 0, c: 0, d: 0, e: 0 }
      profiles: { p: { vars: { e: profile, a: profile } } }
      steps:
        it:
          post: ${env.GARLAND_SANDBOX}/anything
          json: { a: "${vars.a}", b: "${vars.b}", c: "${vars.c}", d: "${vars.d}", e: "${vars.e}" }

      """)
    let result = try await Garland.run(
      [
        "run", "w.yaml", "--sandbox", "--quiet", "--profile", "p", "--vars-file", "vars.yaml", "--var", "b=1.50", "--var", "c=[1, x]",
        "--var-string", "d=5", "--print", "${it.json.json}",
      ], in: folder.path)
    #expect(result.output == #"{"a":"from file","b":1.50,"c":[1,"x"],"d":"5","e":"profile"}"# + "\n", "\(result.error)")
  }

  @Test func `for each combination of step outcomes, a run has the exit status that the documentation states`() async throws {
    let folder = try Garland.folder(
      steps: """
        good: { get: /health }
        wrong: { get: /health, expect: { status: 404 } }
        undefined: { get: "/anything/${good.json.nothing}" }
        down: { get: "http://127.0.0.1:1/" }
        broken: { get: /fault/reset-before-headers }
        late: { get: /fault/hang, deadline: 3s }
        """)
    for (steps, status) in [
      (["good"], 0), (["wrong"], 1), (["undefined"], 1), (["down"], 3), (["broken"], 4), (["late"], 4), (["down", "broken"], 4),
      (["down", "wrong"], 1), (["broken", "wrong"], 1),
    ] as [([String], Int32)] {
      let result = try await Garland.run(["run", "w.yaml", "--sandbox"] + steps, in: folder.path)
      #expect(result.status == status, "\(steps): \(result.output)\(result.error)")
    }
  }

  @Test func `--max-failures and --deadline end a run early`() async throws {
    let folder = try TemporaryFolder()
    var text = "garland: 1\nsteps:\n"
    for number in 0..<10 { text += "  s\(number): { get: \"${env.GARLAND_SANDBOX}/status/500\" }\n" }
    try folder.write("w.yaml", text)
    let two = try await Garland.run(["run", "w.yaml", "--sandbox", "--serial", "--max-failures", "2"], in: folder.path)
    #expect(two.status == 1)
    #expect(two.output.contains("2 failed, 8 not run"))
    let one = try await Garland.run(["run", "w.yaml", "--sandbox", "--serial", "--fail-fast"], in: folder.path)
    #expect(one.output.contains("1 failed, 9 not run"))
    try folder.write("slow.yaml", "garland: 1\nsteps: { s: { get: \"${env.GARLAND_SANDBOX}/fault/hang\" } }\n")
    let late = try await Garland.run(["run", "slow.yaml", "--sandbox", "--deadline", "50ms"], in: folder.path)
    #expect(late.status == 4)
    #expect(late.output.contains("50 ms"))
  }

  @Test(arguments: [("failed", false), ("all", true)])
  func `--report-bodies decides whether the JSON report contains the bodies of passed steps`(whose: String, isKept: Bool) async throws {
    let result = try await Garland.run([
      "run", Self.quickstart, "health", "--sandbox", "--quiet", "--report", "json=-", "--report-bodies", whose,
    ])
    #expect(result.status == 0)
    let report = try JSONValue(parsing: result.outputBytes)
    let body = report["results"]?[0]?["exchanges"]?[0]?["responseBody"]
    #expect((body?["text"]?.stringValue == nil) == !isKept)
  }

  @Test func `an HTML report generated from the JSON report equals the HTML report of the run`() async throws {
    let folder = try TemporaryFolder()
    let run = try await Garland.run([
      "run", "Tests/Browser/shop", "--sandbox", "--quiet", "--report", "html=\(folder.path)/run.html", "--report",
      "json=\(folder.path)/run.json",
    ])
    #expect(run.status == 1)
    let report = try await Garland.run(["report", "\(folder.path)/run.json", "--quiet", "--report", "html=\(folder.path)/again.html"])
    #expect(report.status == 0)
    let (page, again) = (try folder.read("run.html"), try folder.read("again.html"))
    #expect(page.count > 50_000 && page == again)
  }
}
