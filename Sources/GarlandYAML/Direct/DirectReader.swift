import GarlandDiagnostics

/// Reads YAML documents of the simplest form directly from their bytes, faster than libyaml.
///
/// Most documents of a large suite have this form: one document with block mappings, block lists, flow collections and scalars on one line,
/// without tags, anchors, aliases, escapes, tabs and merge keys. If the reader finds any other syntax, an empty value or a possible
/// mistake, it stops, and libyaml reads the whole document. So the reader never reports a diagnostic, and its tree is always the tree that
/// libyaml would produce; tests compare the trees of both.
///
/// libyaml takes about 250 instructions for each byte. Before this reader existed, that was three quarters of the time for reading a step
/// of a large document.
struct DirectReader {
  /// The maximum nesting depth of collections, since this reader recurses. Documents with deeper collections are read by libyaml.
  private static let mostDepth = 48
  /// The maximum length of a key. Documents with longer keys, up to 1,024 characters, are read by libyaml.
  static let longestKey = 900

  let bytes: UnsafeBufferPointer<UInt8>
  var tree: YAMLTreeBuilder
  /// The node numbers of the children that have been read so far, for all collections that are not complete yet.
  var nodes = ReaderStack<Int32>()
  /// The hash of each key in ``nodes``, in the same order; see `signature(_:)`.
  var signatures = ReaderStack<UInt64>()
  /// The offset of the next byte.
  var at = 0
  /// The column at which the content of the current line begins; -1 after the last line. It is set when the reader moves to the next line
  /// with content.
  var column = 0
  /// The number of collections that contain the current position, at most ``depth``.
  var level = 0
  let depth: Int

  private init(_ file: SourceFile, _ bytes: UnsafeBufferPointer<UInt8>, _ limits: YAMLLimits) {
    self.bytes = bytes
    depth = min(Self.mostDepth, limits.depth)
    tree = YAMLTreeBuilder(file, expecting: bytes.count / 8)
  }

  /// Reads a text that consists of a single YAML document. The caller must have checked that it contains only characters that YAML allows.
  /// Returns nil if this reader does not support the syntax of the text.
  static func read(_ file: SourceFile, limits: YAMLLimits) -> YAMLDocument? {
    file.bytes.withUnsafeBufferPointer { bytes -> YAMLDocument? in
      // A byte order mark is not part of the text.
      guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
      var reader = DirectReader(file, bytes, limits)
      guard reader.skipToLine(from: 0), reader.column == 0, let root = reader.mapping(0), reader.column == -1 else { return nil }
      return YAMLDocument(file: file, root: YAMLNode(reader.tree.finish(), root), range: reader.tree.range(of: root))
    }
  }

  // MARK: Bytes

  static let newline = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")

