/// The XPath axes (XPath 1.0, section 2.2).
struct XPathAxes {
  let index: MarkupIndex

  /// Iterates over the nodes of an axis, nearest node first.
  struct Walk: IteratorProtocol {
    private enum Way {
      /// Follows one of the links between nodes, such as the link to the next sibling.
      case link(KeyPath<MarkupIndex.Entry, Int32>)
      /// The axis visits each ancestor, from the innermost to the outermost.
      case upwards
      /// The axis visits the nodes of the document's node table (``MarkupIndex``) forward, up to a position.
      case forwards(to: Int32)
      /// The axis visits the nodes in the reverse order of the document's node table, and skips the ancestors of its start node.
      case backwards(around: Set<Int32>)
    }

    private let index: MarkupIndex
    private let way: Way
    private let takesAttributes: Bool
    private var place: Int32

    fileprivate static func link(_ index: MarkupIndex, from place: Int32, _ link: KeyPath<MarkupIndex.Entry, Int32>) -> Walk {
      Walk(index: index, way: .link(link), takesAttributes: true, place: place)
    }
    fileprivate static func upwards(_ index: MarkupIndex, from place: Int32) -> Walk {
      Walk(index: index, way: .upwards, takesAttributes: true, place: place)
    }
    fileprivate static func forwards(_ index: MarkupIndex, _ range: Range<Int32>, attributes: Bool = false) -> Walk {
      Walk(index: index, way: .forwards(to: range.upperBound), takesAttributes: attributes, place: range.lowerBound)
    }
    fileprivate static func backwards(_ index: MarkupIndex, from place: Int32, around: Set<Int32>) -> Walk {
      Walk(index: index, way: .backwards(around: around), takesAttributes: false, place: place)
    }

    mutating func next() -> Int32? {
      while place >= 0 {
        let found = place
        switch way {
        case .link(let link): place = index.entries[Int(found)][keyPath: link]
        case .upwards: place = index.entries[Int(found)].parent
        case .forwards(let end):
          guard found < end else { return nil }
          place += 1
        case .backwards(let around):
          place -= 1
          if around.contains(found) { continue }
        }
        if takesAttributes || index.entries[Int(found)].kind != .attribute { return found }
      }
      return nil
    }
  }

  func walk(_ axis: XPathExpression.Axis, from node: Int32) -> Walk {
    let entry = index.entries[Int(node)]
    let nothing = Walk.forwards(index, 0..<0)
    switch axis {
    case .own: return .forwards(index, node..<node + 1, attributes: true)
    case .child: return .link(index, from: entry.firstChild, \.next)
    case .attribute: return .forwards(index, index.attributes(of: node), attributes: true)
    case .descendant: return .forwards(index, node + 1..<entry.end)
    // An attribute occurs only if it is the context itself.
    case .descendantOrSelf: return .forwards(index, node..<entry.end, attributes: entry.kind == .attribute)
    case .parent: return entry.parent < 0 ? nothing : .forwards(index, entry.parent..<entry.parent + 1)
    case .ancestor: return .upwards(index, from: entry.parent)
    case .ancestorOrSelf: return .upwards(index, from: node)
    case .followingSibling: return .link(index, from: entry.next, \.next)
    case .precedingSibling: return .link(index, from: entry.previous, \.previous)
    // The content of an attribute's element follows the attribute.
    case .following: return .forwards(index, entry.end..<Int32(index.entries.count))
    case .preceding: return .backwards(index, from: node - 1, around: ancestors(of: node))
    }
  }

  private func ancestors(of node: Int32) -> Set<Int32> {
    var found: Set<Int32> = []
    var next = index.entries[Int(node)].parent
    while next >= 0 {
      found.insert(next)
      next = index.entries[Int(next)].parent
    }
    return found
  }

  /// Returns the context nodes that are not redundant for an axis. A node is redundant if the axis reaches the same nodes without it. For
  /// example, a context node inside another context node is redundant for the axis `descendant`.
  func sufficient(_ contexts: [Int32], for axis: XPathExpression.Axis) -> [Int32] {
    switch axis {
    case .descendant, .descendantOrSelf:
      var covered = Int32(0)
      return contexts.filter { context in
        defer { covered = max(covered, index.entries[Int(context)].end) }
        // An attribute is not a descendant of its element.
        return context >= covered || index.entries[Int(context)].kind == .attribute
      }
    case .following:
      return contexts.min { index.entries[Int($0)].end < index.entries[Int($1)].end }.map { [$0] } ?? []
    case .preceding: return contexts.suffix(1)
    case .followingSibling, .precedingSibling:
      // One child of each element is sufficient: the first child for following siblings, the last child for preceding siblings.
      var seen: Set<Int32> = []
      let ordered = axis == .followingSibling ? contexts : contexts.reversed()
      return ordered.filter { seen.insert(index.entries[Int($0)].parent).inserted }
    default: return contexts
    }
  }
}
