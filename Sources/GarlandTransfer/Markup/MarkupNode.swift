/// A node of a ``MarkupDocument``. A node keeps its document alive.
public struct MarkupNode: Sendable {
  /// The kind of a node.
  public enum Kind: Sendable, Hashable {
    /// An element, `<p>`.
    case element
    /// An attribute, `id="…"`.
    case attribute
    /// Text between elements.
    case text
    /// A comment, `<!-- … -->`.
    case comment
    /// A processing instruction, `<?…?>`.
    case processingInstruction
    /// The document itself, or a node of any other kind, such as a document type.
    case other
  }

  /// The document of the node.
  public let document: MarkupDocument
  let address: UInt

  init(document: MarkupDocument, pointer: LibXML2.Pointer) {
    self.document = document
    address = UInt(bitPattern: pointer)
  }

  /// Calls `body` with the pointer to the node, which is valid while the document exists. Returns `fallback` if the pointer is null.
  private func read<Value>(_ body: (LibXML2.Pointer) -> Value, or fallback: Value) -> Value {
    LibXML2.Pointer(bitPattern: address).map(body) ?? fallback
  }

  /// The kind of the node.
  public var kind: Kind {
    switch read(LibXML2.Node.type, or: 0) {
    case 1: .element
    case 2: .attribute
    case 3, 4: .text
    case 7: .processingInstruction
    case 8: .comment
    default: .other
    }
  }

  /// The name of an element or attribute without prefix; in HTML in lower case.
  public var name: String { read(LibXML2.Node.name, or: "") }

  /// The URI of the namespace; nil if the node has no namespace.
  public var namespace: String? {
    guard kind == .element || kind == .attribute else { return nil }
    return read(LibXML2.Node.namespace, or: nil).map(LibXML2.Namespace.uri)
  }

  /// The namespaces that an element declares, in order: prefixes with their URIs; the prefix of the
  /// default namespace is empty.
  public var declaredNamespaces: [(prefix: String, uri: String)] {
    guard kind == .element else { return [] }
    var result: [(prefix: String, uri: String)] = []
    var next = read(LibXML2.Node.declarations, or: nil)
    while let declaration = next {
      result.append((LibXML2.Namespace.prefix(declaration), LibXML2.Namespace.uri(declaration)))
      next = LibXML2.Namespace.next(declaration)
    }
    return result
  }

  /// The text of the node, including all elements inside, or the value of an attribute.
  public var text: String { document.library.take(read(document.library.content, or: nil)) }

  /// The line in the document, starting at 1; nil if unknown.
  public var line: Int? {
    guard kind == .element else { return nil }
    let line = read(LibXML2.Node.line, or: 0)
    return line > 0 && line < 65535 ? line : nil
  }

  /// The child nodes in order: elements, texts, comments and processing instructions. Attributes are not included.
  public var children: [MarkupNode] {
    kind == .attribute ? [] : nodes(from: read(LibXML2.Node.children, or: nil))
  }

  /// The child elements in order.
  public var elements: [MarkupNode] { children.filter { $0.kind == .element } }

  /// The attributes in order.
  public var attributes: [MarkupNode] {
    kind == .element ? nodes(from: read(LibXML2.Node.attributes, or: nil)) : []
  }

  /// The value of the attribute that has this name and no prefix; nil if there is no such attribute.
  public subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.text }

  /// The parent element; nil for the root element.
  public var parent: MarkupNode? {
    let parent = read(LibXML2.Node.parent, or: nil).map { MarkupNode(document: document, pointer: $0) }
    return parent?.kind == .element ? parent : nil
  }

  /// Evaluates an XPath expression with this node as its context.
  public func select(_ expression: String, namespaces: [String: String] = [:]) throws(XPathError) -> XPathResult {
    try document.evaluate(expression, namespaces, from: address)
  }

  private func nodes(from first: LibXML2.Pointer?) -> [MarkupNode] {
    var nodes: [MarkupNode] = []
    var next = first
    while let pointer = next {
      nodes.append(MarkupNode(document: document, pointer: pointer))
      next = LibXML2.Node.next(pointer)
    }
    return nodes
  }
}

extension MarkupNode: Hashable {
  /// Whether both values are the same node of the same document.
  public static func == (left: Self, right: Self) -> Bool { left.address == right.address && left.document === right.document }
  /// Hashes the identity of the node.
  public func hash(into hasher: inout Hasher) { hasher.combine(address) }
}
