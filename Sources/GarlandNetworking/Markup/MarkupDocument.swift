import Synchronization

/// An XML or HTML document as a tree, with XPath.
///
/// ```swift
/// let page = try MarkupDocument(html: bytes)
/// for item in try page.select("//ul[@id='books']/li").nodes { print(item.text) }
/// ```
/// Read by libxml2. Nothing is fetched that a document names, and XML that declares entities is refused: these are ways to read files and to fill
/// memory. HTML is read as browsers do it, whatever is wrong with it.
///
/// `@unchecked Sendable`: the tree is not changed once it is made, so that any thread may read it; searches, for which libxml2 makes no promise, go through the
/// lock.
public final class MarkupDocument: @unchecked Sendable {
  let library: LibXML2
  let pointer: LibXML2.Pointer
  private let searching = Mutex(())
  /// How long it was when it was read.
  private let size: Int

  // XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET, XML_PARSE_NOCDATA; for HTML XML_PARSE_RECOVER as well.
  private static let xmlOptions: Int32 = 32 | 64 | 2048 | 16384
  private static let htmlOptions: Int32 = 1 | 32 | 64 | 2048

  /// Reads XML. `charset` wins over what the document says of itself.
  public convenience init(xml bytes: [UInt8], charset: String? = nil) throws(NetworkingError.Serialization) {
    try self.init(xml: bytes, charset: charset, by: LibXML2.shared.get())
  }

  convenience init(xml bytes: [UInt8], charset: String? = nil, by library: LibXML2) throws(NetworkingError.Serialization) {
    try self.init(library, bytes, charset, library.readXML, Self.xmlOptions)
    var declaration = LibXML2.Node.internalSubset(pointer).flatMap(LibXML2.Node.children)
    while let current = declaration {
      if LibXML2.Node.type(current) == Self.entityDeclaration { throw .markup(detail: "it declares entities, which is refused") }
      declaration = LibXML2.Node.next(current)
    }
  }

  /// Reads HTML. `charset` wins over what the document says of itself; without both it is taken for ISO-8859-1.
  public convenience init(html bytes: [UInt8], charset: String? = nil) throws(NetworkingError.Serialization) {
    let library = try LibXML2.shared.get()
    try self.init(library, bytes, charset, library.readHTML, Self.htmlOptions)
  }

  private static let entityDeclaration: Int32 = 17

  private init(
    _ library: LibXML2, _ bytes: [UInt8], _ charset: String?,
    _ read: @convention(c) (LibXML2.Text?, Int32, LibXML2.Text?, LibXML2.Text?, Int32) -> LibXML2.Pointer?, _ options: Int32
  ) throws(NetworkingError.Serialization) {
    guard let count = Int32(exactly: bytes.count) else { throw .markup(detail: "it is larger than 2 GiB") }
    let (pointer, complaint) = library.listening { complaint in
      let pointer = bytes.withUnsafeBytes { buffer in
        read(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count, nil, charset, options)
      }
      return (pointer, pointer == nil ? complaint("it is empty") : "")
    }
    guard let pointer else { throw .markup(detail: complaint) }
    self.library = library
    self.pointer = pointer
    size = bytes.count
  }

  deinit { library.freeDocument(pointer) }

  /// The outermost element.
  public var root: MarkupNode? { library.rootElement(pointer).map { MarkupNode(document: self, pointer: $0) } }

  /// The namespaces that its elements declare, by prefix; where elements disagree, the first one's. The outermost element's default namespace has the
  /// prefix `_`, since XPath 1.0 has none for it.
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

  /// How many operations an expression may take, which is a second or two: some take the square of the document's size, or worse.
  static let operationLimit: UInt = 50_000_000
  /// How many bytes of text and of lists of nodes it may make on its way, which is some seconds.
  static let textLimit = 8 << 30

  /// Evaluates an XPath 1.0 expression. `namespaces` are the prefixes that it uses, with their URIs. One that takes too many steps on this document, or
  /// makes too much text of it on the way, ends with an error.
  public func select(_ expression: String, namespaces: [String: String] = [:]) throws(XPathError) -> XPathResult {
    try evaluate(expression, namespaces, from: nil)
  }

  func evaluate(
    _ expression: String, _ namespaces: [String: String], from node: LibXML2.Pointer?, operations limit: UInt = operationLimit,
    text: Int = textLimit
  ) throws(XPathError) -> XPathResult {
    let result: Result<XPathResult, XPathError> = searching.withLock { _ in
      library.listening { complaint in find(expression, namespaces, from: node, limit, text, complaint) }
    }
    return try result.get()
  }

  private func find(
    _ expression: String, _ namespaces: [String: String], from node: LibXML2.Pointer?, _ limit: UInt, _ textLimit: Int,
    _ complaint: (String) -> String
  ) -> Result<XPathResult, XPathError> {
    if let problem = library.limitProblem { return .failure(XPathError(expression, problem)) }
    guard let context = library.newContext(pointer) else { return .failure(XPathError(expression, "no memory")) }
    defer { library.freeContext(context) }
    if let node { _ = library.setContextNode(node, context) }
    for (prefix, uri) in namespaces { _ = library.registerNamespace(context, prefix, uri) }
    LibXML2.XPathContext.setLimit(of: context, limit)
    library.countText(of: context)
    var budget = XPathBudget(context: context, operations: limit, document: size, bytes: textLimit)
    let object = budget.counting { library.evaluate(expression, context) }
    guard let object else {
      if budget.isExceeded {
        return .failure(XPathError(expression, "it makes more than \(textLimit >> 20) MiB of text of this document on its way"))
      }
      if LibXML2.XPathContext.count(of: context) >= limit {
        return .failure(XPathError(expression, "it takes more than \(limit) steps on this document"))
      }
      return .failure(XPathError(expression, complaint("it is no XPath expression")))
    }
    defer { library.freeResult(object) }
    switch LibXML2.XPathObject.type(object) {
    case 1:
      let nodes = LibXML2.XPathObject.nodes(object).filter { LibXML2.Node.type($0) != Self.namespaceDeclaration }
      return .success(.nodes(nodes.map { MarkupNode(document: self, pointer: $0) }))
    case 2: return .success(.boolean(LibXML2.XPathObject.boolean(object)))
    case 3: return .success(.number(LibXML2.XPathObject.number(object)))
    case 4: return .success(.string(LibXML2.XPathObject.string(object)))
    default: return .failure(XPathError(expression, "its result is of no kind that can be used"))
    }
  }

  /// Copies that end with the result; they have no place in the tree.
  private static let namespaceDeclaration: Int32 = 18
}
