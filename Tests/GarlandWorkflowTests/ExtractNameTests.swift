import Testing

@testable import GarlandWorkflow

/// Tests of extracts whose names are expressions.
@Suite struct ExtractNameTests {
  private func messages(_ steps: String, overrides: [WorkflowDecoder.Override] = []) -> [String] {
    Decode.document(
      "garland: 1\nvars: { n: token, k: 1, list: [a], s: \"${secrets.S}\", d: 'x y', r: status }\nsecrets: [S]\nsteps:\n" + steps,
      overrides: overrides
    )
    .diagnostics.all.filter { $0.severity == .error }.map(\.message)
  }

  @Test(arguments: ["a.token", "a['token']", "a[vars.n]", "a.key_1", "a.token_x"])
  func `if the name of an extract comes from a variable, expressions refer to the extract by the variable's value`(_ use: String) {
    let steps =
      "  a: { get: http://h/, extract: { \"${vars.n}\": $.t, \"key_${vars.k}\": $.k, \"${vars.n}_x\": $.x } }\n  b: { get: \"http://h/${\(use)}\" }\n"
    #expect(messages(steps) == [])
  }

  @Test func `an undefined extract is reported even if another extract's name contains a variable`() {
    #expect(
      messages("  a: { get: http://h/, extract: { \"${vars.n}\": $.t } }\n  b: { get: \"http://h/${a.tokn}\" }\n") == [
        "`a` has no member `tokn`"
      ])
  }

  @Test(arguments: ["${run.id}", "${vars.list}", "${vars.s}", "${secrets.S}", "${now()}", "${vars.n | upper}", "${item}"])
  func `a name under the key 'extract' is refused if the name is not known before the run`(_ name: String) {
    let found = messages("  a: { get: http://h/, for_each: [1, 2], extract: { \"\(name)\": $.t } }\n")
    #expect(
      found.first == "the name of an extract has to be known before the run"
        || found.first == "expected the name of an extract, found a list")
  }

  @Test(arguments: [("${vars.d}", "`x y` can't be the name of an extract"), ("${vars.r}", "`status` can't be the name of an extract")])
  func `if a name under the key 'extract' comes from a variable, an invalid name is refused`(_ name: String, _ message: String) {
    #expect(messages("  a: { get: http://h/, extract: { \"\(name)\": $.t } }\n") == [message])
  }

  @Test func `if a variable gives an extract the same name as another extract of the step, the document is refused`() {
    #expect(
      messages("  a: { get: http://h/, extract: { token: $.t, \"${vars.n}\": $.t } }\n") == [
        "another extract of the step has the name `token`"
      ])
  }
}
