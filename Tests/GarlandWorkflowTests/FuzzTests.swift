import GarlandDiagnostics
import TestSupport
import Testing

@testable import GarlandWorkflow

/// Tests that random documents never crash or hang the decoder, and that each error has a place.
@Suite struct FuzzTests {
  static let words = [
    "vars.user", "vars", ".", "[", "]", "(", ")", "|", "||", "&&", "!", "==", "!=", "<", "<=", "+", "-", "*", "/", "??", ",", "'a'", "\"b",
    "1", "2.5",
    "1e999", "item", "index", "map", "filter", "sort", "create", "response", ".json", ".id", "[0]", "['k']", "upper", "add", "date",
    "uuid()", "}", "{", "$",
    "${", "é", "\\", "true", "null", " ", "\n", "range", "9223372036854775807", "random(1,2)", "file('x')", "join", "split('')", "env.X",
    "secrets.K",
  ]

  @Test func `expressions of random words never crash the compiler of expressions`() throws {
    var random = SeededRandom(seed: 1)
    let workflow = try #require(Decode.document(ExpressionTests.document).workflow)
    var compiled = 0
    for _ in 0..<DeepTests.rounds(6_000, otherwise: 1_500) {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(
        separator: Bool.random(using: &random) ? " " : "")
      var diagnostics = DiagnosticList()
      let template = workflow.template("${\(text)}", name: "fuzz", into: &diagnostics)
      #expect((template == nil) == diagnostics.hasErrors, "\(text)")
      for diagnostic in diagnostics.all { #expect(diagnostic.range != nil, "\(text)") }
      if let template {
        compiled += 1
        _ = try? template.evaluate(in: TestContext(workflow))
      }
    }
    #expect(compiled > DeepTests.rounds(30, otherwise: 5))
  }

  @Test func `documents with random changes never crash the decoder`() {
    var random = SeededRandom(seed: 2)
    let sources = MistakesTests.documents.map(\.text) + [ExpressionTests.document, DecodingTests.everything]
    let pieces =
      Self.words + [
        "\n", "  ", ": ", "- ", "{", "}", "get: /x\n", "expect: ", "status", "json", "&a ", "*a", "<<: ", "#", "'", "\t", "\u{0}", "|",
      ]
    for round in 0..<DeepTests.rounds(1_500, otherwise: 500) {
      var text = Array((sources[round % sources.count]).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").utf8), at: at)
        case 1: text.removeSubrange(at..<min(text.count, at + Int.random(in: 0...9, using: &random)))
        default: if at < text.count { text[at] = UInt8.random(in: 0...255, using: &random) }
        }
      }
      let options = WorkflowDecoder.Options(files: FileAccess(Decode.files, roots: ["/project"]))
      let (workflow, diagnostics) = WorkflowDecoder.decode(name: "fuzz.yaml", bytes: text, directory: "/project", options: options)
      #expect((workflow == nil) == diagnostics.hasErrors, "\(String(decoding: text, as: UTF8.self))")
      _ = DiagnosticRenderer().render(diagnostics)
    }
  }
}
