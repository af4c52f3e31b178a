/// Builds values from a scanner's tokens. It keeps stacks of the open containers itself instead of recursing, so that no document can
/// exhaust the thread's stack.
struct JSONTreeBuilder: ~Copyable {
  struct Frame {
    let isObject: Bool
    /// The index of this container's first value on the stack of values.
    let firstValue: Int
    /// If the container is an object, the index of the object's first member name on the stack of member names.
    let firstName: Int
  }

  struct Name {
    let text: String
    let offset: Int
    /// The fingerprint of the name; see ``NameFingerprint``.
    let fingerprint: UInt64
  }

  /// The maximum number of duplicate names that are recorded.
  static let reportedDuplicates = 16

  let scanner: JSONScanner
  private let options: JSONParsingOptions
  private var values = ParsingStack<JSONValue>()
  private var names = ParsingStack<Name>()
  private var frames: [Frame] = []
  private(set) var duplicates: [(key: String, offset: Int)] = []

  init(scanner: JSONScanner, options: JSONParsingOptions) {
    self.scanner = scanner
    self.options = options
  }

  /// Reads the value at `position`, which is nested in `depth` containers.
  mutating func value(_ position: inout Int, depth: Int) throws(JSONParsingError) -> JSONValue {
    while true {
      guard var value = try begin(&position, depth: depth) else { continue }
      // Add the value to its container. If the container ends here, the container is the next value to add to the outer container, and so
      // on.
      while true {
        guard let frame = frames.last else { return value }
        try values.push(value)
        guard try endsContainer(frame, &position) else { break }
        frames.removeLast()
        value = frame.isObject ? .object(try closeObject(frame)) : .array(try closeArray(frame))
      }
    }
  }

  /// Reads a scalar or an empty container, and returns it. For a container with values, reads only the opening bracket (and, in an object,
  /// the first name) and returns nil. The first value of the container is read next.
  @inline(__always)
  private mutating func begin(_ position: inout Int, depth: Int) throws(JSONParsingError) -> JSONValue? {
    guard position < scanner.end else { throw scanner.unexpectedValue(at: position) }
    switch scanner.base[position] {
    case UInt8(ascii: "\""):
      position += 1
      return .string(scanner.text(of: try scanner.scanString(&position)))
    case UInt8(ascii: "{"):
      try open(isObject: true, at: position, depth: depth)
      position += 1
      scanner.skipWhitespace(&position)
      guard position < scanner.end, scanner.base[position] == UInt8(ascii: "}") else {
        try name(&position, afterComma: false)
        return nil
      }
      position += 1
      frames.removeLast()
      return .object(JSONObject())
    case UInt8(ascii: "["):
      try open(isObject: false, at: position, depth: depth)
      position += 1
      scanner.skipWhitespace(&position)
      guard position < scanner.end, scanner.base[position] == UInt8(ascii: "]") else { return nil }
      position += 1
      frames.removeLast()
      return .array([])
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(scanner.number(of: try scanner.scanNumber(&position)))
    case UInt8(ascii: "t"):
      try scanner.scanLiteral("true", &position)
      return .bool(true)
    case UInt8(ascii: "f"):
      try scanner.scanLiteral("false", &position)
      return .bool(false)
    case UInt8(ascii: "n"):
      try scanner.scanLiteral("null", &position)
      return .null
    default:
      throw scanner.unexpectedValue(at: position)
    }
  }

