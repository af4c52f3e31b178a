/// Reads values at known paths from JSON bytes.
///
/// The rest of the document is checked, but no values are built for it.
///
/// ```swift
/// let extractor = JSONExtractor(paths: [[.name("id")], [.name("tags"), .index(0)]])
/// let found = try extractor.values(in: body)   // [7, "novel"]; nil for a missing value
/// ```
///
/// Create one extractor for the paths of a step and use it for every response. If a name is repeated, its last
/// value is used, as in a parsed document.
public struct JSONExtractor: Sendable {
  /// A node in the tree of paths. Paths with the same beginning share the nodes of this beginning, so that the beginning is searched for
  /// only once.
  struct Node {
    var targets: [Int] = []
    var names: [Name] = []
    var indexes: [(index: Int, node: Int)] = []

    /// Whether the whole value must be built. True if one of the paths ends at this node, or if an index in a path counts from the end of
    /// the array: the end is known only after the array was read.
    var needsValue: Bool {
      !targets.isEmpty || indexes.contains { $0.index < 0 }
    }
  }

  /// A name for which the extractor searches. The extractor first compares the fingerprints of two names (see ``NameFingerprint``), which
  /// quickly excludes most other names.
  struct Name {
    let text: String
    let bytes: [UInt8]
    let fingerprint: UInt64
    let node: Int

    init(_ text: String, node: Int) {
      self.text = text
      self.node = node
      bytes = Array(text.utf8)
      fingerprint = bytes.withUnsafeBytes(NameFingerprint.of)
    }
  }

  private let nodes: [Node]
  private let pathCount: Int
  private let options: JSONParsingOptions

  /// Creates an extractor for paths of member names and array indexes. A negative index counts from
  /// the end; an empty path selects the whole document.
  public init(paths: [[JSONPathElement]], maximumDepth: Int = JSONParsingOptions().maximumDepth) {
    var nodes = [Node()]
    for (target, path) in paths.enumerated() {
      var current = 0
      for element in path {
        let next: Int
        switch element {
        case .name(let name):
          next = nodes[current].names.first { $0.text.isIdentical(to: name) }?.node ?? nodes.count
          if next == nodes.count { nodes[current].names.append(Name(name, node: next)) }
        case .index(let index):
          next = nodes[current].indexes.first { $0.index == index }?.node ?? nodes.count
          if next == nodes.count { nodes[current].indexes.append((index, next)) }
        }
        if next == nodes.count { nodes.append(Node()) }
        current = next
      }
      nodes[current].targets.append(target)
    }
    self.nodes = nodes
    pathCount = paths.count
    options = JSONParsingOptions(maximumDepth: maximumDepth)
  }

  /// Returns the values at the paths, in the order of the paths; nil for a path without a value. Throws if the bytes are not a JSON
  /// document, even if the mistake is outside of these values.
  public func values(in bytes: UnsafeRawBufferPointer) throws(JSONParsingError) -> [JSONValue?] {
    try JSONScanner.withScanner(over: bytes) { scanner in
      Result { () throws(JSONParsingError) in try values(in: scanner) }
    }
  }

  /// Returns the values at the paths, in the order of the paths; nil for a path without a value. Throws if the bytes are not a JSON
  /// document, even if the mistake is outside of these values.
  public func values(in bytes: [UInt8]) throws(JSONParsingError) -> [JSONValue?] {
    try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONParsingError) in try values(in: UnsafeRawBufferPointer(buffer)) }
    }.get()
  }

  private func values(in scanner: JSONScanner) throws(JSONParsingError) -> [JSONValue?] {
    var extraction = Extraction(nodes: nodes, scanner: scanner, options: options, pathCount: pathCount)
    var position = try scanner.startOfValue()
    try extraction.visit(0, &position, depth: 0)
    try scanner.requireEnd(&position)
    return extraction.found
  }
}

/// A single pass over a JSON document. It collects the values that the paths select.
private struct Extraction: ~Copyable {
  let nodes: [JSONExtractor.Node]
  let scanner: JSONScanner
  let limit: Int
  var builder: JSONTreeBuilder
  var found: [JSONValue?]

  init(nodes: [JSONExtractor.Node], scanner: JSONScanner, options: JSONParsingOptions, pathCount: Int) {
    self.nodes = nodes
    self.scanner = scanner
    limit = options.maximumDepth
    builder = JSONTreeBuilder(scanner: scanner, options: options)
    // A loop is sufficient, because there are nearly always few values.
    found = []
    for _ in 0..<pathCount { found.append(nil) }
  }

  /// Reads the value at `position`, and collects the selected values in it. The recursion is at most as deep as the longest path.
  ///
  /// - Parameter index: The index of the value's node in the tree of paths.
  mutating func visit(_ index: Int, _ position: inout Int, depth: Int) throws(JSONParsingError) {
    let node = nodes[index]
    guard position < scanner.end else { throw scanner.unexpectedValue(at: position) }
    if node.needsValue {
      assign(try builder.value(&position, depth: depth), to: index)
    } else if scanner.base[position] == UInt8(ascii: "{"), !node.names.isEmpty {
      try visitObject(node, &position, depth: depth + 1)
    } else if scanner.base[position] == UInt8(ascii: "["), !node.indexes.isEmpty {
      try visitArray(node, &position, depth: depth + 1)
    } else {
      try scanner.skipValue(&position, depth: depth, limit: limit)
    }
  }

