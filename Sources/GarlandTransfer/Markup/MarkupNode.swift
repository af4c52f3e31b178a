/// A node of a ``MarkupDocument``, which it keeps alive.
public struct MarkupNode: Sendable {
  /// What a node is.
  public enum Kind: Sendable, Hashable {
    /// `<p>`.
    case element
    /// `id="…"`.
    case attribute
    /// Text between elements.
    case text
    /// `<!-- … -->`.
    case comment
    /// `<?…?>`.
    case processingInstruction
    /// The document itself, or what stands in front of its outermost element.
    case other
  }

  /// The document that it is a part of.
  public let document: MarkupDocument
  let address: UInt

  init(document: MarkupDocument, pointer: LibXML2.Pointer) {
    self.document = document
    address = UInt(bitPattern: pointer)
  }

  /// Valid as long as the document is there.
  private func read<Value>(_ body: (LibXML2.Pointer) -> Value, or fallback: Value) -> Value {
    LibXML2.Pointer(bitPattern: address).map(body) ?? fallback
  }

  /// What it is.
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

  /// The name of an element or attribute, without prefix. In HTML in lower case.
  public var name: String { read(LibXML2.Node.name, or: "") }

  /// The URI of its namespace, nil if it is in none.
  public var namespace: String? {
    guard kind == .element || kind == .attribute else { return nil }
    return read(LibXML2.Node.namespace, or: nil).map(LibXML2.Namespace.uri)
  }

  /// The namespaces that an element declares, in order: prefixes with their URIs, an empty prefix for the default namespace.
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

  /// The text in it, that of all elements inside of it included; an attribute's value.
  public var text: String { document.library.take(read(document.library.content, or: nil)) }

  /// The line where it stands in the document, from 1; nil where that is unknown.
  public var line: Int? {
    guard kind == .element else { return nil }
    let line = read(LibXML2.Node.line, or: 0)
    return line > 0 && line < 65535 ? line : nil
  }

  /// The elements and texts in it, in order.
  public var children: [MarkupNode] {
    kind == .attribute ? [] : nodes(from: read(LibXML2.Node.children, or: nil))
  }

  /// The elements in it, in order.
  public var elements: [MarkupNode] { children.filter { $0.kind == .element } }

  /// Its attributes, in order.
  public var attributes: [MarkupNode] {
    kind == .element ? nodes(from: read(LibXML2.Node.attributes, or: nil)) : []
  }

  /// The value of an attribute, by its name without prefix.
  public subscript(attribute name: String) -> String? { attributes.first { $0.name == name }?.text }

  /// The element around it.
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
  /// Whether they are the same node of the same document.
  public static func == (left: Self, right: Self) -> Bool { left.address == right.address && left.document === right.document }
  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(address) }
}
