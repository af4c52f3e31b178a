import Testing

@testable import GarlandNetworking

@Suite(.timeLimit(.minutes(5))) struct MarkupTests {
  @Test func readsATree() throws {
    let text = "<a x='1' p:y='2' xmlns:p='urn:p'><p:b>one</p:b><!-- c -->two<b/><?pi data?></a>"
    let root = try #require(try MarkupDocument(xml: Array(text.utf8)).root)
    #expect(root.name == "a")
    #expect(root.text == "onetwo")
    #expect(root.line == 1)
    #expect(root.parent == nil)
    #expect(root[attribute: "x"] == "1")
    #expect(root.attributes.map(\.namespace) == [nil, "urn:p"])
    #expect(root.children.map(\.kind) == [.element, .comment, .text, .element, .processingInstruction])
    #expect(root.elements.map(\.name) == ["b", "b"])
    #expect(root.elements[0].namespace == "urn:p")
    #expect(root.elements[0].parent == root)
    #expect(try root.elements[0].select("text()").nodes.map(\.text) == ["one"])
  }

  @Test func evaluatesExpressions() throws {
    let document = try MarkupDocument(xml: Array("<a><b n='1'/><b n='2'/></a>".utf8))
    #expect(try document.select("//b/@n").nodes.map(\.text) == ["1", "2"])
    #expect(try document.select("count(//b)").text == "2")
    #expect(try document.select("1 div 0").text == "Infinity")
    #expect(try document.select("//b[@n='3']").text == "")
    #expect(try document.select("boolean(//b)").text == "true")
    #expect(try document.select("concat('x', //b[2]/@n)").text == "x2")
    for expression in ["//b[", "nonsense()", "q:b", ""] {
      #expect(throws: XPathError.self) { try document.select(expression) }
    }
  }

  @Test(arguments: [
    "", "   ", "<a>", "<a></b>", "<a>&b;</a>", "<a/><b/>", "text", "<!DOCTYPE a [<!ENTITY b 'x'>]><a>&b;</a>",
    "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
  ])
  func refusesWhatIsNoXML(_ text: String) {
    #expect(throws: NetworkingError.Serialization.self) { try MarkupDocument(xml: Array(text.utf8)) }
  }

  @Test func saysWhereItIsWrong() {
    #expect(throws: NetworkingError.Serialization.markup(detail: "line 2: Opening and ending tag mismatch: b line 2 and a")) {
      try MarkupDocument(xml: Array("<a>\n<b></a>".utf8))
    }
  }

  @Test func readsHTMLHoweverItIsWritten() throws {
    let document = try MarkupDocument(html: Array("<title>x</title><P>one<p>tw&ouml; &lt; <b>b<i>c</b>".utf8), charset: "utf-8")
    #expect(try document.select("//p").nodes.map(\.text) == ["one", "twö < bc"])
    #expect(try MarkupDocument(html: [0x3C, 0x70, 0x3E, 0xC3, 0xBC], charset: "utf-8").select("string(//p)").text == "ü")
  }

  /// The cube of a thousand nodes.
  @Test func endsExpressionsThatTakeForever() throws {
    let items = String(repeating: "<i/>", count: 1_000)
    let document = try MarkupDocument(xml: Array("<a>\(items)</a>".utf8))
    let expression = "//i[count(//i[count(//i) > 1]) > 1]"
    #expect(throws: XPathError(expression, "it takes more than 1000000 steps on this document")) {
      try document.evaluate(expression, [:], from: nil, operations: 1_000_000)
    }
    #expect(throws: XPathError(expression, "it takes more than 50000000 steps on this document")) { try document.select(expression) }
    // The limit is that of one search.
    for _ in 0..<3 { #expect(try document.evaluate("//i", [:], from: nil, operations: 4_000).nodes.count == 1_000) }
  }

  /// Few operations, each of which copies the whole document, or more.
  @Test(arguments: [
    "//i[contains(concat(/, /), 'z')]", "//i[string-length(/) = 0]", "count(//i[. = string(/)])", "//i[normalize-space(/) = 'z']",
    "//i[translate(/, 'abcdefghij', '0123456789') = 'z']", "//i[substring-after(/, 'x') = 'z']", "//i[starts-with(substring(/, 2), 'z')]",
  ]) func endsExpressionsThatMakeTooMuchText(_ expression: String) throws {
    let items = (0..<300).map { "<i>\($0)\(String(repeating: "x", count: 1_000))</i>" }.joined()
    let document = try MarkupDocument(xml: Array("<a>\(items)</a>".utf8))
    #expect(throws: XPathError(expression, "it makes more than 8 MiB of text of this document on its way")) {
      try document.evaluate(expression, [:], from: nil, text: 8 << 20)
    }
    // The limit is that of one search, and what is usual is far from it.
    for _ in 0..<3 { #expect(try document.evaluate("//i[contains(., '7x')]", [:], from: nil, text: 8 << 20).nodes.count == 30) }
  }

  /// A single function that would take all the memory there is, and one that would take hours.
  @Test func endsFunctionsThatMakeTooMuchText() throws {
    let document = try MarkupDocument(xml: Array("<a>\(String(repeating: "x", count: 1 << 20))</a>".utf8))
    for expression in [
      "string-length(concat(\(Array(repeating: "/", count: 3_000).joined(separator: ","))))",
      "string-length(translate(/, '\(String(repeating: "y", count: 4_000))', ''))",
    ] {
      #expect(throws: XPathError(expression, "it makes more than 8192 MiB of text of this document on its way")) {
        try document.select(expression)
      }
    }
    #expect(try document.select("string-length(concat(/, /, 'é'))").text == "2097153")
    #expect(try document.select("translate(concat('ab', 'c'), 'abc', 'xyz')").text == "xyz")
  }

  /// An expression without a limit might never end, so that none is evaluated.
  @Test func refusesExpressionsThatCantBeLimited() throws {
    var library = try LibXML2.shared.get()
    library.registerFunction = nil
    let uncounted = try MarkupDocument(xml: Array("<a/>".utf8), by: library)
    #expect(
      throws: XPathError(
        "/a",
        "the libxml2 of this machine is not one that can be limited: the memory that it takes can't be counted; version 2.9.11 or later is needed"
      )
    ) { try uncounted.select("/a") }
    library.hasOperationLimit = false
    let unlimited = try MarkupDocument(xml: Array("<a/>".utf8), by: library)
    #expect(
      throws: XPathError(
        "/a", "the libxml2 of this machine is not one that can be limited: its steps can't be counted; version 2.9.11 or later is needed")
    ) { try unlimited.select("/a") }
    #expect(unlimited.root?.name == "a")
  }

  @Test func isReadByManyAtOnce() async throws {
    let items = (0..<100).map { "<i n='\($0)'>\($0)</i>" }.joined()
    let document = try MarkupDocument(xml: Array("<a>\(items)</a>".utf8))
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          let found = try? document.select("//i[@n='\(number % 100)']").text
          return found == "\(number % 100)" && document.root?.elements.count == 100
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
