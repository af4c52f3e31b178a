import GarlandDiagnostics
import Glibc

/// A tree under construction. The children of a list or mapping are added before the list or mapping itself.
struct YAMLTreeBuilder {
  private let file: SourceFile
  private var records: [YAMLTree.Record] = []
  private var links: [Int32] = []
  private var texts: [String] = []
  private var names: [Int32: String] = [:]
  private var indexes: [Int32: KeyIndex] = [:]

  /// Creates an empty tree.
  ///
  /// - Parameter count: The approximate number of nodes.
  init(_ file: SourceFile, expecting count: Int = 0) {
    self.file = file
    records.reserveCapacity(count)
    links.reserveCapacity(count)
  }

  func finish() -> YAMLTree {
    YAMLTree(file: file, records: records, links: links, texts: texts, names: names, indexes: indexes)
  }

  // MARK: Adding

  private mutating func append(_ record: YAMLTree.Record, name: String?) -> Int32 {
    let node = Int32(truncatingIfNeeded: records.count)
    records.append(record)
    if let name {
      records[Int(node)].hasName = true
      names[node] = name
    }
    return node
  }

  /// Adds a scalar, and returns its node number.
  ///
  /// - Parameter source: The bytes of the file.
  mutating func addScalar(
    _ text: UnsafeBufferPointer<UInt8>, style: YAMLScalar.Style, kind: YAMLScalar.Kind, tag: YAMLTag?, anchor: String?,
    at place: Range<Int>,
    _ source: UnsafeBufferPointer<UInt8>
  ) -> Int32 {
    let quotes = style == .singleQuoted || style == .doubleQuoted ? 1 : 0
    let first: Int32
    if Self.stands(text, in: source, place, quotes: quotes) {
      first = YAMLTree.Record.verbatim + Int32(quotes)
    } else {
      first = Int32(truncatingIfNeeded: texts.count)
      texts.append(String(decoding: text, as: UTF8.self))
    }
    return append(YAMLTree.Record(place, kind, style: style, first: first, tag: tag), name: anchor)
  }

  /// Adds a scalar that has neither tag nor anchor, and returns its node number. The scalar's text must equal its source, or its source
  /// without the quotes.
  mutating func addVerbatim(_ place: Range<Int>, _ kind: YAMLScalar.Kind, _ style: YAMLScalar.Style) -> Int32 {
    let quotes: Int32 = style == .plain ? 0 : 1
    return append(YAMLTree.Record(place, kind, style: style, first: YAMLTree.Record.verbatim + quotes, tag: nil), name: nil)
  }

  /// Whether the range `place` of the YAML source contains only the given text and the quotation marks around the text.
  ///
  /// - Parameter quotes: the number of bytes of the quotation mark on each side; 0 for a text without quotation marks.
  private static func stands(
    _ text: UnsafeBufferPointer<UInt8>, in source: UnsafeBufferPointer<UInt8>, _ place: Range<Int>, quotes: Int
  ) -> Bool {
    guard place.count == text.count + 2 * quotes, place.upperBound <= source.count else { return false }
    guard let bytes = text.baseAddress, let base = source.baseAddress, !text.isEmpty else { return true }
    return memcmp(bytes, base + place.lowerBound + quotes, text.count) == 0
  }

  /// Adds a collection, and returns its node number.
  ///
  /// - Parameter children: The children; for a mapping, alternating keys and values.
  mutating func addCollection(
    _ children: ArraySlice<Int32>, isMapping: Bool, index: KeyIndex?, tag: YAMLTag?, anchor: String?, at place: Range<Int>
  ) -> Int32 {
    if YAMLTree.Record.short(children.count) == nil { links.append(Int32(truncatingIfNeeded: children.count)) }
    let first = Int32(truncatingIfNeeded: links.count)
    links += children
    let node = append(YAMLTree.Record(place, isMapping: isMapping, first: first, count: children.count, tag: tag), name: anchor)
    if let index { indexes[node] = index }
    return node
  }

