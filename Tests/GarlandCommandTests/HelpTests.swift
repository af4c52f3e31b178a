import Foundation
import GarlandDiagnostics
import TestSupport
import Testing

@testable import garland

/// Tests of `garland help`, with the pages of the repository.
@Suite struct HelpTests {
  private func help(_ words: String...) async throws -> ChildProcess.Result {
    try await ChildProcess.run(Garland.path, ["help"] + words)
  }

  private static func pages() throws -> [HelpLibrary.Page] {
    try #require(HelpLibrary(program: Repository.path(".build/debug/garland"))).pages
  }

  @Test func `garland help without a topic lists each command and each documentation page`() async throws {
    let result = try await help()
    #expect(result.status == 0)
    let commands = GarlandCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    for name in try Self.pages().map(\.name) + commands {
      #expect(result.output.contains("\n  \(name) "), "\(name)")
    }
  }

  @Test(arguments: [["run"], ["auth", "login"]])
  func `garland help with the name of a command prints the same text as the --help option of the command`(words: [String]) async throws {
    let help = try await ChildProcess.run(Garland.path, ["help"] + words)
    let option = try await ChildProcess.run(Garland.path, words + ["--help"])
    #expect(help.status == 0 && help.output == option.output)
  }

  @Test(arguments: ["run", "send", "check", "plan", "list", "export", "env", "curl", "reach", "auth login"])
  func `the help of a command with many options lists at most nine options outside of option groups`(command: String) async throws {
    let result = try await ChildProcess.run(Garland.path, command.split(separator: " ").map(String.init) + ["--help"])
    let rest = try #require(result.output.components(separatedBy: "\nOPTIONS:\n").dropFirst().first)
    let names = rest.split(separator: "\n").flatMap(UnknownOption.names(inHelp:)).filter { $0.hasPrefix("--") }
    #expect(names.count <= 9 && result.output.contains("\nOUTPUT:\n"), "\(names)")
  }

  @Test(arguments: ["run", "send", "sandbox", "export", "auth login", "auth logout", "auth status"])
  func `the help of a command shows the examples of the command directly after the summary`(command: String) async throws {
    let result = try await ChildProcess.run(Garland.path, command.split(separator: " ").map(String.init) + ["--help"])
    let paragraphs = result.output.components(separatedBy: "\n\n")
    #expect(paragraphs.count > 1 && paragraphs[1].hasPrefix("Example"), "\(result.output)")
  }

  @Test func `garland help with the name of a documentation page prints the text in the golden file`() async throws {
    expectGolden(try await help("loops").output, "help-loops.txt")
  }

  @Test func `garland help with a workflow key shows the rows about this key from all tables of the documentation`() async throws {
    expectGolden(try await help("for_each").output, "help-for_each.txt")
  }

  @Test func `garland help with a diagnostic code explains the diagnostic`() async throws {
    expectGolden(try await help("undefined-member").output, "help-undefined-member.txt")
  }

  @Test(arguments: [
    ("postman", "COMING FROM POSTMAN\n"), ("shard", "`--shard NUMBER/COUNT`"), ("timeout", "Transport (garland help transport)\n"),
    ("profile", "`--profile NAME`"),
  ])
  func `garland help finds a page by the last word of its name and an option by its name without dashes`(topic: String, text: String)
    async throws
  {
    let result = try await help(topic)
    #expect(result.status == 0 && result.output.prefix(2_000).contains(text), "\(result.output.prefix(2_000))\(result.error)")
    if text.hasSuffix("\n") { #expect(result.output.hasPrefix(text), "\(result.output.prefix(300))") }
  }

  @Test(arguments: [
    ("functions", "Functions (garland help values-and-expressions)\n", "`fake_email()`"),
    ("downloads", "Downloads (garland help", "`create_dirs`"), ("timeouts", "Transport (garland help", "`timeout`"),
    ("run.paths", "Run settings (garland help projects)\n", "`paths`"),
    ("poll.until", "Poll (garland help waiting-and-retrying)\n", "`until`"),
    ("until", "Poll (garland help waiting-and-retrying)\n", "`until`"), ("events", "Streams (garland help streams)\n", "`events`"),
  ])
  func `garland help accepts a heading, the plural of a key, and a dotted key such as poll.until`(
    topic: String, start: String, row: String
  ) async throws {
    let result = try await help(topic)
    #expect(result.status == 0 && result.output.hasPrefix(start) && result.output.contains(row), "\(result.output.prefix(500))")
  }

  @Test func `if garland help shows several table rows of one page, the page is named only once`() async throws {
    let result = try await help("jsonpath")
    #expect(result.output.split(separator: "(garland help from-hurl)").count == 2, "\(result.output)")
  }

  @Test func `garland help with an unknown topic suggests the most similar topic and exits with status 2`() async throws {
    let result = try await help("expectaions")
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.error == "error: there is no help on `expectaions`: did you mean `expectations`?\n")
  }

