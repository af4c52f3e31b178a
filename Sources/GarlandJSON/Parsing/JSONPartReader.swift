import GarlandText

/// Reads selected parts of a JSON text that arrives in pieces, such as a file that may not fit into memory.
///
/// Only the selected members of the current part are kept in memory. The text outside of them is checked for its structure, not
/// for the grammar of its values.
///
/// ```swift
/// var reader = JSONPartReader([.init(at: ["results", .each], keeping: [["id"], ["seconds"]])])
/// for piece in pieces {
///   for (_, value) in reader.read(piece) { print(value) }   // {"id":"a","seconds":1}
/// }
/// guard reader.isAtEnd else { … }   // The text is incomplete or invalid.
/// ```
package struct JSONPartReader: Sendable {
  /// An element of a path: the member with a given name in an object, or all elements of an array.
  package enum Element: Sendable, Hashable, ExpressibleByStringLiteral {
    case name(String)
    case each

    package init(stringLiteral name: String) { self = .name(name) }
  }

  /// A part of the JSON text that is read: all values at one path. The reader returns these values one by one.
  package struct Part: Sendable {
    let path: [Element]
    let kept: [[Element]]

    /// Describes a part of the text to read: all values at one path.
    ///
    /// - Parameters:
    ///   - path: the path of the values. None of these values may be inside of a value of another part.
    ///   - kept: the paths of the members to keep, each relative to a value of the part. If empty, the whole value is kept.
    package init(at path: [Element], keeping kept: [[Element]] = []) {
      self.path = path
      self.kept = kept
    }
  }

  /// A node in the tree of the paths that the reader searches for. A child node stands for the member with a certain name, or for all
  /// elements of an array.
  private struct Node {
    var names: [[UInt8]: Int] = [:]
    /// The index of the child node for the elements of an array; nil if no searched path continues from this node to array elements.
    var elements: Int?
    /// The index of the part whose path ends at this node; nil if there is no such part.
    var part: Int?

    /// Whether a value at this node is kept as a whole, because no searched path continues to one of its members or elements.
    var isLeaf: Bool { names.isEmpty && elements == nil }
  }

  /// An object or array that contains the current position of the reader, and in which the reader searches for parts.
  private struct Level {
    let node: Int
    let isObject: Bool
    /// Whether a member or an element was already added to `kept`, so that a comma must precede the next one.
    var hasKept = false
  }

  /// The token that the reader expects next, or the token that it is reading.
  private enum State {
    /// The reader expects the beginning of a value.
    case value
    /// The reader expects the beginning of a name.
    case name
    case inName
    case inNameEscape
    case colon
    /// The reader expects a comma or a closing bracket.
    case afterValue
    /// The reader is in a number, `true`, `false` or `null`.
    case inScalar
    /// The reader is in a container whose members are not searched.
    case inContainer
    case inString
    case inEscape
    /// The JSON text is complete, so only white space may follow.
    case end
    case invalid
  }

  private let nodes: [Node]
  private var state = State.value
  private var levels: [Level] = []
  /// Whether the last token opened a container. The closing bracket may then follow at once, for an empty container.
  private var isAfterOpening = false
  /// The index in ``nodes`` of the node for the current value; nil if the value is not on any of the requested paths.
  private var node: Int? = 0
  /// The number of objects and arrays that are open in the current value, including the value itself. The reader counts them only if no
  /// requested path leads into the current value.
  private var depth = 0
  /// The name of the current object member, as written, without its quotes.
  private var name: [UInt8] = []
  /// The index of the ``Part`` to which the current value belongs; nil if the value belongs to no part that the caller has requested.
  private var part: Int?
  /// The JSON text of the selected value that is being read, up to the current position. If the value's ``Part`` has a list of members to
  /// keep, the text contains only these members.
  private var kept: [UInt8] = []
  /// Whether the text of the current value is copied into ``kept``. True for a selected value. If the ``Part`` of this value has a list of
  /// members to keep, true only for these members.
  private var isKept = false
  /// The selected values that the reader has read completely and the caller has not taken yet. `part` is the index of the ``Part`` that
  /// selects the value.
  private var found: [(part: Int, value: JSONValue)] = []

  /// Creates a reader of the given parts of a JSON text.
  package init(_ parts: [Part]) {
    var nodes = [Node()]
    func node(at path: [Element], from first: Int) -> Int {
      path.reduce(first) { current, element in
        let next: Int?
        switch element {
        case .name(let name): next = nodes[current].names[Array(name.utf8)]
        case .each: next = nodes[current].elements
        }
        if let next { return next }
        switch element {
        case .name(let name): nodes[current].names[Array(name.utf8)] = nodes.count
        case .each: nodes[current].elements = nodes.count
        }
        nodes.append(Node())
        return nodes.count - 1
      }
    }
    for (index, part) in parts.enumerated() {
      let place = node(at: part.path, from: 0)
      nodes[place].part = index
      for path in part.kept { _ = node(at: path, from: place) }
    }
    self.nodes = nodes
  }

  /// Whether the text is complete: its value has ended, and only white space followed. False for a number without white space after the
  /// number, since more digits could follow.
  package var isAtEnd: Bool { state == .end }
  /// Whether the text has a mistake, so that all further pieces are ignored.
  package var isInvalid: Bool { state == .invalid }

  /// Reads the next piece of the text. Returns the selected values that end in this piece, each with the index of the ``Part`` that selects
  /// the value. After a mistake in the text, all further pieces are ignored.
  package mutating func read(_ piece: [UInt8]) -> [(part: Int, value: JSONValue)] {
    piece.withUnsafeBufferPointer { bytes in
      var position = 0
      while position < bytes.count, state != .invalid { step(bytes, &position) }
    }
    defer { found = [] }
    return found
  }

  /// Reads the next bytes: several bytes within a string or within a container whose members are not searched, otherwise at most one byte.
  private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    switch state {
    case .inContainer, .inString: return skip(bytes, &position)
    case .inScalar:
      guard Self.endsScalar(bytes[position]) else { break }
      // The byte after the scalar belongs to the container.
      return endValue(of: node)
    default: break
    }
    let byte = bytes[position]
    position += 1
    switch state {
    case .inScalar: keep(byte)
    case .inEscape:
      keep(byte)
      state = .inString
    case .inName where byte == UInt8(ascii: "\""): endName()
    case .inName, .inNameEscape:
      state = state == .inName && byte == UInt8(ascii: "\\") ? .inNameEscape : .inName
      name.append(byte)
    default:
      if !byte.isWhiteSpace { structure(byte) }
    }
  }

  /// Reads a byte that is neither white space nor inside a name or value: a bracket, a colon, a comma, or the first byte of a name or
  /// value.
  private mutating func structure(_ byte: UInt8) {
    let wasAfterOpening = isAfterOpening
    isAfterOpening = false
    switch (state, byte) {
    case (.value, UInt8(ascii: "]")) where wasAfterOpening, (.name, UInt8(ascii: "}")) where wasAfterOpening,
      (.afterValue, UInt8(ascii: "]")), (.afterValue, UInt8(ascii: "}")):
      close(byte)
    // A byte order mark.
    case (.value, 0xEF), (.value, 0xBB), (.value, 0xBF):
      if !levels.isEmpty { state = .invalid }
    case (.value, _): beginValue(byte)
    case (.name, UInt8(ascii: "\"")):
      name.removeAll(keepingCapacity: true)
      state = .inName
    case (.colon, UInt8(ascii: ":")): state = .value
    case (.afterValue, UInt8(ascii: ",")):
      guard let level = levels.last else { return state = .invalid }
      expectMember(of: level)
    default: state = .invalid
    }
  }

  private mutating func expectMember(of level: Level) {
    state = level.isObject ? .name : .value
    if !level.isObject { node = nodes[level.node].elements }
  }

  private mutating func endName() {
    state = .colon
    var written = name
    if name.contains(UInt8(ascii: "\\")) {
      let quoted = [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
      guard let text = try? JSONValue(parsing: quoted).stringValue else { return state = .invalid }
      written = Array(text.utf8)
    }
    node = levels.last.flatMap { nodes[$0.node].names[written] }
  }

  // MARK: Values

  private mutating func beginValue(_ byte: UInt8) {
    isKept = part != nil && node != nil
    if isKept { keepSeparator() }
    if let begun = node.flatMap({ nodes[$0].part }) {
      part = begun
      isKept = true
    }
    keep(byte)
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let node, !nodes[node].isLeaf else {
        depth = 1
        return state = .inContainer
      }
      let level = Level(node: node, isObject: byte == UInt8(ascii: "{"))
      levels.append(level)
      expectMember(of: level)
      isAfterOpening = true
    case UInt8(ascii: "\""): state = .inString
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "t"):
      state = .inScalar
    default: state = .invalid
    }
  }

  /// Adds the text before a value to ``kept``: a comma unless the value is the first one, and for a member of an object also its name with
  /// a colon.
  private mutating func keepSeparator() {
    guard let level = levels.last else { return }
    if level.hasKept { kept.append(UInt8(ascii: ",")) }
    levels[levels.count - 1].hasKept = true
    guard level.isObject else { return }
    kept.append(UInt8(ascii: "\""))
    kept += name
    kept.append(UInt8(ascii: "\""))
    kept.append(UInt8(ascii: ":"))
  }

  private mutating func keep(_ byte: UInt8) {
    if isKept { kept.append(byte) }
  }

  /// Reads the bytes up to and including the next relevant byte, and processes this byte. In a string, only a quote or a backslash is
  /// relevant. In a container whose members are not searched, only a quote or a bracket is relevant.
  private mutating func skip(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    let start = position
    let isString = state == .inString
    while position < bytes.count, !(isString ? Self.endsText(bytes[position]) : Self.endsToken(bytes[position])) { position += 1 }
    let found = position < bytes.count ? bytes[position] : nil
    if found != nil { position += 1 }
    if isKept { kept.append(contentsOf: bytes[start..<position]) }
    guard let found else { return }
    switch found {
    case UInt8(ascii: "\\"): state = .inEscape
    case UInt8(ascii: "\""): state = isString ? .inContainer : .inString
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    default: depth -= 1
    }
    if state == .inContainer, depth == 0 { endValue(of: node) }
  }

  private mutating func close(_ byte: UInt8) {
    guard let level = levels.popLast(), level.isObject == (byte == UInt8(ascii: "}")) else { return state = .invalid }
    if part != nil { kept.append(byte) }
    endValue(of: level.node)
  }

  private mutating func endValue(of node: Int?) {
    state = levels.isEmpty ? .end : .afterValue
    guard let part, node.flatMap({ nodes[$0].part }) == part else { return }
    guard let value = try? JSONValue(parsing: kept) else { return state = .invalid }
    self.part = nil
    kept.removeAll(keepingCapacity: true)
    found.append((part, value))
  }

  // MARK: Bytes

  private static func endsScalar(_ byte: UInt8) -> Bool {
    byte.isWhiteSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
  }

  /// Whether a byte of a string is a quote or a backslash. The reader skips all other bytes of a string.
  private static func endsText(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }

  /// Whether a byte begins a string, or opens or closes a container.
  private static func endsToken(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte | 0x20 == UInt8(ascii: "{") || byte | 0x20 == UInt8(ascii: "}")
  }
}