  /// Adds an alias of the node `target`, or an alias with the value null if `target` is nil. Returns the node number of the alias.
  mutating func addAlias(_ name: String, of target: Int32?, at place: Range<Int>) -> Int32 {
    guard let target else {
      texts.append("")
      var record = YAMLTree.Record(place, .null, style: .plain, first: Int32(truncatingIfNeeded: texts.count - 1), tag: nil)
      record.isAlias = true
      return append(record, name: name)
    }
    var record = records[Int(target)]
    if record.kind == .scalar, record.first < 0 {
      // Copy the text, since the source at the alias does not contain it.
      texts.append(text(of: target))
      record.first = Int32(truncatingIfNeeded: texts.count - 1)
    }
    record.start = UInt32(clamping: place.lowerBound)
    record.end = UInt32(clamping: place.upperBound)
    record.isAlias = true
    let node = append(record, name: name)
    if let index = indexes[target] { indexes[node] = index }
    return node
  }

  // MARK: Reading

  func kind(of node: Int32) -> YAMLTree.Kind { records[Int(node)].kind }
  func isScalar(_ node: Int32) -> Bool { records[Int(node)].kind == .scalar }
  func isAlias(_ node: Int32) -> Bool { records[Int(node)].isAlias }
  func style(of node: Int32) -> YAMLScalar.Style { records[Int(node)].style }
  func end(of node: Int32) -> Int { Int(records[Int(node)].end) }
  func range(of node: Int32) -> SourceRange { SourceRange(file, Int(records[Int(node)].start)..<Int(records[Int(node)].end)) }

  func isNull(_ node: Int32) -> Bool {
    let record = records[Int(node)]
    return record.kind == .scalar && record.scalar == .null
  }

  func children(of node: Int32) -> ArraySlice<Int32> {
    let record = records[Int(node)]
    return links[Int(record.first)..<Int(record.first) + record.linkCount(in: links)]
  }

  func text(of node: Int32) -> String {
    let record = records[Int(node)]
    guard let range = record.verbatimRange else { return texts[Int(record.first)] }
    return file.bytes.withUnsafeBufferPointer { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
  }

  /// Returns the hash of a scalar's text, for a ``KeyIndex``.
  func hash(of node: Int32) -> UInt32 {
    let record = records[Int(node)]
    guard let range = record.verbatimRange else {
      var text = texts[Int(record.first)]
      return text.withUTF8(KeyIndex.hash)
    }
    return file.bytes.withUnsafeBufferPointer { KeyIndex.hash(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  func haveSameText(_ left: Int32, _ right: Int32) -> Bool {
    let (one, other) = (records[Int(left)], records[Int(right)])
    guard let first = one.verbatimRange, let second = other.verbatimRange else { return text(of: left) == text(of: right) }
    guard first.count == second.count else { return false }
    return file.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return true }
      return memcmp(base + first.lowerBound, base + second.lowerBound, first.count) == 0
    }
  }

  /// Whether a node is the merge key: `<<` without quotes and without a tag. Returns false for an alias.
  func isMergeKey(_ node: Int32) -> Bool {
    let record = records[Int(node)]
    guard record.style == .plain, !record.isAlias, record.tag == nil, let range = record.verbatimRange, range.count == 2 else {
      return false
    }
    return file.bytes[range.lowerBound] == UInt8(ascii: "<") && file.bytes[range.lowerBound + 1] == UInt8(ascii: "<")
  }

  /// Whether a scalar is not empty and has only letters, digits, `_`, `-`, `.` and `/`. This is true for most keys.
  func isPlainWord(_ node: Int32) -> Bool {
    let record = records[Int(node)]
    guard record.kind == .scalar, !record.isAlias, let range = record.verbatimRange, !range.isEmpty else { return false }
    return file.bytes.withUnsafeBufferPointer { bytes in
      for index in range {
        switch bytes[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-")...UInt8(ascii: "9"),
          UInt8(ascii: "_"):
          continue
        default: return false
        }
      }
      return true
    }
  }

  /// Returns the kind of a node, with an article, in words for messages to users.
  func kindDescription(of node: Int32) -> String { YAMLTree.description(of: records[Int(node)]) }
}

extension YAMLTree {
  static func description(of record: Record) -> String {
    switch (record.kind, record.scalar) {
    case (.sequence, _): "a list"
    case (.mapping, _): "a mapping"
    case (.scalar, .null): "null"
    case (.scalar, .yes), (.scalar, .no): "a boolean"
    case (.scalar, .number): "a number"
    case (.scalar, .string): "text"
    }
  }
}
