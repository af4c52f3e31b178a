import GarlandJSON
import Testing

@testable import GarlandTransfer

@Suite(.timeLimit(.minutes(15))) struct MarkupTests {
  @Test func `an XML document yields a tree with names, namespaces and text`() throws {
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

  @Test func `valid XPath expressions are evaluated, and invalid ones are refused`() throws {
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
  func `the XML parser refuses invalid documents and documents that declare entities`(_ text: String) {
    #expect(throws: NetworkingError.Serialization.self) { try MarkupDocument(xml: Array(text.utf8)) }
  }

  @Test func `the error for invalid XML contains the line`() {
    #expect(throws: NetworkingError.Serialization.markup(detail: "line 2: Opening and ending tag mismatch: b line 2 and a")) {
      try MarkupDocument(xml: Array("<a>\n<b></a>".utf8))
    }
  }

  @Test func `HTML with missing end tags is parsed in the same way as by a browser`() throws {
    let document = try MarkupDocument(html: Array("<title>x</title><P>one<p>tw&ouml; &lt; <b>b<i>c</b>".utf8), charset: "utf-8")
    #expect(try document.select("//p").nodes.map(\.text) == ["one", "twö < bc"])
    #expect(try MarkupDocument(html: [0x3C, 0x70, 0x3E, 0xC3, 0xBC], charset: "utf-8").select("string(//p)").text == "ü")
  }

  /// The expression visits the cube of a thousand nodes.
  @Test func `an XPath expression that takes too many steps gives an error`() throws {
    let items = String(repeating: "<i/>", count: 1_000)
    let document = try MarkupDocument(xml: Array("<a>\(items)</a>".utf8))
    let expression = "//i[count(//i[count(//i) > 1]) > 1]"
    #expect(throws: XPathError(expression, "it needs more than 1000000 operations on this document; write a simpler XPath")) {
      try document.evaluate(expression, [:], from: nil, steps: 1_000_000)
    }
    // The limit applies to each search.
    for _ in 0..<3 { #expect(try document.evaluate("//i", [:], from: nil, steps: 4_000).nodes.count == 1_000) }
  }

  /// Without checks of the clock, these expressions would take minutes or too much memory.
  @Test(arguments: [
    "//div//div//p[count(//div//div) = 1]", "//div[contains(concat(/, /), 'z')]", "count(//div[. = string(/)])",
    "//*[translate(/, 'x', 'y') = 'z']",
    "//p/following::p/preceding::p[last()]", "//div[preceding-sibling::*[1] = 1][count(ancestor::*/descendant::*) > 7]",
  ]) func `an XPath expression stops when its time limit is reached`(_ expression: String) throws {
    let nested = String(repeating: "<div>", count: 100) + "<p>x</p>" + String(repeating: "</div>", count: 100)
    let document = try MarkupDocument(html: Array(String(repeating: nested, count: 100).utf8))
    let computation = Computation(limit: .zero)
    #expect(throws: XPathError(expression, "its time limit was reached")) { try computation.run { try document.select(expression) } }
  }

  @Test func `HTML whose elements are nested too deeply is refused, since libxml2 reads only its beginning`() throws {
    let text = String(repeating: "<div>", count: 300) + "<p>x</p>"
    #expect(throws: NetworkingError.Serialization.markup(detail: "elements are nested more than 256 deep")) {
      try MarkupDocument(html: Array(text.utf8))
    }
  }

  @Test(arguments: [true, false]) func `parsing a document with very many tags stops when the time limit is reached`(isHTML: Bool) throws {
    let text = Array("<a>\(String(repeating: "<b x='1'/>", count: 200_000))</a>".utf8)
    let computation = Computation(patience: .milliseconds(1))
    #expect(throws: NetworkingError.Serialization.markup(detail: "it could not be read within the time limit")) {
      try computation.run { _ = try isHTML ? MarkupDocument(html: text) : MarkupDocument(xml: text) }
    }
  }

  /// A document in which an expression that visits a node several times reaches the limit of `MarkupDocument.stepLimit`.
  private static let large = Result { () throws -> MarkupDocument in
    let nested = String(repeating: "<div>", count: 200) + "<p>x</p>" + String(repeating: "</div>", count: 200)
    let rows = (0..<5_000).map { "<p>\($0)</p>" }.joined()
    let text = "<html><body>\(String(repeating: nested, count: 300))<div>\(rows)</div><b>y</b></body></html>"
    return try MarkupDocument(html: Array(text.utf8))
  }

  /// libxml2 evaluates these expressions in quadratic time, in one operation.
  @Test(arguments: [
    ("count(//div//div//p)", "300"), ("count(//p/following-sibling::p)", "4999"), ("count(//p | //p/text())", "10600"),
    ("boolean(//p = //b)", "false"), ("boolean(//p != //p)", "true"), ("count(//p/preceding::p)", "5299"),
  ]) func `if an XPath expression reaches the same node in several ways, the result contains the node only once`(
    _ expression: String, _ result: String
  ) throws {
    #expect(try Self.large.get().select(expression).text == result)
  }

  @Test func `an XPath expression that creates more than 64 MiB of text gives an error`() throws {
    let document = try MarkupDocument(xml: Array("<a>\(String(repeating: "x", count: 1 << 20))</a>".utf8))
    let expression = "string-length(concat(\(Array(repeating: "/", count: 100).joined(separator: ","))))"
    #expect(throws: XPathError(expression, "it makes more than 64 MiB of text during its evaluation")) {
      try document.select(expression)
    }
    #expect(try document.select("string-length(concat(/, /, 'é'))").text == "2097153")
  }

  @Test func `many tasks can read a markup document at the same time`() async throws {
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

  /// libxml2 compares each attribute of a tag with all earlier ones, without checking for a stop.
  @Test(arguments: [10_001, 100_000]) func `the XML and HTML parsers refuse an element with more than 10,000 attributes`(count: Int) {
    let attributes = (0..<count).map { " a\($0)='<>'" }.joined()
    let text = Array("<a>\n<b\(attributes)/></a>".utf8)
    let refusal = NetworkingError.Serialization.markup(detail: "line 2: the tag <b> has more than 10000 attributes")
    #expect(throws: refusal) { try MarkupDocument(xml: text) }
    #expect(throws: refusal) { try MarkupDocument(html: text) }
    let wide = text.flatMap { [$0, UInt8(0)] }
    #expect(throws: refusal) { try MarkupDocument(xml: wide, charset: "utf-16le") }
  }

  @Test(arguments: [
    "<!-- <b ATTRIBUTES --><a/>", "<a><![CDATA[<b ATTRIBUTES ]]></a>", "<a><?p <b ATTRIBUTES ?></a>", "<a x=\"<b ATTRIBUTES\"/>",
    "<a>b ATTRIBUTES</a>",
  ]) func `an HTML or XML document is accepted if its text or a comment resembles a tag with 10,000 attributes`(_ pattern: String) throws {
    let attributes = (0..<10_001).map { "a\($0)='1'" }.joined(separator: " ")
    let text = Array(pattern.split(separator: "ATTRIBUTES").joined(separator: attributes).utf8)
    if !pattern.contains("CDATA") { _ = try MarkupDocument(html: text) }
    if !pattern.contains("x=") { _ = try MarkupDocument(xml: text) }
  }

  @Test(arguments: ["script", "STYLE"]) func `an HTML page is accepted even if the text of a script resembles a tag with 10,000 attributes`(
    _ name: String
  ) throws {
    let words = (0..<10_001).map { "a\($0)" }.joined(separator: " ")
    let page = try MarkupDocument(html: Array("<\(name)>if (a <b \(words)) c</\(name)><p>x</p>".utf8))
    #expect(try page.select("//p").text == "x")
  }

  @Test func `parsing a property list stops when the time limit is reached`() {
    // Each of 30 lists contains the next one twice.
    var (bytes, places) = (Array("bplist00".utf8), [Int]())
    for index in UInt8(0)..<30 {
      places.append(bytes.count)
      bytes += [0xA2, index + 1, index + 1]
    }
    places.append(bytes.count)
    bytes += [0x10, 0x01]
    let table = bytes.count
    bytes += places.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [places.count, 0, table] { bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    let computation = Computation(limit: .zero)
    #expect(throws: NetworkingError.Serialization.propertyList(detail: "it could not be read within the time limit")) {
      try computation.run { () throws(NetworkingError.Serialization) in try PropertyList.parse(bytes) }
    }
    let xml = Array("<plist><array>\(String(repeating: "<true/>", count: 10_000))</array></plist>".utf8)
    #expect(throws: NetworkingError.Serialization.propertyList(detail: "it could not be read within the time limit")) {
      try Computation(limit: .zero).run { () throws(NetworkingError.Serialization) in try PropertyList.parse(xml) }
    }
  }
}
