import GarlandWorkflow
import TestSupport
import Testing

@testable import garland

/// Tests of messages about unknown options.
struct UnknownOptionTests {
  private static func message(_ option: String, _ words: [String] = ["run", "w.yaml"]) -> String? {
    UnknownOption("Unknown option '\(option)'. Did you mean '--tag'?", words: words[...], root: GarlandCommand.self)?.message
  }

  @Test func `for an option that exists only in another command, the error names that command`() {
    #expect(Self.message("--sandbox", ["init"]) == "Unknown option '--sandbox': `garland run` has `--sandbox`")
    #expect(Self.message("--port", ["run", "w.yaml"]) == "Unknown option '--port': `garland sandbox` has `--port`")
  }

  @Test(arguments: [
    ("--env", "`--profile NAME` chooses a set of variables"), ("--retry", "such as `retry: 3`"), ("--jobs", "write `--concurrency COUNT`"),
    ("--parallel", "steps that do not need each other always run at the same time"), ("--env-file", "`--secrets-file FILE` reads secrets"),
    ("--variable", "write `--var NAME=VALUE`"), ("--variables-file", "write `--vars-file FILE`"),
    ("-k", "such as `tls: { verify: false }`"),
    ("--insecure", "such as `tls: { verify: false }`"), ("--dry-run", "`garland check PATH` finds mistakes"),
    ("--verbose-json", "write `--report json=FILE`"), ("--json", "write `--report json=FILE`"), ("--html", "write `--report html=FILE`"),
    ("--report-html", "write `--report html=FILE`"),
    ("--format", "such as `--report json=FILE`; the formats are `junit`, `json`, `html`"), ("--har", "write `--report har=FILE`"),
    ("--environment", "`--profile NAME` chooses a set of variables"), ("--live-reload", "`--watch`"),
    ("-n", "to limit simultaneous requests, `--concurrency COUNT`"), ("--limit", "`--only PATTERN` chooses steps"),
    ("--report-junit", "write `--report junit=FILE`"), ("--test", "always checks what the steps expect"), ("--bail", "write `--fail-fast`"),
    ("--iteration-count", "write `--repeat COUNT`"), ("--reruns", "write `--rerun-failed COUNT`"),
    ("--last-failed", "write `--failed-from REPORT`"), ("--folder", "a path may be a folder"),
    ("--env-var", "write `--var NAME=VALUE`"),
    ("--globals", "`garland help from-postman` shows"), ("-p", "write `--profile NAME`"), ("--delay-request", "such as `delay: 500ms`"),
    ("--timeout-request", "such as `deadline: 30s`"),
    ("--retry-interval", "such as `retry: { limit: 3, delay: 1s }`"), ("--location", "redirects are followed"),
    ("-L", "redirects are followed"),
    ("-x", "such as `proxy: http://127.0.0.1:3128`"), ("--proxy", "such as `proxy: http://127.0.0.1:3128`"),
    ("--user", "such as `basic: 'alice:${secrets.PASSWORD}'`"), ("--output", "`--report json=FILE` writes a report"),
    ("--fail-at-end", "a failure keeps only those steps from running"), ("--glob", "a path may be a folder"),
    ("--no-color", "write `--color never`"), ("--silent", "write `--quiet`"), ("--max-time", "such as `deadline: 30s`"),
    ("--cookie", "such as `cookies: { session: abc }`"), ("--splits", "write `--shard NUMBER/COUNT`"),
  ])
  func `for an option of another tool, the matching Garland option is suggested`(option: String, words: String) throws {
    let message = try #require(Self.message(option))
    #expect(message.hasPrefix("Unknown option '\(option)': ") && message.contains(words), "\(message)")
  }

  @Test(arguments: [
    (["plan", "w.yaml", "--output", "x.svg"], "write `--format svg > x.svg`"), (["plan", "w.yaml", "--output=x.txt"], "write `> x.txt`"),
    (["check", "w.yaml", "--output", "a b"], "write `> 'a b'`"), (["list", "--output", "-q"], "write `> FILE`"),
    (["schema", "--output", "s.json"], "write `> s.json`"),
  ])
  func `if --output is given to a command that writes no reports, the error suggests a redirection of the shell`(
    words: [String], advice: String
  ) {
    #expect(Self.message("--output", words) == "Unknown option '--output': the output goes to standard output: \(advice)")
  }

  @Test func `for an unknown short option such as '-p', the error does not suggest another command that has the option`() {
    #expect(Self.message("-p", ["init"]) == "Unknown option '-p'")
  }

  @Test func `if garland check lacks an option that garland run has, the error refers to garland run`() {
    let message = Self.message("--timeout", ["check", "w.yaml"]) ?? ""
    #expect(message.hasPrefix("Unknown option '--timeout': with `garland run`, `--deadline DURATION` limits the run"), "\(message)")
  }

