import TestSupport
import Testing

@testable import GarlandWorkflow

/// Tests of the syntax of XPath 1.0, and of the result types of expressions.
struct XPathTests {
  @Test(
    arguments: [
      // The examples of the specification, sections 2 and 2.5.
      ("child::para", .nodes), ("child::*", .nodes), ("child::text()", .nodes), ("attribute::name", .nodes),
      ("ancestor-or-self::div", .nodes),
      ("child::chapter/descendant::para", .nodes), ("child::*/child::para", .nodes), ("/", .nodes),
      ("/descendant::olist/child::item", .nodes),
      ("child::para[position()=last()-1]", .nodes), ("/child::doc/child::chapter[position()=5]/child::section[position()=2]", .nodes),
      ("child::para[attribute::type='warning'][position()=5]", .nodes),
      ("child::*[self::chapter or self::appendix][position()=last()]", .nodes),
      ("para", .nodes), ("*", .nodes), ("@name", .nodes), ("@*", .nodes), ("para[1]", .nodes), ("para[last()]", .nodes), ("*/para", .nodes),
      ("/doc/chapter[5]/section[2]", .nodes), ("chapter//para", .nodes), ("//olist/item", .nodes), (".", .nodes), (".//para", .nodes),
      ("..", .nodes), ("../@lang", .nodes), ("para[@type=\"warning\"][5]", .nodes), ("chapter[title]", .nodes),
      ("employee[@secretary and @assistant]", .nodes), ("//h1 | //h2", .nodes), ("a:title", .nodes), ("//a:*", .nodes),
      ("processing-instruction('x')", .nodes), ("id('foo')/child::para[position()=5]", .nodes), ("(//a)[1]/b", .nodes),
      ("//div[div div 2 = 1]", .nodes), ("//*[* * 2 > 3]", .nodes), ("//and[or]", .nodes), ("//a[not(@b)]", .nodes),
      ("self::node()", .nodes),
      // Other results, sections 3 and 4
      ("count(//li)", .number), ("sum(//price) div count(//price)", .number), ("1 + 2 * 3", .number), ("-1", .number), (".5", .number),
      ("string-length(//a)", .number), ("string(//title)", .string), ("'text'", .string), ("concat('a', 'b', 'c')", .string),
      ("normalize-space(//p)", .string), ("local-name(/*)", .string), ("//a = 'b'", .boolean), ("1 <= 2 and 3 != 4", .boolean),
      ("boolean(//a)", .boolean), ("starts-with(//a, 'x') or true()", .boolean), ("contains(string(//a),'ä')", .boolean),
    ] as [(String, XPath.Result)]) func `the XPath parser recognises whether a valid expression gives nodes, a number, a text or a boolean`(
      text: String, result: XPath.Result
    ) throws
  {
    #expect(try XPath(text).result == result)
  }

  @Test(arguments: [
    ("", "the XPath is empty", 0..<0), ("//", "expected an element, `@` with an attribute, or `.`, found the end of the path", 2..<2),
    ("//a/", "expected an element, `@` with an attribute, or `.`, found the end of the path", 4..<4), ("//a[1", "`[` is not closed", 3..<4),
    ("//a[]", "expected an element, `@` with an attribute, or `.`, found `]`", 4..<5), ("(//a", "`(` is not closed", 0..<1),
    ("//a]", "expected an operator or the end of the path, found `]`", 3..<4), ("//a[@b='c]", "the text is not closed", 7..<10),
    ("//a b", "expected an operator or the end of the path, found `b`", 4..<5), ("//a[@b == 'c']", "`==` is written `=` in XPath", 8..<9),
    ("cuont(//a)", "there is no function `cuont`", 0..<5), ("count()", "`count` takes 1 argument, found 0", 0..<7),
    ("substring('a')", "`substring` takes 2 to 3 arguments, found 1", 0..<14), ("count('a')", "`count` takes nodes", 6..<9),
    ("lower-case(//a)", "`lower-case` is not a function of XPath 1.0", 0..<10),
    ("//a/string()", "`string(…)` is not allowed in a path", 4..<10),
    ("decendant::a", "there is no axis `decendant`", 0..<9), ("//a[$x]", "variables are not supported in an XPath: `$x`", 4..<6),
    ("$.store.book", "expected an XPath, found a JSONPath", 0..<12), ("//a & //b", "unexpected `&`", 4..<5),
    ("'a'[1]", "a predicate in `[…]` must follow nodes, but this expression does not select nodes", 0..<3),
    ("count(//a)/b", "a path must follow nodes, but this expression does not select nodes", 0..<10),
    ("1 | //a", "`|` joins two sets of nodes, but this expression does not select nodes", 0..<1),
    ("//a:", "the prefix `a:` has no name after it", 2..<4), ("a!b", "`!` is not an operator", 1..<2),
    (".[1]", "`.` and `..` can't have a predicate", 1..<2),
    (String(repeating: "(", count: 200), "the XPath is nested too deeply", 100..<101),
  ]) func `each invalid XPath gives the expected message at the expected position`(text: String, message: String, range: Range<Int>) throws
  {
    let error = #expect(throws: XPathSyntaxError.self) { try XPath(text) }
    #expect(error?.message == message && error?.range == range)
  }

  @Test func `random texts never crash the XPath parser`() {
    var generator = SeededRandom(seed: 11)
    let parts = [
      "//", "a", "[", "]", "(", ")", "@b", "'x'", "1", " ", "and", "*", "::", "child", ".", "..", "count", "text()", "|", "=", ",", "é",
      "$", ":",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
      do {
        _ = try XPath(text)
      } catch {
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count && !error.message.isEmpty)
      }
    }
  }
}
