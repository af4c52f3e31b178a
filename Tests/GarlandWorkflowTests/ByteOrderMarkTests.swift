import FoundationEssentials
import GarlandDiagnostics
import GarlandYAML
import TestSupport
import Testing

@testable import GarlandWorkflow

struct ByteOrderMarkTests {
  @Test(arguments: [
    "{garland: 1, stepz: {}}", "garland: 2\nsteps: {}", "{ garland: 1, steps: { a: { gett: /x } } }", "[1, 2]", "a: [", "é: 1",
    "garland: 1\nsteps: { a: { gett: /x } }", "",
  ]) func `a byte order mark in a document does not shift the columns of the first line`(_ text: String) {
    func places(_ text: String) -> [String] {
      Decode.document(text).diagnostics.all.map { "\($0.range.map { "\($0.start.line):\($0.start.column)" } ?? "-") \($0.message)" }
    }
    #expect(places("\u{FEFF}" + text) == places(text))
  }

  @Test func `a byte order mark at the start of a document does not change how diagnostics of the document are shown`() {
    func shown(_ text: String) -> String {
      Decode.document(text).diagnostics.all.map { DiagnosticRenderer().render($0).plain }.joined(separator: "\n")
    }
    #expect(shown("\u{FEFF}{garland: 1, stepz: {}}") == shown("{garland: 1, stepz: {}}"))
  }

  @Test func `the language reference states the maximum size of a document`() throws {
    let page = try String(contentsOfFile: Repository.path("docs/language/diagnostics.md"), encoding: .utf8)
    #expect(page.contains("The file is larger than \(YAMLLimits().fileSize >> 20) MiB."))
  }
}