  /// Returns the byte at an offset; after the end of the text, a line break.
  func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : Self.newline }

  func isBlank(_ offset: Int) -> Bool {
    let byte = byte(offset)
    return byte == Self.space || byte == Self.newline
  }

  /// Whether a byte is a tab, a line break, or the first byte of a line break beyond ASCII (U+0085,
  /// U+2028, U+2029).
  func isOdd(_ value: UInt8, at offset: Int) -> Bool {
    if value < 0x20 { return true }
    guard value >= 0xC2 else { return false }
    return value == 0xC2 && byte(offset + 1) == 0x85 || value == 0xE2 && byte(offset + 1) == 0x80 && byte(offset + 2) & 0xFE == 0xA8
  }

  // MARK: Lines

  /// Moves from the end of a line's content to the first character of the next line with content. Returns false in two cases:
  ///
  /// - The rest of the line contains anything except spaces and a comment.
  /// - This reader does not support the content of the next line.
  mutating func nextLine() -> Bool {
    var offset = at
    while byte(offset) == Self.space { offset += 1 }
    if byte(offset) == UInt8(ascii: "#") {
      guard offset > at, let end = commentEnd(offset) else { return false }
      offset = end
    }
    guard byte(offset) == Self.newline else { return false }
    return skipToLine(from: offset + 1)
  }

  /// Moves to the next line with content. Returns false if this reader does not support the content of that line.
  ///
  /// - Parameter start: The start of a line.
  private mutating func skipToLine(from start: Int) -> Bool {
    var line = start
    while line < bytes.count {
      var offset = line
      while byte(offset) == Self.space { offset += 1 }
      switch byte(offset) {
      case Self.newline: break
      case UInt8(ascii: "#"):
        guard let end = commentEnd(offset) else { return false }
        offset = end
      default:
        at = offset
        column = offset - line
        return true
      }
      line = offset + 1
    }
    at = bytes.count
    column = -1
    return true
  }

  private func commentEnd(_ start: Int) -> Int? {
    var offset = start
    while byte(offset) != Self.newline {
      if isOdd(byte(offset), at: offset) { return nil }
      offset += 1
    }
    return offset
  }

  // MARK: Blocks

  /// Reads the mapping whose first key is at the offset `at`, in the column `own`, and moves `at` to the line after the mapping. Returns
  /// the mapping's node number; nil if this reader does not support its syntax.
  private mutating func mapping(_ own: Int) -> Int32? {
    guard level < depth else { return nil }
    level += 1
    defer { level -= 1 }
    let base = nodes.count
    let start = at
    while true {
      guard let key = key(inFlow: false) else { return nil }
      nodes.push(key)
      at += 1
      while byte(at) == Self.space { at += 1 }
      let value: Int32?
      if byte(at) == Self.newline || byte(at) == UInt8(ascii: "#") {
        // Move back to the space after the colon, since a comment needs a space before it.
        if byte(at) == UInt8(ascii: "#") { at -= 1 }
        guard nextLine() else { return nil }
        if column > own {
          value = block()
        } else if column == own, isItem {
          value = list(own)
        } else {
          value = nil
        }
        guard let value else { return nil }
        nodes.push(value)
      } else {
        guard let value = inlineValue(), nextLine() else { return nil }
        nodes.push(value)
      }
      guard column <= own else { return nil }
      if column < own { break }
    }
    return finish(isMapping: true, base, start..<lastEnd)
  }

  /// Whether a list item, which begins with `- `, is at the offset `at`.
  private var isItem: Bool { byte(at) == UInt8(ascii: "-") && isBlank(at + 1) }

  /// Reads the mapping or list that begins at `at`, on its own line. Returns its node number; nil if this reader does not support its
  /// syntax.
  private mutating func block() -> Int32? {
    if isItem { return list(column) }
    // A scalar on its own line is rare, so only libyaml reads it.
    return mapping(column)
  }

  /// Reads the list whose first `-` is at the offset `at`, in the column `own`. Returns the node number of the list; nil if this reader
  /// does not support the syntax of the list.
  private mutating func list(_ own: Int) -> Int32? {
    guard level < depth else { return nil }
    level += 1
    defer { level -= 1 }
    let base = nodes.count
    let start = at
    repeat {
      let dash = at
      at += 1
      while byte(at) == Self.space { at += 1 }
      guard byte(at) != Self.newline, byte(at) != UInt8(ascii: "#") else { return nil }
      if beginsWithKey {
        guard let value = mapping(own + at - dash) else { return nil }
        nodes.push(value)
      } else {
        guard let value = inlineValue(), nextLine() else { return nil }
        nodes.push(value)
      }
      guard column <= own else { return nil }
    } while column == own && isItem
    return finish(isMapping: false, base, start..<lastEnd)
  }

  /// Whether a key of a mapping begins at the offset `at`.
  private var beginsWithKey: Bool {
    var offset = at
    let first = byte(offset)
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return false }
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
      offset += 1
      while byte(offset) != first {
        if byte(offset) == Self.newline { return false }
        offset += 1
      }
    }
    while byte(offset) != Self.newline {
      if byte(offset) == UInt8(ascii: ":"), isBlank(offset + 1) { return true }
      offset += 1
    }
    return false
  }

  /// The end of the block that is being read, which is the end of its last child.
  private var lastEnd: Int { nodes.count > 0 ? tree.end(of: nodes[nodes.count - 1]) : at }

  /// Adds a mapping or a sequence to the tree, and returns the number of the new node. The children of the new node are the nodes in
  /// ``nodes`` from the index `base` on. Returns nil if a mapping has a duplicate key.
  mutating func finish(isMapping: Bool, _ base: Int, _ place: Range<Int>) -> Int32? {
    var index: KeyIndex?
    if isMapping {
      let count = (nodes.count - base) / 2
      if count > YAMLMapping.indexThreshold {
        var fresh = KeyIndex(expecting: count)
        for place in 0..<count {
          let key = nodes[base + 2 * place]
          let hash = tree.hash(of: key)
          guard fresh.place(hash, where: { tree.haveSameText(nodes[base + 2 * $0], key) }) == nil else { return nil }
          fresh.add(hash, at: place)
        }
        index = fresh
      } else {
        let first = signatures.count - count
        var later = 1
        while later < count {
          var earlier = 0
          while earlier < later {
            if signatures[first + earlier] == signatures[first + later],
              tree.haveSameText(nodes[base + 2 * earlier], nodes[base + 2 * later])
            {
              return nil
            }
            earlier += 1
          }
          later += 1
        }
      }
      signatures.drop(to: signatures.count - count)
    }
    let node = tree.addCollection(nodes.elements(from: base), isMapping: isMapping, index: index, tag: nil, anchor: nil, at: place)
    nodes.drop(to: base)
    return node
  }
}

/// A stack for the children of collections that are not yet complete. Removing elements only reduces the count, so that later elements
/// reuse the memory.
struct ReaderStack<Element> {
  private var storage: [Element] = []
  private(set) var count = 0

  subscript(index: Int) -> Element { storage[index] }

  mutating func push(_ element: Element) {
    if count < storage.count { storage[count] = element } else { storage.append(element) }
    count += 1
  }

  /// Keeps only the first `count` elements.
  mutating func drop(to count: Int) { self.count = count }

  /// Returns the elements from a position on.
  func elements(from start: Int) -> ArraySlice<Element> { storage[start..<count] }
}
