import GarlandJSON
import TestSupport
import Testing

@Suite("Regular expressions")
struct RegularExpressionTests {
  @Test("a match gives its groups by number and by name, and its range in bytes")
  func groups() throws {
    let expression = try RegularExpression(#"(?<year>\d{4})-(\d\d)(?:-(?<day>\d\d))?"#)
    let match = try #require(try expression.firstMatch(in: "é 2024-05!"))
    #expect(match.text == "2024-05")
    #expect(match.range == 3..<10)
    #expect(match["year"] == "2024")
    #expect(match[2] == "05")
    #expect(match["day"] == nil)
    #expect(match[9] == nil)
    #expect(match["month"] == nil)
    #expect(expression.groupNames == ["year", "day"])
    #expect(expression.groupCount == 3)
    #expect(try expression.firstMatch(in: "2024") == nil)
  }

  @Test(
    "all matches of a pattern are found in order, including empty matches",
    arguments: [
      ("a", "banana", ["a", "a", "a"]), ("x*", "axb", ["", "x", "", ""]), ("", "éa", ["", "", ""]), ("aa", "aaaaa", ["aa", "aa"]),
      ("z", "a", []), (".", "é😀", ["é", "😀"]), ("x*", "", [""]),
    ] as [(String, String, [String])])
  func all(pattern: String, text: String, found: [String]) throws {
    #expect(try RegularExpression(pattern).matches(in: text).map(\.text) == found)
    #expect(try RegularExpression(pattern).matches(in: text, limit: 1).map(\.text) == Array(found.prefix(1)))
  }

  @Test("each option of a regular expression changes what it matches")
  func options() throws {
    #expect(try RegularExpression("ABC", options: .caseInsensitive).matches("xabcx"))
    #expect(try !RegularExpression("abc", options: .wholeText).matches("xabc"))
    #expect(try RegularExpression("ab|abc", options: .wholeText).matches("abc"))
    #expect(try RegularExpression("^b$", options: .multiline).matches("a\nb\nc"))
    #expect(try RegularExpression("a.b", options: .dotMatchesLineBreaks).matches("a\nb"))
    #expect(try RegularExpression("a b # c", options: .extended).matches("ab"))
  }

  @Test(
    "an invalid pattern is refused with the offset of the error",
    arguments: [("a(b", 3), ("a)", 1), ("[z-a]", 3), ("é(*", 3), ("a{2,1}", 5), ("\\", 1), ("(?<1>a)", 3), ("a\\C", 3)])
  func mistakes(pattern: String, offset: Int) {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
    #expect(error?.offset == offset, "\(String(describing: error))")
  }

  @Test(
    "a pattern with catastrophic backtracking stops at the step limit, with or without JIT compilation",
    arguments: [
      ("(a+)+$", String(repeating: "a", count: 40) + "!"), ("(a|a)*[bc]", String(repeating: "a", count: 40)),
      ("(.*)*[xy]", String(repeating: "ab", count: 30)),
      ("^(([a-z])+.)+[A-Z]([a-z])+$", String(repeating: "a", count: 60)), ("(?:(?:a?){30}){30}[bc]", String(repeating: "a", count: 200)),
    ])
  func catastrophes(pattern: String, text: String) throws {
    let expression = try RegularExpression(pattern, limits: RegularExpression.Limits(steps: 100_000))
    for _ in 0..<4 {
      #expect(throws: RegularExpressionMatchingError.tooComplex(pattern: pattern)) { try expression.matches(text) }
    }
  }

  @Test("matching a slow pattern in a long text stops at the time limit")
  func longText() throws {
    let limits = RegularExpression.Limits(steps: 10_000_000, duration: .milliseconds(30))
    let expression = try RegularExpression("[a-z]*[a-z]*[xy]!?[.,]", limits: limits)
    #expect(throws: RegularExpressionMatchingError.self) { try expression.matches(String(repeating: "a", count: 20_000)) }
  }

  /// Each step of these patterns compares half of the text.
  @Test(
    "matching a backreference in a long text stops at the time limit, with or without JIT compilation",
    arguments: [#"(?i)(a*)\1[bc]"#, #"(a*)\1[bc]"#, #"(?i)^(a{0,65535})\1[bc]"#, #"(?i)(?:(a*)\1)*[bc]"#, #"(?<x>a*)\k<x>[bc]"#])
  func longBackreferences(pattern: String) throws {
    let expression = try RegularExpression(pattern, limits: RegularExpression.Limits(duration: .milliseconds(30)))
    let text = String(repeating: "a", count: 200_000)
    for _ in 0..<5 { #expect(throws: RegularExpressionMatchingError.tooComplex(pattern: pattern)) { try expression.matches(text) } }
    #expect(try expression.matches("aaaac"))
    #expect(try !expression.matches("aad"))
  }

  @Test("a match far into a long text is found, even across the boundary of two searched sections")
  func stretches() throws {
    let expression = try RegularExpression("(?<=é)x(é+)y")
    for length in [0, 1, 63, 64, 127, 128, 129, 500, 5000] {
      let text = String(repeating: "é", count: length) + "éxéééy" + String(repeating: "é", count: 300)
      for _ in 0..<4 {
        #expect(try expression.firstMatch(in: text)?.range == (2 * length + 2)..<(2 * length + 10))
      }
    }
  }

  @Test("a text that is too long for the JIT stack is still matched")
  func smallStack() throws {
    let expression = try RegularExpression("^(?:(a)|(b))*$", limits: RegularExpression.Limits(steps: 10_000_000, memory: 100_000))
    let text = String(repeating: "ab", count: 20_000)
    for _ in 0..<5 { #expect(try expression.matches(text)) }
  }

  @Test("many tasks can use one expression at the same time")
  func concurrency() async throws {
    let expression = try RegularExpression(#"(\w+)@(\w+)\.com"#)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { try expression.firstMatch(in: "to user\(number)@example.com")?[1] == "user\(number)" }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  // MARK: I-Regexp

  @Test(
    "I-Regexp patterns match, or are refused, as RFC 9485 says",
    arguments: [
      ("a.*", "abc", true), ("a.*", "xabc", false), ("a.c", "a\nc", false), ("a.c", "a\rc", false), ("a.c", "a\u{2028}c", true),
      ("[^a]", "\n", true), (#"\p{Lu}\p{L}*"#, "Émile", true),
      (#"\P{Nd}"#, "5", false), ("a|bc", "bc", true), ("a|bc", "ab", false), ("(a|b){2,3}", "aba", true), ("(a|b){2,}", "a", false),
      ("x{0}", "", true), (#"\.\*\\\n"#, ".*\\\n", true),
      ("[-a]", "-", true), ("[a-]", "-", true), (#"[a\-c]"#, "b", false), (#"[\^x]"#, "^", true), ("[a^]", "^", true), ("", "", true),
      ("a||b", "", true), ("[0-9a-fA-F]+", "dEad9", true), ("😀+", "😀😀", true),
      (#"[\p{Lu}\d]"#, "", nil), ("😀", "x", false),
    ] as [(String, String, Bool?)])
  func iRegexp(pattern: String, text: String, isMatch: Bool?) throws {
    guard let isMatch else {
      #expect(throws: RegularExpressionError.self) { try RegularExpression(iRegexp: pattern, matchesWholeText: true) }
      return
    }
    #expect(try RegularExpression(iRegexp: pattern, matchesWholeText: true).matches(text) == isMatch)
  }

  @Test(
    "an I-Regexp pattern with syntax beyond RFC 9485 is refused with the offset of the error",
    arguments: [
      (#"\d"#, 0), (#"a\w"#, 1), (#"\s"#, 0), (#"\b"#, 0), (#"\u0041"#, 0), ("(?:a)", 0), ("(?=a)", 0), ("a*?", 2), ("a++", 2), ("a**", 2),
      ("*a", 0), ("a{", 2), ("a{,3}", 2), ("a{2", 1), ("a{3,2}", 1), ("(a", 0),
      ("a)", 1), ("[]", 0), ("[a", 0), ("[b-a]", 2), ("[a-b-c]", 4), ("[[]", 1), ("]", 0), ("}", 0), (#"\p{Xx}"#, 0), (#"\p{Greek}"#, 0),
      (#"\pL"#, 0), (#"\"#, 0), (#"\$"#, 0), ("[a-\\p{L}]", 3), (#"\1"#, 0),
    ])
  func notIRegexp(pattern: String, offset: Int) {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(iRegexp: pattern, matchesWholeText: true) }
    #expect(error?.offset == offset, "\(String(describing: error))")
  }

  // MARK: ECMA-262

  @Test(
    "ECMA-262 patterns match as ECMA-262 says",
    arguments: [
      (#"^\d$"#, "1", true), (#"^\d$"#, "٣", false), (#"^\w+$"#, "é", false), (#"^\W$"#, "é", true), (#"^abc$"#, "abc\n", false),
      (#"^\s$"#, "\u{FEFF}", true), (#"^\s$"#, "\u{A0}", true), (#"^\S$"#, "\u{2003}", false),
      (#"^[\s]$"#, "\u{3000}", true), (#"^[\S]$"#, "x", true), (#"^[\S]$"#, "\u{2029}", false), (#"^.$"#, "\u{2028}", false),
      (#"^.$"#, "😀", true), (#"\u0041\x42\u{43}"#, "ABC", true), (#"^\ud83d\ude00$"#, "😀", true),
      (#"^[\b]$"#, "\u{8}", true), (#"^\cA$"#, "\u{1}", true), (#"^\0$"#, "\0", true), (#"^[^]$"#, "\n", true), ("[]", "x", false),
      (#"^[[:alpha:]]$"#, "a]", true), (#"^(?<y>a)\k<y>$"#, "aa", true), (#"^(a)|b\1$"#, "b", true),
      (#"^\p{Letter}+$"#, "aé", true), (#"^\p{Script=Greek}$"#, "α", true), (#"^\p{gc=Lu}$"#, "a", false), (#"^\P{L}$"#, "1", true),
      (#"^\v$"#, "\u{B}", true), (#"^\v$"#, "\n", false), ("^{a}$", "{a}", true), ("^a{,2}$", "a{,2}", true),
      (#"^a\-b\/c$"#, "a-b/c", true), (#"(?<=a)b"#, "ab", true), (#"(?<!a)b"#, "ab", false), (#"^[\w-]+$"#, "a-b", true),
      (#"^[a-\d]$"#, "-", true), (#"^a+?$"#, "aa", true), (#"x#y z"#, "x#y z", true), (#"^[^\S]$"#, " ", true),
    ])
  func ecmaScript(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try RegularExpression(ecmaScript: pattern).matches(text) == isMatch)
  }

  @Test(
    "an ECMA-262 pattern with syntax beyond ECMA-262 is refused with the offset of the error",
    arguments: [
      (#"\A"#, 0), (#"a\Z"#, 1), (#"\a"#, 0), (#"\h"#, 0), (#"\Qa\E"#, 0), ("(?i)a", 0), ("(?P<n>a)", 0), ("(?>a)", 0), ("(?#c)", 0),
      ("a++", 2), ("a**", 2), ("*", 0), ("(*UTF)", 1), ("(a", 0), ("a)", 1), ("[a", 0), ("[b-a]", 1),
      (#"\2(a)"#, 0), (#"\u12"#, 0), (#"\x1"#, 0), (#"\ud800"#, 0), (#"\p{Nope}"#, 0), (#"\p"#, 0), (#"\k<"#, 0), (#"\"#, 0), ("^*", 1),
      ("{2}", 0), (#"\01"#, 0), ("(?<1a>x)", 0),
    ])
  func notECMAScript(pattern: String, offset: Int) {
    let error = #expect(throws: RegularExpressionError.self) { try RegularExpression(ecmaScript: pattern) }
    if pattern.contains("Nope") { return }
    #expect(error?.offset == offset, "\(String(describing: error))")
  }

  @Test("random patterns neither crash nor hang", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) {
    var generator = SeededRandom(seed: seed)
    let pieces =
      Array("abc()[]{}*+?|\\^$.-,:=!<>?&#0129pPdDsSwWuxkbé😀 \n").map(String.init) + [
        "(?:", "(?=", "(?<", "\\p{L}", "\\u00", "[^", "{1,3}", "\\1",
      ]
    let limits = RegularExpression.Limits(steps: 2000, duration: .milliseconds(50))
    for _ in 0..<100 {
      let pattern = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
      let text = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in
        ["a", "b", "é", "1", "\n"].randomElement(using: &generator)
      }.joined()
      for expression in [
        try? RegularExpression(pattern, limits: limits), try? RegularExpression(ecmaScript: pattern, limits: limits),
        try? RegularExpression(iRegexp: pattern, matchesWholeText: true, limits: limits),
      ].compactMap({ $0 }) {
        for _ in 0..<4 {
          guard let matches = try? expression.matches(in: text, limit: 50) else { break }
          for match in matches { #expect(String(decoding: Array(text.utf8)[match.range], as: UTF8.self) == match.text) }
        }
      }
    }
  }
}
