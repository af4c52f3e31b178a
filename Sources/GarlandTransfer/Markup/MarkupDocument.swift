import GarlandJSON
import Synchronization

/// An XML or HTML document as a tree, with XPath.
///
/// ```swift
/// let page = try MarkupDocument(html: bytes)
/// for item in try page.select("//ul[@id='books']/li").nodes { print(item.text) }
/// ```
/// libxml2 parses the document. External files and declared entities could be used to read files or to exhaust memory. Therefore the
/// parser fetches no file or URL that a document names, and refuses XML that declares entities. HTML with mistakes is repaired as in
/// browsers.
///
/// Parsing and evaluation count towards the limits of the thread's `Computation`, and stop when the computation is stopped.
///
/// `@unchecked Sendable`: the tree is never changed after parsing, so that any thread may read it.
public final class MarkupDocument: @unchecked Sendable {
  let library: LibXML2
  let pointer: LibXML2.Pointer
  private let isHTML: Bool
  /// The index that XPath expressions use. It is created when the first expression is evaluated.
  private let known = Mutex<MarkupIndex?>(nil)

  // XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET, XML_PARSE_NOCDATA; for HTML XML_PARSE_RECOVER as well.
  private static let xmlOptions: Int32 = 32 | 64 | 2048 | 16384
  private static let htmlOptions: Int32 = 1 | 32 | 64 | 2048

  /// Parses XML. `charset` overrides the encoding that the document declares.
  public convenience init(xml bytes: [UInt8], charset: String? = nil) throws(NetworkingError.Serialization) {
    try self.init(LibXML2.shared.get(), bytes, charset, isHTML: false)
    var declaration = LibXML2.Node.internalSubset(pointer).flatMap(LibXML2.Node.children)
    while let current = declaration {
      if LibXML2.Node.type(current) == Self.entityDeclaration { throw .markup(detail: "it declares entities, which is refused") }
      declaration = LibXML2.Node.next(current)
    }
  }

  /// Parses HTML. `charset` overrides the encoding that the document declares; if neither is present, the document is read as ISO-8859-1.
  public convenience init(html bytes: [UInt8], charset: String? = nil) throws(NetworkingError.Serialization) {
    try self.init(LibXML2.shared.get(), bytes, charset, isHTML: true)
  }

  private static let entityDeclaration: Int32 = 17
  /// The nesting depth of elements at which libxml2 stops reading: `xmlParserMaxDepth`.
  private static let mostDepth = 256

  private init(
    _ library: LibXML2, _ bytes: [UInt8], _ charset: String?, isHTML: Bool
  ) throws(NetworkingError.Serialization) {
    if let tag = bytes.withUnsafeBytes({ TagScanner($0, charset: charset, isHTML: isHTML).crowdedTag() }) {
      throw .markup(detail: "line \(tag.line): the tag <\(tag.name)> has more than \(TagScanner.mostAttributes) attributes")
    }
    if let shortage = AddressSpace.shortage(of: { Self.size(of: bytes) }, for: bytes.count) { throw .unavailable(detail: shortage) }
    let (pointer, complaint) = library.listening { complaint in
      let pointer = library.document(
        of: bytes, isHTML ? library.readHTML : library.readXML, charset: charset, options: isHTML ? Self.htmlOptions : Self.xmlOptions)
      return (pointer, complaint)
    }
    if Computation.hasEnded || complaint.lacksMemory || complaint.isTooDeep {
      if let pointer { library.freeDocument(pointer) }
      if complaint.isTooDeep { throw .markup(detail: "elements are nested more than \(Self.mostDepth) deep") }
      if complaint.lacksMemory { throw .unavailable(detail: "libxml2 has no memory for it") }
      throw .markup(detail: "it could not be read within the time limit")
    }
    guard let pointer else { throw .markup(detail: complaint.first ?? "it is empty") }
    self.library = library
    self.pointer = pointer
    self.isHTML = isHTML
  }

