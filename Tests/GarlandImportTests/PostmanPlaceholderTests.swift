import Testing

@testable import GarlandImport

/// Tests of which parts of a text are variables in Postman.
@Suite struct PostmanPlaceholderTests {
  @Test(
    arguments: [
      ("", []), ("plain", ["'plain'"]), ("{{a}}", ["a"]), ("x{{ a b }}y", ["'x'", "a b", "'y'"]), ("{{a}}{{b}}", ["a", "b"]),
      ("{{}}{{a}}", ["'{{}}'", "a"]), ("{{{a}}}", ["'{'", "a", "'}'"]), ("{{{{a}}", ["'{{'", "a"]), ("{{a{{b}}", ["'{{a'", "b"]),
      ("{{a}b}} {{c}}", ["'{{a}b}} '", "c"]), ("{{a", ["'{{a'"]), ("a{", ["'a{'"]), ("{", ["'{'"]), ("{{", ["'{{'"]), ("{{a}", ["'{{a}'"]),
      (#"{"x":{"y":{{n}}}}"#, [#"'{"x":{"y":'"#, "n", "'}}'"]), ("ü{{ö}}\u{301}", ["'ü'", "ö", "'\u{301}'"]),
    ] as [(String, [String])]) func `a text of a Postman collection is split into literal parts and placeholders`(
      text: String, expected: [String]
    )
  {
    let pieces = PostmanPlaceholder.pieces(of: text)
    #expect(
      pieces.map { piece in
        switch piece {
        case .literal(let literal): "'\(literal)'"
        case .name(let name): name
        }
      } == expected)
  }

  /// An earlier version needed quadratic time, and memory for the ends of all braces.
  @Test(.timeLimit(.minutes(15)))
  func `a text of a Postman collection with many opening braces is split into literal parts and placeholders in linear time`() {
    #expect(PostmanPlaceholder.pieces(of: String(repeating: "{", count: 300_000)).count == 1)
    #expect(PostmanPlaceholder.pieces(of: String(repeating: "{{a}}, ", count: 50_000)).count == 100_000)
  }
}
