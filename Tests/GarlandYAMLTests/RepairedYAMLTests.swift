import GarlandDiagnostics
import Testing

@testable import GarlandYAML

/// Tests texts with several syntax errors, which are all reported at once.
@Suite(.timeLimit(.minutes(15))) struct RepairedYAMLTests {
  private func repaired(_ text: String) -> RepairedYAML? { RepairedYAML(SourceFile(name: "w.yaml", bytes: Array(text.utf8))) }

  /// Returns the place and the text of each error.
  private func places(_ list: DiagnosticList) -> [String] {
    list.all.compactMap(\.range).map { "\($0.start.line):\($0.start.column) \($0.text)" }
  }

  @Test func `the repair of YAML errors does not change valid YAML`() {
    #expect(repaired("a: 1\nb: [1, 2]\n") == nil)
    #expect(repaired("") == nil)
  }

  @Test func `if a YAML text has several syntax errors, each is reported at its position`() throws {
    let text = "a: 'x' y\nb: 1\nc: @d\ne: `f\n"
    let result = try #require(repaired(text))
    #expect(places(result.diagnostics) == ["1:8 y", "3:4 @d", "4:4 `f"])
    #expect(result.documents?.first?.root?.mapping?.count == 4)
  }

  @Test func `YAML indented with tabs is read as if it were indented with spaces`() throws {
    let text = "steps:\n\ta:\n\t\tget: x\n\tb:\n\t\tget: y\n"
    let result = try #require(repaired(text))
    #expect(result.diagnostics.all.allSatisfy { $0.code == .tabIndentation } && result.diagnostics.all.count == 4)
    let steps = try #require(result.documents?.first?.root?.mapping?["steps"]?.mapping)
    #expect(steps.entries.map(\.name) == ["a", "b"])
    #expect(steps["b"]?.mapping?["get"]?.scalar?.text == "y")
  }

  @Test func `an error found in repaired YAML has its position in the original text`() throws {
    let result = try #require(repaired("a: @x\nb: 1\nb: 2\n"))
    #expect(places(result.moved(result.found)) == ["3:1 b"])
  }

  /// No repair repeats an earlier repair: a text of quotes would double each time.
  @Test(arguments: [
    "a: '" + String(repeating: "x: '", count: 4_000), "a: " + String(repeating: "'b' ", count: 4_000),
    String(repeating: "\t'", count: 3_000),
    String(repeating: "- @'\n", count: 2_000), "a: " + String(repeating: "{", count: 90) + "'" + String(repeating: ": '", count: 3_000),
  ]) func `a YAML text with thousands of errors gives at most 101 diagnostics`(text: String) {
    let result = repaired(text)
    #expect((result?.diagnostics.all.count ?? 1) <= 101)
  }
}