  @Test func `for an option value that begins with a dash, the error suggests an equals sign before the value`() {
    func advice(_ words: String...) -> String? { DashedValue.advice(for: "Missing value for '--repeat <count>'", words: words[...]) }
    #expect(advice("run", "--repeat", "-1") == "for a value that begins with `-`, write `--repeat=-1`")
    #expect(advice("run", "--repeat", "--sandbox") == nil && advice("run", "--repeat") == nil)
  }

  @Test(arguments: [("--concurency", "--concurrency"), ("--vars-fil", "--vars-file"), ("--tga", "--tag"), ("--fail_fast", "--fail-fast")])
  func `for a mistyped option, the most similar option is suggested`(option: String, near: String) {
    #expect(Self.message(option) == "Unknown option '\(option)': did you mean `\(near)`?")
  }

  @Test(arguments: [
    ("1m30s", "write `90s`"), ("1h 5m", "write `3900s`"), ("1s500ms", "write `1500ms`"), ("500", "write `500ms` or `500s`"),
  ])
  func `for an invalid duration, such as '1m30s', the command-line error suggests a valid duration, such as '90s'`(
    value: String, words: String
  ) {
    #expect(DurationArgument.suggestion(for: "The value '\(value)' is invalid for '--deadline <duration>'") == words)
  }

  @Test(arguments: ["The value 'soon' is invalid for '--deadline <duration>'", "The value '1m30s' is invalid for '--concurrency <count>'"])
  func `for an option value that resembles no duration, the error suggests no duration`(message: String) {
    #expect(DurationArgument.suggestion(for: message) == nil)
  }

  @Test(arguments: ["--xyz", "--foo", "-y", "--mode"]) func `for an unknown option that resembles no other option, nothing is suggested`(
    option: String
  ) {
    #expect(Self.message(option) == "Unknown option '\(option)'")
  }

  @Test func `if only 'garland run' has an option that matches another tool's option, the error names 'garland run'`() {
    #expect(Self.message("--jobs", ["check", "w.yaml"]) == "Unknown option '--jobs': `garland run` has `--concurrency COUNT`")
    #expect(Self.message("--jobs", ["--jobs", "4"]) == "Unknown option '--jobs': `garland run` has `--concurrency COUNT`")
  }

  @Test func `the error about an unknown option suggests a key of the workflow file only for a command that reads such files`() {
    #expect(Self.message("--insecure", ["sandbox"]) == "Unknown option '--insecure'")
    #expect(Self.message("--portt", ["sandbox"]) == "Unknown option '--portt': did you mean `--port`?")
  }

  @Test func `each suggestion for another tool's option names an existing option of garland run`() {
    let known = Set(UnknownOption.options(of: RunCommand.self, in: GarlandCommand.self))
    for (names, counterpart) in ForeignOptions.table {
      guard case .option(let option) = counterpart else { continue }
      #expect(known.contains(option.split(separator: " ").first.map(String.init) ?? ""), "\(names): \(option)")
    }
  }

  @Test func `the list of other tools' options that Garland recognises contains no option of 'garland run'`() {
    let known = Set(UnknownOption.options(of: RunCommand.self, in: GarlandCommand.self))
    let names = ForeignOptions.table.flatMap(\.names)
    #expect(names.filter { known.contains($0) } == [])
    #expect(names.count == Set(names).count, "a name has two counterparts")
  }

  @Test func `each document key that is suggested for an option of another tool is valid in a document`() throws {
    let folder = try TemporaryFolder()
    for name in ["ca.pem", "client.pem", "client.key", "order.xml"] { try folder.write(name, "x") }
    try folder.write("users.csv", "name\nalice\n")
    for (names, counterpart) in ForeignOptions.table {
      switch counterpart {
      case .setting(let key):
        #expect(Self.mistakes("    b:\n      get: http://h.example/\n      \(key)", folder) == [], "\(names)")
        #expect(Self.mistakes("    b: { get: 'http://h.example/' }", folder, defaults: key) == [], "\(names)")
      case .step(let key):
        let request = key.hasPrefix("get:") ? "" : "      post: http://h.example/\n"
        #expect(Self.mistakes("    b:\n\(request)      \(key)", folder) == [], "\(names)")
      case .option, .words: break
      }
    }
  }

  private static func mistakes(_ steps: String, _ folder: TemporaryFolder, defaults: String? = nil) -> [String] {
    let text = "garland: 1\n" + (defaults.map { "defaults:\n  \($0)\n" } ?? "") + "steps:\n" + steps + "\n"
    let options = WorkflowDecoder.Options(files: FileAccess(SystemFiles(), roots: [folder.path]))
    let (_, found) = WorkflowDecoder.decode(name: "w.yaml", bytes: Array(text.utf8), directory: folder.path, options: options)
    return found.all.filter { $0.severity == .error }.map(\.message)
  }
}
