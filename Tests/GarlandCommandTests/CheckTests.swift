import FoundationEssentials
import TestSupport
import Testing

/// Tests of every kind of check, in documents that pass and in similar ones that must fail, with the output, the exit status and JUnit.
@Suite(.timeLimit(.minutes(15))) struct CheckTests {
  /// Runs a document in a separate folder and returns everything that a user and a CI system see.
  static func report(_ document: String, _ arguments: [String] = [], in folder: TemporaryFolder) async throws -> (
    status: Int32, text: String
  ) {
    try folder.write("test.yaml", document)
    let result = try await Garland.run(
      ["run", "test.yaml", "--sandbox", "--serial", "--report", "junit=out.xml"] + arguments, in: folder.path)
    // The numbers of received bytes are not compared in these tests.
    let output = (result.output + result.error).split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("    │") }
    let junit = String(decoding: try folder.read("out.xml"), as: UTF8.self).split(separator: "\n").filter { line in
      ["<testcase", "<failure", "<error", "<skipped"].contains { line.drop { $0 == " " }.hasPrefix($0) }
    }
    let text = "status \(result.status)\n\(output.joined(separator: "\n"))--- JUnit\n\(junit.joined(separator: "\n"))\n"
    return (result.status, plain(text))
  }

  /// Returns the text without the parts that differ each time.
  private static func plain(_ text: String) -> String {
    var text = text
    for (pattern, word) in [
      (#"127\.0\.0\.1:\d\d+"#, "127.0.0.1:PORT"), (#"(?m)(^| +)[0-9.]+ (ms|µs|s)\b"#, " TIME"), (#" *time(stamp)?="[^"]*""#, ""),
    ] {
      guard let expression = try? Regex(pattern) else { continue }
      text = text.replacing(expression, with: word)
    }
    return text
  }

  static let head = "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n"

  @Test func `--update-snapshots writes a snapshot, and later runs compare the response with it`() async throws {
    let folder = try TemporaryFolder()
    let document = Self.head + "  list: { get: /json, expect: { snapshot: { file: snapshots/list.json, ignore: [$.catalog.visitors] } } }\n"
    let missing = try await Self.report(document, in: folder)
    #expect(missing.status == 1)
    let written = try await Self.report(document, ["--update-snapshots"], in: folder)
    #expect(written.status == 0)
    #expect(try await Self.report(document, in: folder).status == 0)
    let text = String(decoding: try folder.read("snapshots/list.json"), as: UTF8.self)
    try folder.write("snapshots/list.json", text.replacing("Dune", with: "Dunes").replacing("true", with: "false"))
    let changed = try await Self.report(document, in: folder)
    #expect(changed.status == 1)
    expectGolden([missing.text, written.text, changed.text].joined(separator: "\n=====\n"), "snapshots.txt")
  }

  @Test func `'garland schema' prints the workflow schema of the repository`() async throws {
    let result = try await Garland.run(["schema"])
    let file = try Data(contentsOf: URL(filePath: Repository.path("schemas/workflow.schema.json")))
    #expect(result.status == 0 && result.outputBytes == Array(file))
  }

  @Test func `steps with unmet expectations give the output in the golden file`() async throws {
    let folder = try TemporaryFolder()
    let passing = try await Self.report(
      Self.head + """
          refused: { get: "http://127.0.0.1:1/", expect: { error: refused } }
          page: { get: /html, expect: { xpath: { //h1: { contains: Welcome } } } }
          order: { submit: { from: page, fields: { title: Dune } }, expect: { json: { $.form.values.title: Dune } } }

        """, in: folder)
    #expect(passing.status == 0)
    let failing = try await Self.report(
      Self.head + """
          refused: { get: "http://127.0.0.1:1/", expect: { error: timeout } }
          answered: { get: /status/204, expect: { error: refused } }
          page: { get: /html, expect: { xpath: { //h1: Dune } } }
          good_page: { get: /html }
          order: { submit: { from: good_page, fields: { titel: Dune } } }

        """, in: folder)
    #expect(failing.status == 1)
    expectGolden(failing.text, "checks-that-fail.txt")
  }
}