  @Test func `if the documentation is not installed, garland help names the folder in which the documentation is expected`() async throws {
    let folder = try TemporaryFolder()
    let copy = "\(folder.path)/bin/garland"
    try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: Garland.path, toPath: copy)
    let result = try await ChildProcess.run(copy, ["help", "loops"])
    #expect(result.status == 2)
    #expect(
      result.error
        == "error: there is no command `loops`, and the documentation is not installed beside this program, in ../share/garland/docs; in the source code it is the folder docs, where language/diagnostics.md explains the codes of diagnostics\n"
    )
    let option = try await ChildProcess.run(copy, ["help", "--concurrency"])
    #expect(
      option.status == 0 && option.output.hasPrefix("`garland run`\n\n  -j, --concurrency <count>"), "\(option.output)\(option.error)")
    let unknown = try await ChildProcess.run(copy, ["help", "--concurency"])
    #expect(unknown.status == 2)
    try folder.write("share/garland/docs/README.md", "# Pages\n")
    try folder.write("share/garland/docs/language/loops.md", "# Loops\n")
    #expect(try await ChildProcess.run(copy, ["help", "loops"]).output.hasPrefix("LOOPS\n"))
  }

  @Test func `no line of a help page is wider than the terminal, except code and words without a space`() throws {
    for page in try Self.pages() {
      let document = MarkdownDocument(try String(contentsOfFile: page.path, encoding: .utf8))
      let text = MarkdownRenderer(width: 80, marksCode: true).render(document).plain
      for line in text.split(separator: "\n") where !line.hasPrefix("    ") {
        #expect(line.count <= 80 || !line.contains(" "), "\(page.name): \(line)")
      }
    }
  }
}

@Suite struct MarkdownTests {
  private func rendered(_ text: String, width: Int = 40) -> String {
    MarkdownRenderer(width: width, marksCode: false).render(MarkdownDocument(text)).plain
  }

  @Test func `garland help wraps a paragraph at the width of the terminal`() {
    #expect(rendered("one two\nthree four", width: 9) == "one two\nthree\nfour\n")
  }

  @Test func `garland help aligns the second line of a list item with the text of its first line`() {
    #expect(rendered("- one two three\n  four\n- five", width: 10) == "- one two\n  three\n  four\n- five\n")
  }

  @Test func `garland help keeps the line breaks of a code block and omits its Markdown fences`() {
    #expect(rendered("```yaml\na:   1\n\n# no heading\n```") == "    a:   1\n\n    # no heading\n")
  }

  @Test func `'garland help' shows the URL of a link only if the link leads out of the documentation`() {
    #expect(rendered("[here](there.md) [RFC](https://x.example/)", width: 80) == "here RFC (https://x.example/)\n")
  }

  @Test func `garland help aligns the columns of a table that fits the width of the terminal`() {
    #expect(rendered("| a | b |\n|---|---|\n| `x` | y \\| z |") == "a  b\nx  y | z\n")
  }

  @Test func `if a two-column table is too wide, garland help wraps its second column`() {
    #expect(rendered("| a | b |\n|---|---|\n| x | one two three |", width: 12) == "a  b\nx  one two\n   three\n")
  }

  @Test func `if a three-column table is too wide, garland help shows each of its rows as a paragraph`() {
    let text = "| key | type | meaning |\n|---|---|---|\n| `x` | | one two three four |"
    #expect(rendered(text, width: 24) == "\n  x\n    meaning  one two\n             three four\n")
  }

  @Test func `random Markdown text is rendered without a crash`() {
    var random = SeededRandom(seed: 7)
    let pieces = ["|", "`", "```", "#", "- ", "1. ", "[", "](", ")", "**", "\\", "\n", " ", "a", "é", "!", "|---|"]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = rendered(text, width: Int.random(in: 1..<50, using: &random))
    }
  }
}
