import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandSandbox
import GarlandWorkflow
import TestSupport
import Testing

@testable import GarlandRunner

/// Tests of `expect.snapshot` and `--update-snapshots`.
@Suite(.timeLimit(.minutes(15))) struct SnapshotTests {
  static let document =
    prelude + """
        catalogue:
          get: /json
          expect: { snapshot: { file: snapshots/deep/catalogue.json, ignore: ["$.catalog.books[*].price"] } }
        page:
          get: /html
          expect: { snapshot: page.html }
      """

  static func run(_ folder: TemporaryFolder, _ sandbox: Sandbox, updates: Bool = false, _ text: String = document) async throws -> TestRun {
    try await TestRun.carryOut(text, sandbox, folder: folder) { $0.updatesSnapshots = updates }
  }

  @Test func `with --update-snapshots, a run writes the snapshots with which later runs compare their responses`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let missing = try await Self.run(folder, sandbox)
      #expect(missing.outcomes == ["catalogue failed", "page failed"])
      var text = CheckRun.text(try missing.result("catalogue").failures)

      let written = try await Self.run(folder, sandbox, updates: true)
      #expect(written.outcomes == ["catalogue passed", "page passed"])
      #expect(
        Set(written.observer.notices) == [
          "the snapshot `snapshots/deep/catalogue.json` was written", "the snapshot `page.html` was written",
        ])
      let json = String(decoding: try folder.read("snapshots/deep/catalogue.json"), as: UTF8.self)
      #expect(json.contains("\"price\": \"(ignored)\"") && json.hasPrefix("{\n  \"") && json.hasSuffix("}\n"))

      // The response is unchanged, so no file is written.
      let again = try await Self.run(folder, sandbox, updates: true)
      #expect(again.outcomes == ["catalogue passed", "page passed"] && again.observer.notices.isEmpty)
      #expect(try await Self.run(folder, sandbox).outcomes == ["catalogue passed", "page passed"])

      _ = try folder.write("snapshots/deep/catalogue.json", json.replacing("Dune", with: "Dun").replacing("(ignored)", with: "whatever"))
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      _ = try folder.write("page.html", page.replacing("Welcome", with: "Hello").replacing("<li class=\"book\">Emma</li>", with: ""))
      let changed = try await Self.run(folder, sandbox)
      #expect(changed.outcomes == ["catalogue failed", "page failed"])
      text += try ["catalogue", "page"].map { CheckRun.text(try changed.result($0).failures) }.joined()
      _ = try folder.write("snapshots/deep/catalogue.json", "<html>")
      text += CheckRun.text(try await Self.run(folder, sandbox).result("catalogue").failures)
      expectGolden(text, "snapshots.txt")

      let updated = try await Self.run(folder, sandbox, updates: true)
      #expect(updated.outcomes == ["catalogue passed", "page passed"])
      #expect(
        Set(updated.observer.notices) == [
          "the snapshot `snapshots/deep/catalogue.json` was updated", "the snapshot `page.html` was updated",
        ])
      #expect(String(decoding: try folder.read("snapshots/deep/catalogue.json"), as: UTF8.self) == json)
    }
  }

  @Test func `if another expectation of a step fails, the step's snapshot file is not written`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let run = try await Self.run(
        folder, sandbox, updates: true,
        prelude + """
            broken: { get: /status/500, expect: { snapshot: broken.txt } }
            text: { get: /html, expect: { snapshot: { file: text.html, ignore: [$.a] } } }
            binary: { get: /image/png, expect: { snapshot: image.png } }
            outside: { get: "/json?n=${env.SANDBOX}", expect: { snapshot: "../${env.SANDBOX | length}.json" } }
          """)
      #expect(run.outcomes == ["broken failed", "text failed", "binary failed", "outside failed"])
      #expect(run.observer.notices == ["the snapshot `broken.txt` is not written: other expectations of the step failed"])
      #expect(throws: (any Error).self) { try folder.read("broken.txt") }
      let messages = try ["text", "binary", "outside"].map { try run.result($0).failures.map(\.message).joined() }
      #expect(messages[0] == "`ignore` needs a JSON body, but the type of the response is not JSON")
      #expect(messages[1].hasPrefix("the body is not text"))
      #expect(messages[2].hasSuffix("can't be used: it is outside the project"))
    }
  }

  @Test func `if the path of a snapshot contains a file instead of a folder, the step ends with an error`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      _ = try folder.write("taken", "a file")
      let run = try await Self.run(folder, sandbox, updates: true, prelude + "  a: { get: /json, expect: { snapshot: taken/a.json } }")
      #expect(run.outcomes == ["a error"])
      #expect(run.summary.exitStatus == 4)
    }
  }

  /// A snapshot is stored with the sources, so it must contain no secret, even if a server returns one.
  @Test func `a snapshot contains no secret, even if the server returns one`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      let text =
        "secrets: [TOKEN]\n" + prelude + """
            echo:
              post: /post
              json: { token: "${secrets.TOKEN}", number: 48151623 }
              expect: { snapshot: { file: echo.json, ignore: [$.header, $.headers, $.connection, $.sequence] } }
          """
      for updates in [true, false] {
        let run = try await TestRun.carryOut(text, sandbox, folder: folder) {
          $0.updatesSnapshots = updates
          $0.secrets = ["TOKEN": "48151623"]
        }
        #expect(run.outcomes == ["echo passed"])
      }
      let written = String(decoding: try folder.read("echo.json"), as: UTF8.self)
      #expect(!written.contains("48151623") && written.contains("***"))
    }
  }

  @Test(
    arguments: [
      ("a\nb\nc", "a\nb\nc", 0, []), ("a\nb\nc", "a\nx\nc", 1, ["@@ line 1 @@", "  a", "- b", "+ x", "  c"]),
      ("a\nb", "a\nb\nc", 1, ["@@ line 1 @@", "  a", "  b", "+ c"]), ("a\nb\nc", "b\nc", 1, ["@@ line 1 @@", "- a", "  b", "  c"]),
      ("", "a", 1, ["@@ line 1 @@", "- ", "+ a"]),
      (
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10", "1\nx\n3\n4\n5\n6\n7\n8\ny\n10", 2,
        ["@@ line 1 @@", "  1", "- 2", "+ x", "  3", "  4", "@@ line 7 @@", "  7", "  8", "- 9", "+ y", "  10"]
      ),
    ] as [(String, String, Int, [String])]) func `the failure for a changed snapshot shows the lines that differ`(
      expected: String, actual: String, count: Int, lines: [String]
    )
  {
    let difference = LineDifference(expected: expected, actual: actual)
    #expect(difference.count == count && difference.lines == lines)
  }

  @Test func `a comparison of two texts with 100,000 lines stops at its time limit`() {
    let text = String(repeating: "a\n", count: 100_000)
    let computation = Computation(limit: .zero)
    _ = computation.run { LineDifference(expected: text + "b", actual: text + "c") }
    #expect(computation.hasEnded)
  }

  @Test func `if a text of 5,000 lines differs from its snapshot at the end, the difference begins with the right line number`() {
    let text = (1...5_000).map { "\($0)\n" }.joined()
    let difference = LineDifference(expected: text + "b", actual: text + "c")
    #expect(difference.count == 1)
    #expect(difference.lines == ["@@ line 4999 @@", "  4999", "  5000", "- b", "+ c"])
  }

  /// If all of a difference is shown, applying it to one text results in the other text.
  @Test func `the line difference of two random texts turns the first text into the second`() {
    var generator = SeededRandom(seed: 5)
    for _ in 0..<300 {
      let left = (0..<Int.random(in: 0...12, using: &generator)).map { _ in ["a", "b", "c"].randomElement(using: &generator) ?? "" }
      let right = (0..<Int.random(in: 0...12, using: &generator)).map { _ in ["a", "b", "c"].randomElement(using: &generator) ?? "" }
      let difference = LineDifference(expected: left.joined(separator: "\n"), actual: right.joined(separator: "\n"))
      let removed = difference.lines.count { $0.hasPrefix("- ") }
      let added = difference.lines.count { $0.hasPrefix("+ ") }
      #expect(difference.count == max(removed, added))
      #expect((difference.count == 0) == (left.joined(separator: "\n") == right.joined(separator: "\n")))
      #expect(max(1, left.count) - removed == max(1, right.count) - added)
    }
    let long = LineDifference(
      expected: (0..<9000).map { "\($0)" }.joined(separator: "\n"), actual: (0..<9000).map { "x\($0)" }.joined(separator: "\n"))
    #expect(long.lines.last == "…" && long.lines.count <= LineDifference.limit + 2)
  }
}
