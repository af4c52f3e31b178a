import GarlandDiagnostics
import GarlandYAML
import Testing

@Suite struct ScalarMapTests {
  /// Returns the source of each occurrence of `needle` in the value of `a`.
  func source(_ text: String, _ needle: String) throws -> String {
    let node = try #require(parse(text).documents.first?.root?.mapping?["a"])
    let scalar = try #require(node.scalar)
    let found = try #require(scalar.text.firstRange(of: needle))
    let lower = scalar.text.utf8.distance(from: scalar.text.startIndex, to: found.lowerBound)
    return scalar.sourceRange(of: lower..<lower + needle.utf8.count, in: node).text
  }

  @Test(
    arguments: [
      ("a: x ${b} y", "${b}", "${b}"), ("a: ä ${ü} y", "${ü}", "${ü}"), ("a: 'it''s ${b}'", "${b}", "${b}"), ("a: 'it''s'", "t's", "t''s"),
      ("a: \"\\u00e9\\n${b}\\\"x\"", "${b}\"", "${b}\\\""), ("a: \"\\x41\\U0001F600\"", "😀", "\\U0001F600"),
      ("a: \"one \\\n   two\"", "two", "two"), ("a: \"one\n\n   two\"", "e\ntwo", "e\n\n   two"),
      ("a: one\n  two\n\n  three", "two\nth", "two\n\n  th"),
      ("a: |\n   one\n   ${b}\n\n   x\n", "${b}\n", "${b}\n"), ("a: |2\n    one\n   two\n", "two", "two"),
      ("a: >\n  one\n  two\n\n  three\n    four\n  five\n", "two\nthree", "two\n\n  three"), ("a: >\n  one\n  two\n", "e t", "e\n  t"),
      ("a: >\n  x\n    more\n  ${b}\n", "${b}", "${b}"), ("a: |\n\n  x ${b}\n", "${b}", "${b}"), ("a: >\n\n  x ${b}\n", "${b}", "${b}"),
      ("a: |\r\n  x\r\n  ${b}\r\n", "${b}", "${b}"),
    ] as [(String, String, String)])
  func `a part of a YAML scalar's text is mapped to the source from which this part was read`(
    _ text: String, _ needle: String, _ expected: String
  ) throws {
    #expect(try source(text, needle) == expected)
  }

  @Test func `a source range within a YAML scalar never extends beyond the scalar`() throws {
    let node = try #require(parse("a: \"x\\ny\"").documents.first?.root?.mapping?["a"])
    let scalar = try #require(node.scalar)
    #expect(scalar.sourceRange(of: 1..<1, in: node).offsets == 5..<5)
    #expect(scalar.sourceRange(of: 3..<3, in: node).offsets == 8..<8)
    #expect(scalar.sourceRange(of: 2..<99, in: node).text == "y")
  }
}
