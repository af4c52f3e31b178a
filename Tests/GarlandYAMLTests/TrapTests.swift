import GarlandDiagnostics
import GarlandYAML
import TestSupport
import Testing

@Suite struct TrapTests {
  /// Each case is a text with the code of its diagnostic. The golden file shows the messages, places and fixes.
  static let cases: [(text: String, code: DiagnosticCode)] = [
    ("step: { get: ${vars.base}/x, expect: 1 }", .unquotedExpression),
    ("steps:\n  a: { get: /x, headers: { X: ${vars.x} } }", .unquotedExpression),
    ("that: [${a.b} == 1, 'x']", .unquotedExpression),
    ("a: {\n  b: 1,\n  c: it's ${x}\n}", .unquotedExpression),
    ("extract: { id: $.items[0].id }", .unquotedBrackets),
    ("a: [$.x[?@.y == 1], 2]", .unquotedBrackets),
    ("json: { $.items[0]: { type: array } }", .unquotedBrackets),
    ("json: { $.items[?@.a == 'b: c'].id : 5, b: 1 }", .unquotedBrackets),
    ("expect: { matches: [0-9]+ }", .unquotedBrackets),
    ("expect:\n  matches: [0-9]+", .unquotedBrackets),
    ("expect: { matches: ^[a-z]{2,3}$ }", .unquotedBrackets),
    ("url: {{ host }}/x", .foreignTemplate),
    ("url: {{ user.name }}", .foreignTemplate),
    ("a: [ {{host}} ]", .foreignTemplate),
    ("when: ${a ? b : c}", .unquotedColon),
    ("message: Error: it failed", .unquotedColon),
    ("- when: ${x.y == 'a: b'}", .unquotedColon),
    ("that:\n  - ${json.name == 'a: b'}", .unquotedColon),
    ("url: ${vars.base # comment}", .cutByComment),
    ("url: ${vars.a ?? '#1'} and ${b #c} x # note", .cutByComment),
    ("title: Issue #${create.id} is open", .cutByComment),
    ("color: #${x.y}", .cutByComment),
    ("a:\n\tb: 1", .tabIndentation),
    ("a:\n  b: 1\n\tc: 2", .tabIndentation),
    ("a: \"open\nb: 1\n", .unbalancedQuotes),
    ("a: 'it's'", .unbalancedQuotes),
    ("a: \"${x}\" == \"y\"", .unbalancedQuotes),
    ("a: [\"b\" c]", .unbalancedQuotes),
    ("re: \"\\d+\"", .invalidEscape),
    ("re: \"\\ud83d\\ude00\"", .invalidEscape),
    ("re: \"\\xZZ\"", .invalidEscape),
    ("user: @alice", .unquotedIndicator),
    ("user: `date`", .unquotedIndicator),
    ("a: { b: @alice, c: 1 }", .unquotedIndicator),
    ("rate: %5", .unquotedIndicator),
    ("%5: x", .unquotedIndicator),
    ("host: *.example.com", .unquotedIndicator),
    ("host: *example", .undefinedAlias),
    ("steps: &s {a: 1}\nhost: *steps", .undefinedAlias),
    ("query: &x.y=1", .unquotedIndicator),
    ("size: >5", .unquotedIndicator),
    ("body: |x", .unquotedIndicator),
    ("when: !ready", .unknownTag),
    ("when: !a!b", .unknownTag),
    ("a: {b:1, c:2}", .missingSpace),
    ("a: 1\nb:2\nc: 3", .missingSpace),
    ("a: 1\nb\nc: 3", .yamlSyntax),
    ("a: - b", .yamlSyntax),
    ("a: [1, 2\nb: 3", .yamlSyntax),
    ("a: [1, 2", .yamlSyntax),
    ("a: {b: 1 c: 2}", .yamlSyntax),
    ("a: ]", .yamlSyntax),
    ("a: [1, , 2]", .yamlSyntax),
    ("a:\n  b: 1\n c: 2", .invalidIndentation),
    ("a:\n    b: 1\n  c: 2", .invalidIndentation),
    ("a: 1\n  b: 2", .invalidIndentation),
    ("a:\n  - 1\n  b: 2", .invalidIndentation),
    ("- 1\nb: 2", .invalidIndentation),
    ("a\nb: 1", .yamlSyntax),
    (": x", .invalidKey),
    ("%YAML 3.0\n---\na: 1", .yamlSyntax),
    ("?\n: 1", .invalidKey),
    ("a: 1\n]", .yamlSyntax),
    ("a: 1\n,", .yamlSyntax),
    ("[a, b]: 1", .invalidKey),
  ]

  @Test func `each common YAML mistake, such as an unquoted expression, is reported with its code and an explanation`() {
    var all = ""
    for (text, code) in Self.cases {
      let diagnostics = parse(text).diagnostics
      #expect(diagnostics.first?.code == code, "\(text): \(diagnostics.map { "\($0.code) \($0.message)" })")
      all += "=== " + text.replacing("\n", with: "⏎").replacing("\t", with: "⇥") + "\n"
      let renderer = DiagnosticRenderer(width: 100)
      for diagnostic in diagnostics { all += renderer.render(diagnostic).plain }
      all += "\n"
    }
    expectGolden(all, "traps.txt")
  }

  @Test(arguments: cases.map(\.text)) func `applying the fix for a common YAML mistake makes the text valid`(text: String) {
    let proof = FixProof(of: "test.yaml") { parse(String(decoding: $0, as: UTF8.self)).diagnostics }
    #expect(proof.result(for: Array(text.utf8)).mistakes == [])
  }

  /// These texts resemble a trap but are valid.
  @Test(
    arguments: [
      "a: ${x.y} # comment", "a: ${x} # ${y}", "a: 'b: c'", "a: { b: '${x}' }", "a: http://x/y", "a: [1, {b: c}, [d]]", "a: {b: c, d: [e]}",
      "a: ${x | f('y')}", "- {a: 1}\n- [b]", "a: b #c", "{a: http://x:80/y}", "a: $${x # y", "a: {http://x}", "a: [x:y]",
    ])
  func `a valid text that looks similar to a common YAML mistake is accepted`(_ text: String) {
    #expect(parse(text).diagnostics == [])
  }
}
