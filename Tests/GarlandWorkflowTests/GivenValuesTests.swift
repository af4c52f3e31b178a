import GarlandDiagnostics
import GarlandJSON
import Testing

@testable import GarlandWorkflow

/// Tests of values from the command line and from files.
@Suite struct GivenValuesTests {
  @Test(arguments: [
    ("a=5", JSONValue(5)), ("a=", ""), ("a=true", true), ("a=null", .null), ("a=012", "012"), ("a=x: y # z", "x: y # z"), ("a='5'", "5"),
    ("a={b: [1]}", .object(["b": .array([1])])),
    ("a=b=c", "b=c"), ("a=*x", "*x"),
  ])
  func `the type of a --var value follows from its text`(_ argument: String, _ expected: JSONValue) {
    var diagnostics = DiagnosticList()
    #expect(ValuesFile.variable(argument, into: &diagnostics)?.value == expected)
    #expect(diagnostics.isEmpty)
  }

  @Test(arguments: [
    #"{"name": "Local", "values": [{"key": "A", "value": "1"}]}"#,
    #"{"id": "1", "values": [], "_postman_variable_scope": "globals"}"#,
  ])
  func `a values file that is an environment exported from Postman is refused`(_ text: String) {
    var diagnostics = DiagnosticList()
    #expect(ValuesFile.variables(name: "e.json", bytes: Array(text.utf8), into: &diagnostics).isEmpty)
    #expect(diagnostics.all.map { $0.helps.map(\.message) } == [[ValuesFile.adviceOnPostman]])
  }

  @Test func `a values file may have a variable with the name 'values'`() {
    var diagnostics = DiagnosticList()
    let text = #"{"values": [{"name": "A"}], "list": []}"#
    #expect(ValuesFile.variables(name: "e.json", bytes: Array(text.utf8), into: &diagnostics).map(\.name.value) == ["values", "list"])
    #expect(diagnostics.isEmpty)
  }

  @Test(arguments: ["a", "=5", "1a=5", "a b=5", "a={b"])
  func `--var refuses an argument that is not NAME=VALUE`(_ argument: String) {
    var diagnostics = DiagnosticList()
    #expect(ValuesFile.variable(argument, into: &diagnostics) == nil)
    #expect(diagnostics.hasErrors)
  }

