import GarlandDiagnostics
import GarlandYAML
import Testing

/// Tests hostile input: each text ends quickly (otherwise the suite would take minutes) and with a clear error.
@Suite struct HostileTests {
  func codes(_ text: String, limits: YAMLLimits = YAMLLimits()) -> [DiagnosticCode] { parse(text, limits: limits).diagnostics.map(\.code) }

  @Test func `a YAML file of a million brackets gives a single error`() {
    #expect(codes(String(repeating: "[", count: 1_000_000)) == [.nestedTooDeep])
    #expect(codes(String(repeating: "{a: ", count: 200_000)) == [.nestedTooDeep])
    #expect(codes(String(repeating: "[\n", count: 200_000)) == [.nestedTooDeep])
    #expect(codes(String(repeating: "]", count: 200_000)) == [.yamlSyntax])
    #expect(codes(String(repeating: "[{", count: 200_000)) == [.nestedTooDeep])
  }

  @Test func `YAML block collections that are nested too deep give a single error`() {
    #expect(codes(String(repeating: "- ", count: 1_000_000)) == [.nestedTooDeep])
    #expect(codes(String(repeating: "? ", count: 100_000)) == [.nestedTooDeep])
    #expect(codes((0..<2000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()) == [.nestedTooDeep])
  }

  @Test func `a YAML nesting depth of 100 is accepted, and a depth of 101 is refused, even through an alias`() {
    #expect(codes(String(repeating: "[", count: 100) + String(repeating: "]", count: 100)) == [])
    #expect(codes(String(repeating: "[", count: 101) + String(repeating: "]", count: 101)) == [.nestedTooDeep])
    let deep = "a: &a " + String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    #expect(codes(deep + "\nb: " + String(repeating: "[", count: 39) + "*a" + String(repeating: "]", count: 39)) == [])
    #expect(codes(deep + "\nb: " + String(repeating: "[", count: 40) + "*a" + String(repeating: "]", count: 40)) == [.nestedTooDeep])
  }

  @Test func `YAML aliases that expand to too many nodes are refused`() {
    var laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1..<20 {
      laughs += "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ") + "]\n"
    }
    #expect(codes(laughs) == [.aliasExpansion])
    let chain = "- &a0 [x]\n" + (1..<100_000).map { "- &a\($0) [*a\($0 - 1)]\n" }.joined()
    #expect(codes(chain) == [.nestedTooDeep])
    var merges = "- &a0 {k: v}\n"
    for level in 1..<40 { merges += "- &a\(level) {<<: [*a\(level - 1), *a\(level - 1)], k\(level): v}\n" }
    #expect(codes(merges).contains(.aliasExpansion))
  }

  @Test func `a YAML file with 20,000 aliases of one small mapping is accepted`() {
    let text = "common: &c {Accept: application/json, X-A: b}\nlist:\n" + (0..<20_000).map { "- {n: \($0), headers: *c}\n" }.joined()
    #expect(codes(text) == [])
  }

  @Test func `a YAML line, key or list of 200,000 characters causes no crash and only the expected error`() throws {
    let long = String(repeating: "x", count: 200_000)
    #expect(codes(long) == [])
    #expect(codes("a: \"\(long)\"") == [])
    #expect(codes("a: '\(long)") == [.unbalancedQuotes])
    #expect(codes("a: \(String(repeating: "word ", count: 40_000))") == [])
    #expect(codes("\(long): 1").count == 1)
    #expect(codes("? \(long)\n: 1") == [])
    #expect(codes("a: [\(String(repeating: "1,", count: 100_000))]") == [])
    #expect(codes("a: {\(String(repeating: "\"k\": 1,", count: 20_000))}").last == .tooManyErrors)
    #expect(codes("a: &\(long) 1\nb: *\(long)") == [])
    #expect(codes("a: !\(long) 1") == [.unknownTag])
    #expect(codes("# \(long)\n" + String(repeating: "#\n", count: 100_000) + "a: 1") == [])
    #expect(codes(String(repeating: "\n", count: 200_000) + "a: 1") == [])
    #expect(codes(String(repeating: "é", count: 100_000) + ": [" + String(repeating: "ü, ", count: 40_000)).count == 1)
  }

  @Test func `if a YAML file has more errors than the limit, the last diagnostic is 'too-many-errors'`() {
    let text = (0..<2000).map { "k\($0): *x\($0)\n" }.joined()
    let all = codes(text)
    #expect(all.count == 501 && all.last == .tooManyErrors)
    #expect(codes("a: *b\nc: *d\ne: f\n", limits: YAMLLimits(errors: 2)) == [.undefinedAlias, .undefinedAlias, .tooManyErrors])
  }

  @Test func `a YAML file larger than the size limit is refused`() {
    #expect(codes("a: 1", limits: YAMLLimits(fileSize: 3)) == [.fileTooLarge])
    #expect(codes("a: 1", limits: YAMLLimits(fileSize: 4)) == [])
  }

  @Test func `a YAML file of 20,000 documents is read in full`() {
    #expect(parse(String(repeating: "---\na\n", count: 20_000)).documents.count == 20_000)
  }
}
