import GarlandJSON

/// A table of a document's nodes in document order, with attributes after their element. The code that evaluates XPath identifies a node by
/// its index in this table, and the content of a node by a range of indices.
struct MarkupIndex: Sendable {
  struct Entry: Sendable {
    let address: UInt
    let kind: MarkupNode.Kind
    /// The index of the parent node; -1 for the document.
    let parent: Int32
    /// The end of the node's content: the index after the last node that is inside of this node.
    var end: Int32
    /// The index of the next sibling; -1 for the last sibling and for attributes.
    var next: Int32 = -1
    var previous: Int32 = -1
    var firstChild: Int32 = -1
    /// The number that represents the node's name; 0 for a node without a name.
    let name: Int32
    let namespace: Int32
  }

  private(set) var entries: [Entry] = []
  private var names = Numbers()
  private var namespaces = Numbers()
  private var places: [UInt: Int32] = [:]

  /// Assigns a number to each name and each namespace of a document. Equal texts get the same number. A text at a known address has a known
  /// number and is not compared with other texts.
  private struct Numbers: Sendable {
    private(set) var texts = [""]
    private var byText = ["": Int32(0)]
    private var byAddress: [UInt: Int32] = [:]

    mutating func number(at address: UInt, _ text: () -> String) -> Int32 {
      if let known = byAddress[address] { return known }
      let text = text()
      let number = byText[text] ?? Int32(texts.count)
      if number == texts.count {
        texts.append(text)
        byText[text] = number
      }
      byAddress[address] = number
      return number
    }

    func number(of text: String) -> Int32? { byText[text] }
  }

  /// Creates the index of a document. Returns nil if the current `Computation` of this thread ends first, for example at its time limit.
  init?(of document: LibXML2.Pointer) {
    let computation = Computation.current
    append(document, .other, parent: -1)
    /// The nodes that enclose the current position, outermost first.
    var open: [(pointer: LibXML2.Pointer, place: Int32, lastChild: Int32)] = [(document, 0, -1)]
    var next = LibXML2.Node.children(document)
    while let last = open.indices.last {
      guard let pointer = next else {
        entries[Int(open[last].place)].end = Int32(entries.count)
        next = LibXML2.Node.next(open[last].pointer)
        open.removeLast()
        if open.isEmpty { break }
        continue
      }
      if let computation, computation.isOver(after: 32) { return nil }
      guard let kind = MarkupNode.Kind(inTree: LibXML2.Node.type(pointer)) else {
        next = LibXML2.Node.next(pointer)
        continue
      }
      let place = append(pointer, kind, parent: open[last].place)
      let before = open[last].lastChild
      entries[Int(place)].previous = before
      if before >= 0 { entries[Int(before)].next = place } else { entries[Int(open[last].place)].firstChild = place }
      open[last].lastChild = place
      if kind == .element {
        appendAttributes(of: pointer, place)
        open.append((pointer, place, -1))
        next = LibXML2.Node.children(pointer)
      } else {
        next = LibXML2.Node.next(pointer)
      }
    }
  }

  @discardableResult
  private mutating func append(_ pointer: LibXML2.Pointer, _ kind: MarkupNode.Kind, parent: Int32) -> Int32 {
    let place = Int32(entries.count)
    var (name, namespace) = (Int32(0), Int32(0))
    if kind != .other, kind != .text, kind != .comment {
      name = names.number(at: LibXML2.Node.nameAddress(pointer)) { LibXML2.Node.name(pointer) }
    }
    if kind == .element || kind == .attribute, let declared = LibXML2.Node.namespace(pointer) {
      namespace = namespaces.number(at: UInt(bitPattern: declared)) { LibXML2.Namespace.uri(declared) }
    }
    let address = UInt(bitPattern: pointer)
    entries.append(Entry(address: address, kind: kind, parent: parent, end: place + 1, name: name, namespace: namespace))
    places[address] = place
    return place
  }

  private mutating func appendAttributes(of element: LibXML2.Pointer, _ place: Int32) {
    var next = LibXML2.Node.attributes(element)
    while let pointer = next {
      append(pointer, .attribute, parent: place)
      next = LibXML2.Node.next(pointer)
    }
  }

  /// Returns the index of the node at an address; nil if the node is not in the table.
  func place(of address: UInt) -> Int32? { places[address] }

  func name(_ place: Int32) -> String { names.texts[Int(entries[Int(place)].name)] }
  func namespace(_ place: Int32) -> String { namespaces.texts[Int(entries[Int(place)].namespace)] }

  /// Returns the number that represents a name; nil if no node has this name.
  func number(ofName name: String) -> Int32? { names.number(of: name) }
  func number(ofNamespace uri: String) -> Int32? { namespaces.number(of: uri) }

  /// Returns the indices of an element's attributes.
  func attributes(of place: Int32) -> Range<Int32> {
    let start = place + 1
    guard entries[Int(place)].kind == .element else { return start..<start }
    var end = start
    while end < entries[Int(place)].end, entries[Int(end)].kind == .attribute { end += 1 }
    return start..<end
  }
}

extension MarkupNode.Kind {
  /// Converts a libxml2 node type to the kind of node in XPath; nil for declarations and other nodes that XPath
  /// does not have.
  fileprivate init?(inTree type: Int32) {
    switch type {
    case 1: self = .element
    case 3, 4: self = .text
    case 7: self = .processingInstruction
    case 8: self = .comment
    default: return nil
    }
  }
}
