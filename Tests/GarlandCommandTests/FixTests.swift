import FoundationEssentials
import GarlandDiagnostics
import Glibc
import TestSupport
import Testing

@testable import garland

/// Tests of `check --fix`: the fixes that it applies, and the files that it writes.
@Suite(.timeLimit(.minutes(15))) struct FixTests {
  private static let mistaken = "garland: 1\nsteps:\n  a:\n    get: http://127.0.0.1:1/x\n    exepct: { statsu: 200 }\n"
  private static let mended = mistaken.replacing("exepct", with: "expect").replacing("statsu", with: "status")

  private static func text(_ name: String, in folder: TemporaryFolder) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  @Test func `--fix makes all fixes in the example documents, and a second run finds nothing more to fix`() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Repository.path("Tests/Fixtures/Mistakes"), toPath: folder.path + "/m")
    let first = try await Garland.run(["check", "--fix", "m"], in: folder.path)
    let second = try await Garland.run(["check", "--fix", "m"], in: folder.path)
    expectGolden(first.output, "mistakes-fixed.diff")
    #expect(second.output == "")
    #expect(second.error == first.error)
  }

  @Test func `--fix corrects a misspelt key of a step or document that inherits the correct key`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "defaults: { base_url: 'http://h', timeout: 5s }\n")
    try folder.write(
      "a.yaml",
      "garland: 1\ndefalts: { headers: { A: b } }\nsteps:\n  a: { get: /a, expect: { status: 200 } }\n  b: { extends: a, expct: { status: 201 } }\n"
    )
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("2 fixes made in 1 file"), "\(result.output)\(result.error)")
    let fixed = try Self.text("a.yaml", in: folder)
    #expect(fixed.contains("\ndefaults: {") && fixed.contains("expect: { status: 201 }"), "\(fixed)")
  }

  @Test func `--fix does not replace 'interval' of 'retry' with 'delay', because delays double with each attempt`() async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: 'http://h/', retry: { limit: 2, interval: 2s } } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("write `delay: 2s`, `factor: 1` and `jitter: 0`"), "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == text)
  }

  @Test(arguments: [
    ("get: 'http://h/', auth: { bearer: '${secrets.T}' }", "get: 'http://h/', bearer: '${secrets.T}'"),
    ("get: 'http://h/', auth: { basic: 'a:${secrets.T}' }", "get: 'http://h/', basic: 'a:${secrets.T}'"),
    ("get: 'http://h/', basic: [a, '${secrets.T}']", "get: 'http://h/', basic: 'a:${secrets.T}'"),
    ("get: 'http://h/', bearer: { token: '${secrets.T}' }", "get: 'http://h/', bearer: '${secrets.T}'"),
    ("get: 'http://h/', sleep: 1s", "get: 'http://h/', delay: 1s"),
    (
      "get: 'http://h/', expect: { headers: [Location, X-A] }",
      "get: 'http://h/', expect: { headers: { Location: { exists: true }, X-A: { exists: true } } }"
    ),
    ("get: 'http://h/', expect: { body: { $.total: 0 } }", "get: 'http://h/', expect: { body: { json: { $.total: 0 } } }"),
    ("get: 'http://h/', expect: { time: '< 500ms' }", "get: 'http://h/', expect: { time: { lt: 500ms } }"),
    (
      "websocket: 'ws://h/', talk: [{ send: 'hello, you' }, { close: 1000 }]",
      "websocket: 'ws://h/', talk: [{ send: { text: 'hello, you' } }, { close: { code: 1000 } }]"
    ),
  ]) func `--fix corrects a setting in a wrong form if its meaning is obvious, such as a comparison written as text`(
    written: String, fixed: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps:\n  a: { \(written) }\n")
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == "garland: 1\nsteps:\n  a: { \(fixed) }\n")
  }

  @Test func `a status class such as 5xx under the key 'on' of 'retry' is refused, and the error suggests the key 'statuses'`() async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps: { a: { get: 'http://h/', retry: { limit: 2, on: 5xx } } }\n")
    let result = try await Garland.run(["check", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("write `statuses: [5xx]`"), "\(result.error)")
  }

  @Test func `for an expectation about several values, --fix does not choose between the predicates 'any' and 'each'`() async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: 'http://h/', expect: { json: { '$.l[*].p': { gt: 5 }, '$.l[*].n': x } } } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("2 have fixes that need a choice"), "\(result.error)")
    #expect(result.error.contains("write `each: { gt: 5 }` if all values") && result.error.contains("write `any: x` if one"))
    #expect(try Self.text("a.yaml", in: folder) == text)
  }

  @Test func `if the unknown predicate 'is' could mean a value or a type, --fix does not choose between them`() async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: 'http://h/', expect: { json: { $.a: { is: string } } } } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("did you mean `type`?"), "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == text)
  }

  @Test(arguments: [
    ("{ size: 7 }", "{ length: 7 }"), ("{ hasSize: 7 }", "{ length: 7 }"), ("{ count: 7 }", "{ length: 7 }"),
    ("{ minLength: 7 }", "{ length: { gte: 7 } }"), ("{ max_items: 7 }", "{ length: { lte: 7 } }"),
    ("{ title: Dune }", "{ eq: { title: Dune } }"),
  ]) func `--fix corrects checks in the syntax of other tools, such as the predicate 'size' or a mapping without 'eq'`(
    written: String, fixed: String
  ) async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: 'http://h/', expect: { json: { $.books: \(written) } } } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == text.replacing(written, with: fixed))
  }

  @Test(arguments: [
    ("isSize: 7", "did you mean `length`?"), ("toHaveLength: 7", "did you mean `length`?"), ("allOf: [1]", "did you mean `each`?"),
    ("isPositive: true", "the predicates are"), ("maxPrice: 7", "the predicates are"),
  ]) func `--fix does not make a mapping the argument of 'eq' if the only key of the mapping may be a misspelt predicate`(
    written: String, advice: String
  ) async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: 'http://h/', expect: { json: { $.books: { \(written) } } } } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains(advice), "\(result.error)")
    #expect(result.error.contains("1 has a fix that needs a choice"), "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == text)
  }

  @Test(arguments: [
    (["ask", "a.yaml"], "there is no step `ask`: to set the mode of `--fix`, write `--fix=ask`"),
    (["all", "a.yaml"], "there is no step `all`: to set the mode of `--fix`, write `--fix=all`"),
    (["a.yaml", "nostep"], "there is no step `nostep`"), (["b.yaml", "nostep"], "there is no step `nostep`"),
    (["b.yaml", "ask"], "write `--fix=ask`"),
  ]) func `--fix changes no file if the command line names an unknown step`(words: [String], message: String) async throws {
    let folder = try TemporaryFolder()
    let warned = "garland: 1\nsteps:\n  a: { post: 'http://h/', json: '{\"a\": 1}' }\n"
    try folder.write("a.yaml", Self.mistaken)
    try folder.write("b.yaml", warned)
    let result = try await Garland.run(["check", "--fix"] + words, in: folder.path)
    #expect(result.status == 2 && result.error.contains(message), "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == Self.mistaken && Self.text("b.yaml", in: folder) == warned)
  }

  @Test func `'--fix ask' corrects the step 'ask' if the document has a step with this name`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.mistaken.replacing("\n  a:", with: "\n  ask:"))
    let result = try await Garland.run(["check", "--fix", "ask", "a.yaml"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == Self.mended.replacing("\n  a:", with: "\n  ask:"))
  }

  @Test func `the diff that --fix prints can be applied to the original file with git apply`() async throws {
    let folder = try TemporaryFolder()
    let old = "\u{FEFF}# no version\r\nsteps:\r\n  a:\r\n    gett: http://127.0.0.1:1/x\r\n    exepct: { statsu: 200 }"
    try folder.write("a.yaml", old)
    let result = try await Garland.run(["check", "a.yaml", "--fix"], in: folder.path)
    let fixed = try Self.text("a.yaml", in: folder)
    try folder.write("a.yaml", old)
    let difference = try folder.write("a.diff", result.output.replacing(#/\n\d+ fixes made[^\n]*\n[^\n]*\n$/#, with: "\n"))
    let applied = try await ChildProcess.run("/usr/bin/git", ["apply", "-p0", "--unidiff-zero", difference], in: folder.path)
    #expect(applied.status == 0, "\(applied.error)")
    #expect(try Self.text("a.yaml", in: folder) == fixed)
  }

  @Test func `if two names are equally similar to a misspelt name, --fix does not choose between them`() async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: 'http://h/', expect: { json: { $.a: { gtt: 5 } } } } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("did you mean `gte`"), "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == text)
  }

  @Test func `--fix keeps the permissions, the byte order mark and the line breaks of a file`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.yaml", "\u{FEFF}steps:\r\n  a:\r\n    gett: http://127.0.0.1:1/x\r\n")
    chmod(path, 0o640)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == "\u{FEFF}garland: 1\r\nsteps:\r\n  a:\r\n    get: http://127.0.0.1:1/x\r\n")
    var facts = stat()
    #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o640)
    #expect(folder.names == ["a.yaml"])
  }

  @Test func `--fix changes the file that a symbolic link points to and keeps the link`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("real.yaml", Self.mistaken)
    symlink("real.yaml", folder.path + "/link.yaml")
    let result = try await Garland.run(["check", "--fix", "link.yaml"], in: folder.path)
    var facts = stat()
    #expect(result.status == 0 && lstat(folder.path + "/link.yaml", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
    #expect(try Self.text("real.yaml", in: folder) == Self.mended)
  }

  @Test func `if --fix reads a document from standard input, standard output contains only the corrected document`() async throws {
    let fixed = try await Garland.run(["check", "--fix", "-"], input: Array(Self.mistaken.utf8))
    #expect(fixed.status == 0 && fixed.output == Self.mended, "\(fixed.error)")
    let unchanged = try await Garland.run(["check", "--fix", "-"], input: Array(Self.mended.utf8))
    #expect(unchanged.status == 0 && unchanged.output == Self.mended)
  }

  @Test func `--fix applies each fix to a file only once, even if the command line names the file several times`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("lib/b.yaml", Self.mistaken)
    try folder.write("a.yaml", "garland: 1\nuse: { b: lib/b.yaml }\nsteps:\n  c: { get: \"http://127.0.0.1:1/${b.a.status}\" }\n")
    let result = try await Garland.run(["check", "--fix", "a.yaml", "lib/b.yaml", "./lib/b.yaml"], in: folder.path)
    #expect(result.output.contains("2 fixes made in 1 file\n"), "\(result.output)\(result.error)")
    #expect(try Self.text("lib/b.yaml", in: folder) == Self.mended)
  }

  @Test func `--fix does not add a scheme to a URL that may be a relative path or a file name`() async throws {
    let folder = try TemporaryFolder()
    let old = "garland: 1\nsteps:\n  a: { get: books/1 }\n  b: { get: books.json }\n  c: { get: $base/x }\n"
    try folder.write("a.yaml", old)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.output == "", "\(result.output)")
    #expect(try Self.text("a.yaml", in: folder) == old)
  }

  @Test func `if a mapping in a body could mean JSON or a file, --fix does not choose between them`() async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: 'http://h/', body: { path: x } } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("to send a file, write `file: PATH`"), "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == text)
  }

  @Test func `if two fixes contradict each other, --fix applies only one of them`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.mistaken.replacing("statsu: 200", with: "statsu: 200, stauts: 201"))
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2)
    #expect(try Self.text("a.yaml", in: folder).hasSuffix("expect: { status: 200, stauts: 201 }\n"))
    #expect(result.error.contains("unknown key `stauts`"))
  }

  @Test func `--fix does not apply a fix that needs a choice by the user, and suggests --fix=ask`() async throws {
    let folder = try TemporaryFolder()
    let race = "garland: 1\nsteps:\n  put: { put: http://127.0.0.1:1/x, body: a }\n  get: { get: http://127.0.0.1:1/x }\n"
    try folder.write("a.yaml", race)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 0)
    #expect(try Self.text("a.yaml", in: folder) == race)
    #expect(result.error.contains("warning[likely-race]"))
    #expect(result.error.contains("1 has a fix that needs a choice: `--fix=ask` asks on a terminal"))
  }

  @Test(arguments: [
    (
      #"{"info":{"name":"Shop","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[]}"# + "\n",
      "import it with `garland import`"
    ),
    ("{\"log\":{\"version\":\"1.2\",\"entries\":[]}}\n", "import it with `garland import`"),
    ("openapi: 3.1.0\ninfo: { title: Books }\npaths:\n  /books: { get: {} }\n", "a workflow begins with `garland: 1`"),
    ("name: CI\non: push\nenv: { A: b }\njobs:\n  a: { runs-on: x, steps: [{ run: make }] }\n", "a workflow begins with `garland: 1`"),
    ("on: push\nenv: { A: ${{ b }} }\n", "a workflow begins with `garland: 1`"),
  ]) func `--fix does not change a file in the format of another tool, such as Postman or OpenAPI`(text: String, advice: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.output == "" && result.error.contains("help: \(advice)\n"), "\(result.output)\(result.error)")
    #expect(try Self.text("a.yaml", in: folder) == text)
  }

  @Test func `--fix adds the missing key 'garland: 1' to a document whose other keys are misspelt`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "variables: { base: \"http://127.0.0.1:1\" }\nstesp:\n  a: { get: \"${vars.base}/\" }\n")
    let result = try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(try Self.text("a.yaml", in: folder).hasPrefix("garland: 1\nvars: {"))
  }

  @Test func `--fix exits with status 2 if errors or, with --strict, warnings remain`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.mistaken + "    after: nobody\n")
    try folder.write("b.yaml", Self.mended.replacing("}\n", with: "}\n    extract: { id: $.id }\n"))
    #expect(try await Garland.run(["check", "--fix", "a.yaml"], in: folder.path).status == 2)
    #expect(try Self.text("a.yaml", in: folder) == Self.mended + "    after: nobody\n")
    #expect(try await Garland.run(["check", "--fix", "b.yaml"], in: folder.path).status == 0)
    #expect(try await Garland.run(["check", "--fix", "--strict", "b.yaml"], in: folder.path).status == 2)
  }

  @Test func `a secret is masked in the diff that a command prints, but remains in the document`() async throws {
    let folder = try TemporaryFolder()
    let secret = "hunter2-hunter2"
    let old = "garland: 1\nsecrets: [PASSWORD]\nsteps:\n  a:\n    gett: http://127.0.0.1:1/\(secret)\n    bearer: \"${secrets.PASSWORD}\"\n"
    try folder.write("a.yaml", old)
    let result = try await Garland.run(["check", "--fix", "a.yaml", "--secret", "PASSWORD=\(secret)"], in: folder.path)
    #expect(result.output.contains("+    get: http://127.0.0.1:1/"), "\(result.output)\(result.error)")
    #expect(!(result.output + result.error).contains(secret))
    #expect(try Self.text("a.yaml", in: folder) == old.replacing("gett", with: "get"))
  }

  @Test func `if one of several files has changed since it was read, --fix changes no file`() throws {
    let folder = try TemporaryFolder()
    let texts = FixedTexts()
    for name in ["a.yaml", "b.yaml"] {
      let file = SourceFile(name: name, bytes: try texts.read(folder.write(name, "wrong\n"), limit: 100))
      let path = try #require(texts.path(of: file, in: folder.path))
      let diagnostic = Diagnostic("test", "wrong", at: nil).help("right", fix: .init(SourceRange(file, 0..<5), "right"))
      texts.make(ProposedFix.all(of: diagnostic) { _ in path })
    }
    try folder.write("b.yaml", "other\n")
    #expect(throws: CommandFailure.self) { try FixedFiles(texts).write() }
    #expect(try Self.text("a.yaml", in: folder) == "wrong\n")
    try folder.write("b.yaml", "wrong\n")
    try FixedFiles(texts).write()
    #expect(try Self.text("a.yaml", in: folder) == "right\n" && Self.text("b.yaml", in: folder) == "right\n")
  }

  @Test func `--fix with -q applies fixes without any output`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.mistaken)
    let result = try await Garland.run(["check", "--fix", "-q", "a.yaml"], in: folder.path)
    #expect(result.status == 0 && result.output == "" && result.error == "")
    #expect(try Self.text("a.yaml", in: folder) == Self.mended)
  }

  @Test(arguments: [
    ["--fix", "a.yaml"], ["a.yaml", "--fix"], ["--fix=all", "a.yaml"], ["--fix", "--strict", "a.yaml"], ["--fix", "--", "a.yaml"],
  ])
  func `a path after --fix is taken as a document and not as the mode of --fix`(words: [String]) throws {
    let command = try #require(try GarlandCommand.parseAsRoot(FixMode.spellingOut(["check"] + words)) as? CheckCommand)
    #expect(command.fix == .all && command.paths.arguments.contains("a.yaml"))
  }

  @Test func `--fix with an unknown value is refused`() async throws {
    let result = try await Garland.run(["check", "--fix=some", "a.yaml"])
    #expect(result.status == 2 && result.error.contains("The value 'some' is invalid for '--fix <mode>'"))
  }

  @Test func `--fix=ask is refused without a terminal`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.mistaken)
    let result = try await Garland.run(["check", "--fix=ask", "a.yaml"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("needs a terminal"))
    #expect(try Self.text("a.yaml", in: folder) == Self.mistaken)
  }

  /// Runs `check --fix=ask` with the given answers, on a terminal that `script` creates.
  private func ask(_ folder: TemporaryFolder, _ answers: String) async throws -> ChildProcess.Result {
    let variables: [String: String?] = ["CI": nil, "GITHUB_ACTIONS": nil, "NO_COLOR": "1", "TERM": "xterm", "GARLAND": Garland.path]
    return try await ChildProcess(
      "/usr/bin/script", ["-qfec", "$GARLAND check --fix=ask a.yaml", "/dev/null"], environment: variables, input: Array(answers.utf8),
      in: folder.path
    ).result
  }

  @Test(arguments: [
    ("y\ny\n", "expect: { status: 200 }"), ("y\nn\n", "expect: { statsu: 200 }"), ("a\n", "expect: { status: 200 }"),
    ("n\n", "exepct: { statsu: 200 }"), ("q\n", "exepct: { statsu: 200 }"), ("what\ny\nq\n", "expect: { statsu: 200 }"),
  ]) func `--fix=ask applies only the fixes that the user confirms`(answers: String, expected: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.mistaken)
    let result = try await ask(folder, answers)
    #expect(try Self.text("a.yaml", in: folder).contains("    \(expected)\n"), "\(result.output)")
    #expect(result.output.contains("Make this fix? [y]es, [n]o, [a]ll, [q]uit: "))
  }

  @Test(arguments: ["?", "1x", ""]) func `--fix=ask explains the possible answers if the user gives an unknown answer`(answer: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.mistaken)
    let result = try await ask(folder, "\(answer)\nq\n")
    let words = "y makes this fix, n leaves the text as it is, a makes all fixes that need no choice, q ends the questions"
    #expect(result.output.split(separator: words, omittingEmptySubsequences: false).count == 2, "\(result.output)")
  }

  @Test func `if a mistake has alternative fixes, --fix=ask numbers the fixes`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", "garland: 1\nsteps:\n  a: { get: http://127.0.0.1:1/x, timeout: 500 }\n")
    let result = try await ask(folder, "2\n")
    #expect(result.output.contains("Make which fix? [1], [2], [n]o, [a]ll, [q]uit: "), "\(result.output)")
    #expect(try Self.text("a.yaml", in: folder).contains("timeout: 500s }"))
  }

  @Test func `with --fix=ask, the answer 'all' does not apply a fix that the user has declined before`() async throws {
    let folder = try TemporaryFolder()
    let steps = ["a", "b", "c"].map { "  \($0): { get: http://127.0.0.1:1/x, timout: 1s }\n" }.joined()
    try folder.write("a.yaml", "garland: 1\nsteps:\n" + steps)
    let result = try await ask(folder, "n\na\n")
    #expect(result.output.split(separator: "Make this fix?").count == 3, "\(result.output)")
    let text = try Self.text("a.yaml", in: folder)
    #expect(text.contains("a: { get: http://127.0.0.1:1/x, timout: 1s }"), "\(text)")
    #expect(text.split(separator: "timeout: 1s").count == 3, "\(text)")
  }
}