  /// Reads the text after a value in a container. If the container ends, reads its closing bracket and returns true. Otherwise, reads the
  /// comma and, in an object, the next name, and returns false.
  @inline(__always)
  private mutating func endsContainer(_ frame: Frame, _ position: inout Int) throws(JSONParsingError) -> Bool {
    try scanner.checkTime(4, at: position)
    scanner.skipWhitespace(&position)
    let expected: StaticString = frame.isObject ? "',' or '}'" : "',' or ']'"
    guard position < scanner.end else { throw scanner.unexpected(at: position, expected: "\(expected)") }
    if scanner.base[position] == UInt8(ascii: ",") {
      position += 1
      scanner.skipWhitespace(&position)
      if frame.isObject {
        try name(&position, afterComma: true)
      } else if position < scanner.end, scanner.base[position] == UInt8(ascii: "]") {
        throw scanner.trailingComma(before: position)
      }
      return false
    }
    guard scanner.base[position] == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
      throw scanner.unexpected(at: position, expected: "\(expected)")
    }
    position += 1
    return true
  }

  private mutating func open(isObject: Bool, at position: Int, depth: Int) throws(JSONParsingError) {
    guard depth + frames.count < options.maximumDepth else { throw scanner.tooDeep(at: position, limit: options.maximumDepth) }
    frames.append(Frame(isObject: isObject, firstValue: values.count, firstName: names.count))
  }

  @inline(__always)
  private mutating func name(_ position: inout Int, afterComma: Bool) throws(JSONParsingError) {
    let offset = position
    let name = try scanner.scanName(&position, afterComma: afterComma)
    let text = scanner.text(of: name)
    let fingerprint =
      name.hasEscapes
      ? text.utf8.withContiguousStorageIfAvailable { NameFingerprint.of(UnsafeRawBufferPointer($0)) } ?? 0
      : NameFingerprint.of(UnsafeRawBufferPointer(start: scanner.base + name.start, count: name.end - name.start))
    try names.push(Name(text: text, offset: offset, fingerprint: fingerprint))
  }

  /// Throws an error if there is not enough memory for a number of elements.
  @inline(__always)
  private func requireRoom<Element>(for count: Int, _: Element.Type) throws(JSONParsingError) {
    guard Computation.hasRoom(for: count * MemoryLayout<Element>.stride) else { throw .outOfMemory }
  }

  private mutating func closeArray(_ frame: Frame) throws(JSONParsingError) -> [JSONValue] {
    let count = values.count - frame.firstValue
    guard let source = values.pointer(at: frame.firstValue) else { return [] }
    try requireRoom(for: count, JSONValue.self)
    var elements: [JSONValue] = []
    elements.reserveCapacity(count)
    for position in 0..<count { elements.append((source + position).move()) }
    values.forget(downTo: frame.firstValue)
    return elements
  }

  private mutating func closeObject(_ frame: Frame) throws(JSONParsingError) -> JSONObject {
    let count = values.count - frame.firstValue
    guard let sourceNames = names.pointer(at: frame.firstName) else { return JSONObject() }
    if count <= JSONObject.largestUnindexedCount {
      if mayRepeat(sourceNames, count: count) { return try closeObjectWithDuplicates(frame, count: count) }
      return JSONObject(uniqueMembers: try takeMembers(frame, count: count), positions: nil)
    }
    // A dictionary has up to three times as many places as elements.
    try requireRoom(for: 3 * count, (ScalarString, Int).self)
    var positions: [ScalarString: Int] = [:]
    positions.reserveCapacity(count)
    for position in 0..<count {
      if positions.updateValue(position, forKey: ScalarString(sourceNames[position].text)) != nil {
        return try closeObjectWithDuplicates(frame, count: count)
      }
    }
    return JSONObject(uniqueMembers: try takeMembers(frame, count: count), positions: positions)
  }

  /// Returns whether two of the given member names have the same fingerprint, so that they may be equal. The function is fast only for few
  /// names.
  @inline(__always)
  private func mayRepeat(_ names: UnsafeMutablePointer<Name>, count: Int) -> Bool {
    var seen: UInt64 = 0
    for position in 0..<count {
      let fingerprint = names[position].fingerprint
      let bit: UInt64 = 1 << (fingerprint & 63)
      if seen & bit != 0 {
        for earlier in 0..<position where names[earlier].fingerprint == fingerprint { return true }
      }
      seen |= bit
    }
    return false
  }

  private mutating func takeMembers(_ frame: Frame, count: Int) throws(JSONParsingError) -> [JSONObject.Member] {
    guard let sourceNames = names.pointer(at: frame.firstName), let sourceValues = values.pointer(at: frame.firstValue) else { return [] }
    try requireRoom(for: count, JSONObject.Member.self)
    var members: [JSONObject.Member] = []
    members.reserveCapacity(count)
    for position in 0..<count {
      members.append(JSONObject.Member(key: (sourceNames + position).move().text, value: (sourceValues + position).move()))
    }
    names.forget(downTo: frame.firstName)
    values.forget(downTo: frame.firstValue)
    return members
  }

  /// Creates an object from the members that were read, and handles duplicate names. This method is called only if some names may be equal,
  /// since comparing all names is slow.
  private mutating func closeObjectWithDuplicates(_ frame: Frame, count: Int) throws(JSONParsingError) -> JSONObject {
    var object = JSONObject()
    guard let sourceNames = names.pointer(at: frame.firstName), let sourceValues = values.pointer(at: frame.firstValue) else {
      return object
    }
    try requireRoom(for: 3 * count, JSONObject.Member.self)
    object.reserveCapacity(count)
    for position in 0..<count {
      let name = sourceNames[position]
      if object.position(of: name.text) != nil {
        guard options.duplicateKeys == .keepLast else { throw scanner.duplicateKey(name.text, at: name.offset) }
        if duplicates.count < JSONTreeBuilder.reportedDuplicates { duplicates.append((name.text, name.offset)) }
      }
      object[name.text] = sourceValues[position]
    }
    sourceNames.deinitialize(count: count)
    sourceValues.deinitialize(count: count)
    names.forget(downTo: frame.firstName)
    values.forget(downTo: frame.firstValue)
    return object
  }
}
