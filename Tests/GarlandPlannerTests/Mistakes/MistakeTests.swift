import FoundationEssentials
import GarlandDiagnostics
import TestSupport
import Testing

/// Tests of complete documents with users' mistakes: `check` reports their diagnostics before any request is sent.
@Suite struct MistakeTests {
  @Test(arguments: Mistake.groups) func `each group of invalid documents gives the diagnostics in its golden file`(group: String) {
    var text = ""
    for mistake in Mistake.all where mistake.group == group {
      let found = mistake.diagnostics()
      #expect(!found.isEmpty, "\(mistake.name)")
      text += "### \(mistake.name.replacing("-", with: " "))\n\n"
      for diagnostic in found { text += DiagnosticRenderer(width: 110).render(diagnostic).plain + "\n" }
      let (left, steps) = mistake.mended()
      if steps > 0 {
        text += "= after the suggested fixes, \(left.isEmpty ? "no error is left" : "left: \(Self.codes(left))")\n"
      }
      text += "\n"
    }
    expectGolden(text.replacing(Repository.path, with: "/REPOSITORY"), "mistakes/\(group).txt")
  }

  static func codes(_ diagnostics: [Diagnostic]) -> String { diagnostics.map(\.code.rawValue).joined(separator: ", ") }

  @Test func `the collection of at least 200 invalid documents covers at least 65 different diagnostic codes`() {
    let codes = Set(Mistake.all.flatMap { $0.diagnostics().map(\.code) })
    #expect(Mistake.all.count >= 200)
    #expect(codes.count >= 65, "\(codes.map(\.rawValue).sorted())")
  }

  @Test(arguments: Mistake.all) func `each fix of a mistake, applied alone, removes the mistake's diagnostic and causes no new one`(
    mistake: Mistake
  ) {
    let mistakes = FixProof(of: mistake.name + ".yaml") { mistake.diagnostics(of: $0) }.result(for: mistake.bytes).mistakes
    #expect(mistakes == [])
  }

  /// Fixes that would make a document valid, but with another meaning, are wrong.
  @Test(
    arguments: [
      ("get: \"/${vars.user | base64encode}\"", "base64"), ("get: \"/${vars.user | base64decode}\"", "base64_decode"),
      ("get: \"/${vars.user | to_upper}\"", "upper"), ("get: /, for_each: vars.list", "\"${vars.list}\""),
      ("get: /, cookie: a=1; b=x", "cookies: { a: 1, b: x }"), ("get: /, extract: { id: { regexp: a(.) } }", "regex"),
      ("get: \"/${date('%Y')}\"", nil), ("wait_for: 'db:5432'", nil), ("get: /, cookie: session", nil),
      ("get: /, max_time: 9s", "deadline"),
      ("get: /, timeout_minutes: 5", "deadline: 5m"), ("post: /, formData: { a: b }", "multipart"), ("post: /, payload: a=1", nil),
      ("post: /, payload: { a: 1 }", "json"), ("post: /, json_body: '{\"a\": 1}'", nil), ("get: /, retry: { max_attempts: 3 }", nil),
      ("get: /, expect: { json: { $.a: { nin: [1, 2] } } }", "not: { in: [1, 2] }"),
      ("get: /, expect: { json: { $.a: { nexists: true } } }", "exists: false"), ("get: /, expect: { json: { $.a: { xt: 5 } } }", nil),
      ("get: /, expect: { json: { $.a: { all: [{ gt: 1 }, { lt: 5 }] } } }", nil),
    ] as [(String, String?)]) func `a fix that may contradict the author's intention is never the only suggested fix`(
      step: String, replacement: String?
    )
  {
    let text =
      "garland: 1\nvars: { user: alice, list: [1, 2] }\ndefaults: { base_url: http://shop.test }\nsteps:\n  it: { \(step) }\n"
    let found = Mistake.diagnostics(name: "w.yaml", bytes: Array(text.utf8), directory: Mistake.folder, root: Mistake.folder)
    let mistake = found.first {
      ["unknown-filter", "unknown-function", "unknown-key", "unknown-predicate", "wrong-type"].contains($0.code.rawValue)
    }
    // Several fixes are a choice, which only a person makes.
    let fixes = mistake?.helps.compactMap(\.fix) ?? []
    #expect((fixes.count == 1 ? fixes[0].replacement : nil) == replacement, "\(found.map(\.message))")
    #expect(mistake?.helps.isEmpty == false)
  }

  /// A golden file of another test that shows a fix must belong to a test that applies the fix.
  @Test func `each golden file that shows a fix belongs to a test that applies the fix`() throws {
    let root = Repository.path("Tests/Golden")
    let proved = [
      "GarlandPlannerTests/mistakes/", "GarlandPlannerTests/likely-races.txt", "GarlandWorkflowTests/", "GarlandYAMLTests/traps.txt",
      "GarlandCommandTests/bad-input/", "GarlandCommandTests/load-mistakes.txt", "GarlandResultsTests/load-expectation-mistakes.txt",
      "GarlandCommandTests/command-line/run_good.yaml_--print", "GarlandCommandTests/printed-tokens.txt",
      // The test itself creates these diagnostics.
      "GarlandDiagnosticsTests/diagnostics.txt",
    ]
    for name in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() where name.hasSuffix(".txt") {
      let text = String(decoding: FileManager.default.contents(atPath: "\(root)/\(name)") ?? Data(), as: UTF8.self)
      let isMarked = text.split(separator: "\n").contains { line in
        line.contains("| ") && line.drop { $0 == " " || $0 == "|" }.hasPrefix("~~")
      }
      guard isMarked else { continue }
      #expect(proved.contains { name.hasPrefix($0) }, "\(name)")
    }
  }

  @Test(arguments: CheckedFolder.all)
  func `in all folders of test documents, applying the fixes for an invalid document makes the document valid`(
    folder: CheckedFolder
  )
    throws
  {
    for name in try folder.documents() {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")))
      let proof = FixProof(of: name) { Mistake.diagnostics(name: name, bytes: $0, directory: folder.path, root: folder.path) }
      #expect(proof.result(for: bytes).mistakes == [], "\(folder.path)/\(name)")
    }
  }

  /// Checks that the place of each diagnostic is in its file, on one line unless the value has several lines, and that its message is one
  /// sentence.
  @Test(arguments: Mistake.all) func `each diagnostic of an invalid document has a location in its file and a one-line message`(
    mistake: Mistake
  ) {
    for diagnostic in mistake.diagnostics() where diagnostic.code != "binary-file" {
      guard let range = diagnostic.range else {
        Issue.record("\(diagnostic.code) has no place")
        continue
      }
      #expect(range.offsets.upperBound <= range.file.bytes.count)
      #expect(!diagnostic.message.hasSuffix(".") && !diagnostic.message.contains("\n"))
    }
  }
}