  private mutating func visitObject(_ node: JSONExtractor.Node, _ position: inout Int, depth: Int) throws(JSONParsingError) {
    guard depth <= limit else { throw scanner.tooDeep(at: position, limit: limit) }
    position += 1
    scanner.skipWhitespace(&position)
    if scanner.byte(at: position) == UInt8(ascii: "}") {
      position += 1
      return
    }
    var afterComma = false
    // For each of the node's first 64 names, a bit that is set when the name has occurred.
    var seen: UInt64 = 0
    while true {
      try scanner.checkTime(8, at: position)
      let name = try scanner.scanName(&position, afterComma: afterComma)
      if let place = place(in: node, of: name) {
        let child = node.names[place].node
        let bit: UInt64 = place < 64 ? 1 << UInt64(place) : 0
        if bit == 0 || seen & bit != 0 { forget(child) }
        seen |= bit
        try visit(child, &position, depth: depth)
      } else {
        try scanner.skipValue(&position, depth: depth, limit: limit)
      }
      scanner.skipWhitespace(&position)
      switch scanner.byte(at: position) {
      case UInt8(ascii: ","):
        position += 1
        scanner.skipWhitespace(&position)
        afterComma = true
      case UInt8(ascii: "}"):
        position += 1
        return
      default: throw scanner.unexpected(at: position, expected: "',' or '}'")
      }
    }
  }

  private mutating func visitArray(_ node: JSONExtractor.Node, _ position: inout Int, depth: Int) throws(JSONParsingError) {
    guard depth <= limit else { throw scanner.tooDeep(at: position, limit: limit) }
    position += 1
    scanner.skipWhitespace(&position)
    if scanner.byte(at: position) == UInt8(ascii: "]") {
      position += 1
      return
    }
    var index = 0
    while true {
      try scanner.checkTime(4, at: position)
      if let child = node.indexes.first(where: { $0.index == index }) {
        try visit(child.node, &position, depth: depth)
      } else {
        try scanner.skipValue(&position, depth: depth, limit: limit)
      }
      index += 1
      scanner.skipWhitespace(&position)
      switch scanner.byte(at: position) {
      case UInt8(ascii: ","):
        position += 1
        scanner.skipWhitespace(&position)
        if scanner.byte(at: position) == UInt8(ascii: "]") { throw scanner.trailingComma(before: position) }
      case UInt8(ascii: "]"):
        position += 1
        return
      default: throw scanner.unexpected(at: position, expected: "',' or ']'")
      }
    }
  }

  /// Returns the index of a name among the names that `node` searches for; nil for any other name.
  private func place(in node: JSONExtractor.Node, of name: ScannedString) -> Int? {
    if name.hasEscapes {
      let text = scanner.text(of: name)
      return node.names.firstIndex { $0.text.isIdentical(to: text) }
    }
    let written = UnsafeRawBufferPointer(start: scanner.base + name.start, count: name.end - name.start)
    let fingerprint = NameFingerprint.of(written)
    for index in node.names.indices where node.names[index].fingerprint == fingerprint {
      if node.names[index].bytes.elementsEqual(written) { return index }
    }
    return nil
  }

  /// Removes the values that were found at a node in the tree of paths, or below this node. This is necessary if an object repeats a name,
  /// since only the last value counts.
  private mutating func forget(_ index: Int) {
    let node = nodes[index]
    for target in node.targets { found[target] = nil }
    for name in node.names { forget(name.node) }
    for index in node.indexes { forget(index.node) }
  }

  private mutating func assign(_ value: JSONValue, to index: Int) {
    let node = nodes[index]
    for target in node.targets { found[target] = value }
    guard !node.names.isEmpty || !node.indexes.isEmpty else { return }
    for name in node.names {
      if let member = value[name.text] { assign(member, to: name.node) }
    }
    for index in node.indexes {
      if let element = value[index.index] { assign(element, to: index.node) }
    }
  }
}

/// Computes fingerprints of names. Equal names have equal fingerprints; most different names have different fingerprints.
enum NameFingerprint {
  /// Returns the fingerprint of a name. The fingerprint combines the length, the first eight bytes and the last eight bytes of the name.
  /// Nearly all names of one object differ in these.
  @inline(__always)
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var first: UInt64 = 0
    var last: UInt64 = 0
    if count >= 8 {
      first = bytes.loadUnaligned(as: UInt64.self)
      last = bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
      for byte in bytes { first = first << 8 | UInt64(byte) }
    }
    let mixed = (first &* 0x9E37_79B9_7F4A_7C15) ^ (last &* 0xC2B2_AE3D_27D4_EB4F) &+ UInt64(truncatingIfNeeded: count)
    return mixed ^ mixed >> 29
  }
}