  @Test(arguments: [
    "PW=[hunter2x", "PW={a: *hunter2x}", "PW=\"hunter2x\\q\"", "PW='hunter2x", "PW={a: hunter2x, a: y}", "PW=[a]\n---\n[hunter2x]",
    "hunter2x",
    "PW:hunter2x", "PW hunter2x=y", "PW={hunter2x: !z y}", "PW=[a] hunter2x", "PW={? [hunter2x] : y}",
  ]) func `the error for an invalid --var value has a position and does not show the value`(_ argument: String) {
    for isText in argument.hasPrefix("PW=") ? [false] : [false, true] {
      var diagnostics = DiagnosticList()
      let value = isText ? ValuesFile.textVariable(argument, into: &diagnostics) : ValuesFile.variable(argument, into: &diagnostics)
      #expect(value == nil && diagnostics.hasErrors)
      let shown = DiagnosticRenderer(width: 100).render(diagnostics).plain
      #expect(!shown.contains("unter2x"), "\(shown)")
      if argument.hasPrefix("PW=") { #expect(shown.contains(": --var PW:"), "\(shown)") }
    }
  }

  @Test func `a file of values with two YAML documents is refused`() {
    for text in ["a: 1\n---\nb: 2\n", "---\n---\na: 1\n---\nb: 2\n", "a: 1\n...\n---\nb: 2\n"] {
      var diagnostics = DiagnosticList()
      _ = ValuesFile.variables(name: "v.yaml", bytes: Array(text.utf8), into: &diagnostics)
      #expect(diagnostics.all.map(\.code) == [.severalDocuments], "\(text)")
    }
    for text in ["---\na: 1\n", "---\n---\na: 1\n", "a: 1\n---\n", "a: 1\n...\n"] {
      var diagnostics = DiagnosticList()
      #expect(ValuesFile.variables(name: "v.yaml", bytes: Array(text.utf8), into: &diagnostics).count == 1, "\(text)")
      #expect(diagnostics.isEmpty, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("{\"A\": \"b\"}", .json), ("\u{FEFF}\n { \n\"A\": 1 }", .json), ("{}", .json), ("{", .json), ("{ A: b }", .yaml), ("{A=b}", .yaml),
      ("# c\n{\"A\": b}", .yaml), ("A: b", .yaml), ("---\nA: b", .yaml), ("", .yaml), ("# c\nexport A=b", .dotenv), ("A = b", .dotenv),
    ] as [(String, ValuesFile.Format)])
  func `if the name of a values file has no extension, the content of the file determines its format`(
    text: String, format: ValuesFile.Format
  ) {
    #expect(ValuesFile.Format(content: Array(text.utf8)) == format)
  }

  @Test func `the values of variables are read from dotenv, JSON and YAML files`() {
    var diagnostics = DiagnosticList()
    let dotenv = "# c\nexport A=1 # x\nB=\"a\\nb\"\n\nC='x #y'\nD=\nE = f g \n"
    #expect(
      ValuesFile.secrets(name: "x/.env.test", bytes: Array(dotenv.utf8), into: &diagnostics).map(\.value) == [
        "1", "a\nb", "x #y", "", "f g",
      ])
    #expect(
      ValuesFile.variables(name: "v.json", bytes: Array(#"{"a": 1.50, "b": [true]}"#.utf8), into: &diagnostics).map(\.value) == [
        1.5, [true],
      ])
    #expect(
      ValuesFile.variables(name: "v.yaml", bytes: Array("a: {b: no}\nc: 2".utf8), into: &diagnostics).map(\.value) == [["b": "no"], 2])
    #expect(diagnostics.isEmpty)
    _ = ValuesFile.variables(name: "v.yaml", bytes: Array("a: ${vars.x}".utf8), into: &diagnostics)
    #expect(diagnostics.all.map(\.code) == [.literalExpression] && !diagnostics.hasErrors)
    for (name, text) in [
      ("a.env", "novalue"), ("a.env", "A=\"x"), ("a.json", "{"), ("a.json", "[]"), ("a.yaml", "- a"), ("a.yaml", "'b c': 1"),
    ] {
      var diagnostics = DiagnosticList()
      _ = ValuesFile.variables(name: name, bytes: Array(text.utf8), into: &diagnostics)
      #expect(diagnostics.hasErrors, "\(text)")
    }
  }

  /// A document that is run directly gets its inputs from the command line, converted to their declared types.
  @Test func `inputs from the command line have the declared types`() throws {
    let text =
      "garland: 1\ninputs: { n: { type: number }, b: { type: boolean, default: false }, s }\n"
      + "steps: { a: { get: 'http://h/${inputs.n}/${inputs.b}/${inputs.s ?? 1}' } }\n"
    let file = SourceFile(name: "command line", bytes: Array("n".utf8))
    func given(_ name: String, _ value: JSONValue) -> (workflow: Workflow?, diagnostics: DiagnosticList) {
      let name = Located(name, at: SourceRange(file, 0..<1))
      return Decode.document(text, overrides: [WorkflowDecoder.Override(name: name, value: value, origin: .commandLine)])
    }
    #expect(try #require(given("n", 5).workflow).inputs[0].given == 5)
    #expect(try #require(given("n", "5.50").workflow).inputs[0].given?.jsonText() == "5.50")
    #expect(try #require(given("b", "true").workflow).inputs[1].given == true)
    #expect(try #require(given("s", [1]).workflow).inputs[2].given == [1])
    for (name, value) in [("n", "many"), ("n", true), ("n", []), ("b", "yes"), ("b", 1)] as [(String, JSONValue)] {
      let (workflow, diagnostics) = given(name, value)
      #expect(workflow == nil)
      #expect(diagnostics.all.map(\.code) == [.wrongType], "\(name) \(value.jsonText())")
    }
  }
}