  /// Returns the approximate maximum number of bytes of memory that the tree of a document needs. Each `<` or `=` in the document may
  /// create nodes. A node needs up to 120 bytes in libxml2, and up to another 120 bytes in the index.
  private static func size(of bytes: [UInt8]) -> Int {
    let marks = bytes.count { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "=") }
    return bytes.count * 3 + marks * 512
  }

  deinit { library.freeDocument(pointer) }

  /// The root element of the document; nil if the document has none.
  public var root: MarkupNode? { library.rootElement(pointer).map { MarkupNode(document: self, pointer: $0) } }

  /// The namespaces that the elements declare, by prefix. If declarations conflict, the first declaration is used. The root element's
  /// default namespace has the prefix `_`, since XPath 1.0 has no default namespace.
  public var namespaces: [String: String] {
    var result: [String: String] = [:]
    guard let root else { return result }
    var waiting = [root]
    while let element = waiting.popLast() {
      for (prefix, uri) in element.declaredNamespaces where !prefix.isEmpty && result[prefix] == nil { result[prefix] = uri }
      waiting.append(contentsOf: element.elements.reversed())
    }
    if let uri = root.declaredNamespaces.first(where: { $0.prefix.isEmpty })?.uri, result["_"] == nil { result["_"] = uri }
    return result
  }

  /// The maximum number of nodes that an expression may visit in a small document; see ``stepsPerNode`` for large documents. A maximum is
  /// necessary, because the cost of some expressions is quadratic in the document's size, or worse.
  static let stepLimit = 5_000_000
  /// The factor for the maximum number of nodes that an expression may visit. The maximum is this factor times the number of nodes in
  /// the document, but at least ``stepLimit``. An expression may visit a node several times.
  static let stepsPerNode = 20
  /// The maximum number of bytes of text extracted from a document in one call.
  static let textLimit = 256 << 20

  /// Evaluates an XPath 1.0 expression. `namespaces` maps the expression's prefixes to URIs. An expression
  /// fails if it visits too many nodes of this document or creates too much text.
  public func select(_ expression: String, namespaces: [String: String] = [:]) throws(XPathError) -> XPathResult {
    try evaluate(expression, namespaces, from: nil)
  }

  func evaluate(
    _ expression: String, _ namespaces: [String: String], from node: UInt?, steps limit: Int? = nil
  ) throws(XPathError) -> XPathResult {
    let parsed = try XPathReader.read(expression)
    let index = try index(for: expression)
    return try evaluating(expression, index, namespaces, limit) { evaluation throws(XPathEvaluation.Stop) in
      let place = node.flatMap { index.place(of: $0) } ?? 0
      switch try evaluation.value(of: parsed, XPathEvaluation.Context(node: place)) {
      case .nodes(let places):
        return .nodes(
          places.compactMap { place in
            LibXML2.Pointer(bitPattern: index.entries[Int(place)].address).map { MarkupNode(document: self, pointer: $0) }
          })
      case .boolean(let value): return .boolean(value)
      case .number(let value): return .number(value)
      case .string(let value): return .string(value)
      }
    }
  }

  /// Returns the text of each selected node. If a selected node is inside of another selected node, its text is returned twice, so all
  /// texts together may be longer than the document.
  public func texts(of nodes: [MarkupNode], selectedBy expression: String) throws(XPathError) -> [String] {
    let index = try index(for: expression)
    return try evaluating(expression, index, [:], .max) { evaluation throws(XPathEvaluation.Stop) in
      var texts: [String] = []
      var left = Self.textLimit
      for node in nodes {
        guard let place = index.place(of: node.address) else { continue }
        let text = try evaluation.text(of: place)
        left -= text.utf8.count
        guard left >= 0 else { throw .wrong("the selected text has more than \(Self.textLimit >> 20) MiB of text") }
        texts.append(text)
      }
      return texts
    }
  }

  private func index(for expression: String) throws(XPathError) -> MarkupIndex {
    let index = known.withLock { known in
      known = known ?? MarkupIndex(of: pointer)
      return known
    }
    guard let index else { throw XPathError(expression, Self.outOfTime) }
    return index
  }

  private static let outOfTime = "its time limit was reached"

  private func evaluating<Value>(
    _ expression: String, _ index: MarkupIndex, _ namespaces: [String: String], _ limit: Int?,
    _ body: (inout XPathEvaluation) throws(XPathEvaluation.Stop) -> Value
  ) throws(XPathError) -> Value {
    let limit = limit ?? max(Self.stepLimit, index.entries.count * Self.stepsPerNode)
    var evaluation = XPathEvaluation(index: index, library: library, isHTML: isHTML, namespaces: namespaces, stepLimit: limit)
    do throws(XPathEvaluation.Stop) {
      return try body(&evaluation)
    } catch {
      switch error {
      case .outOfTime: throw XPathError(expression, Self.outOfTime)
      case .tooManySteps(let limit):
        throw XPathError(expression, "it needs more than \(limit) operations on this document; write a simpler XPath")
      case .tooMuchText:
        throw XPathError(expression, "it makes more than \(XPathEvaluation.longestText >> 20) MiB of text during its evaluation")
      case .wrong(let detail): throw XPathError(expression, detail)
      }
    }
  }
}

/// The result of an XPath expression.
public enum XPathResult: Sendable {
  /// Nodes in document order.
  case nodes([MarkupNode])
  /// A Boolean.
  case boolean(Bool)
  /// A number, which may be NaN.
  case number(Double)
  /// A text.
  case string(String)

  /// The selected nodes; empty for other kinds of results.
  public var nodes: [MarkupNode] { if case .nodes(let nodes) = self { nodes } else { [] } }

  /// The result as text, as defined by XPath's `string()`: for nodes, the text of the first node.
  public var text: String {
    switch self {
    case .nodes(let nodes): nodes.first?.text ?? ""
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): XPathNumber.text(value)
    case .string(let value): value
    }
  }
}

/// The reason why an XPath expression cannot be evaluated.
public struct XPathError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The XPath expression that contains the mistake.
  public let expression: String
  /// The mistake in the expression.
  public let detail: String

  init(_ expression: String, _ detail: String) {
    self.expression = expression
    self.detail = detail
  }

  /// The error message.
  public var description: String { "the XPath expression \(expression) can't be evaluated: \(detail)" }
}
