public import GarlandDiagnostics
import Glibc

/// A value of a YAML document with its exact place in the source.
///
/// ```swift
/// if case .mapping(let steps) = node.content, let first = steps["login"] {
///   first.range.description  // smoke.yaml:12:3
/// }
/// ```
///
/// A value type: an alias shares what it stands for and costs no more than its own range. A node keeps its whole document alive.
public struct YAMLNode: Sendable {
  /// What a node holds.
  public enum Content: Sendable {
    /// A text, number, truth value or null.
    case scalar(YAMLScalar)
    /// A list.
    case sequence([YAMLNode])
    /// Keys with values.
    case mapping(YAMLMapping)
  }

  private let tree: YAMLTree
  private let number: Int32

  init(_ tree: YAMLTree, _ number: Int32) {
    self.tree = tree
    self.number = number
  }

  /// The node with another mapping in its place.
  package func with(_ mapping: YAMLMapping) -> YAMLNode {
    let record = YAMLTree.Record(record.offsets, isMapping: true, first: 0, count: 0, tag: record.tag)
    let tree = YAMLTree(file: tree.file, records: [record], links: [], texts: [], names: [:], indexes: [:], replacement: mapping)
    return YAMLNode(tree, 0)
  }

  /// The text of a scalar as UTF-8, nothing for anything else: no text is made of it.
  package func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { tree.withText(of: number, body) }

  /// Of a scalar whose text stands in the source just as it is, where it stands, without its quotes; nil for anything else.
  package var textOffsets: Range<Int>? {
    let record = record
    return record.kind == .scalar ? record.verbatimRange : nil
  }

  /// The text of a scalar; empty for anything else.
  package var text: String { record.kind == .scalar ? tree.text(of: number) : "" }

  /// Whether it is a scalar.
  package var isScalar: Bool { record.kind == .scalar }

  /// Whether it is text: a scalar, and neither null, a boolean nor a number.
  package var isText: Bool {
    let record = record
    return record.kind == .scalar && record.scalar == .string
  }

  /// The value of a scalar that is a whole number of few digits; nil for anything else.
  package var smallNumber: Int? {
    let record = record
    guard record.kind == .scalar, record.scalar == .number, let place = record.verbatimRange, place.count <= 18 else { return nil }
    return tree.file.bytes.withUnsafeBufferPointer { bytes in
      var value = 0
      for offset in place {
        guard bytes[offset] >= UInt8(ascii: "0"), bytes[offset] <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
      }
      return value
    }
  }

  /// Where it begins and ends in the source.
  package var offsets: Range<Int> { record.offsets }

  /// Whether something holds for the text of a scalar, as UTF-8; for the empty text if it is anything else.
  package func hasText(where holds: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    guard let offsets = textOffsets else { return tree.withText(of: number, holds) }
    return tree.file.bytes.withUnsafeBufferPointer { holds(UnsafeBufferPointer(rebasing: $0[offsets])) }
  }

  /// What its source is told by; nil where that is not all that it is made of: where the document has anchors and aliases, or mappings that were put together.
  package var fingerprint: YAMLFingerprint? {
    guard tree.names.isEmpty, tree.replacement == nil else { return nil }
    return YAMLFingerprint(tree.file, record.offsets)
  }

  /// Whether `${` is in its source.
  package var hasExpression: Bool {
    let offsets = record.offsets
    return tree.file.bytes.withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress else { return false }
      var at = offsets.lowerBound
      while at + 1 < offsets.upperBound, let found = memchr(base + at, Int32(UInt8(ascii: "$")), offsets.upperBound - 1 - at) {
        at = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found)) + 1
        if bytes[at] == UInt8(ascii: "{") { return true }
      }
      return false
    }
  }

  private var record: YAMLTree.Record { tree[number] }

  /// What it holds. Made each time that it is asked for.
  public var content: Content {
    switch record.kind {
    case .scalar: .scalar(scalarContent)
    case .sequence: .sequence(items)
    case .mapping: .mapping(mappingContent)
    }
  }
  /// Its tag, if one was written.
  public var tag: YAMLTag? { record.tag }
  /// Whether it was written as `*name`; then `content` is that of the anchored node.
  public var isAlias: Bool { record.isAlias }
  /// The value itself, without its tag and anchor; of an alias, the alias. A block's range ends with its last visible character, that of an
  /// empty (null) value is empty and lies where the value would stand.
  public var range: SourceRange { tree.range(of: number) }

  /// The name given by `&name` here; of an alias, the name it refers to.
  public var anchor: String? { record.hasName ? tree.names[number] : nil }

  /// The scalar, if it is one.
  public var scalar: YAMLScalar? { record.kind == .scalar ? scalarContent : nil }
  /// The items, if it is a sequence.
  public var sequence: [YAMLNode]? { record.kind == .sequence ? items : nil }
  /// The mapping, if it is one.
  public var mapping: YAMLMapping? { record.kind == .mapping ? mappingContent : nil }
  /// Whether it is the null value, written out or left empty.
  public var isNull: Bool { tree.isNull(number) }

  /// What it is in a user's words, with an article: `a list`, `a mapping`, `a number`, `text`.
  public var kindDescription: String { YAMLTree.description(of: record) }

  private var scalarContent: YAMLScalar {
    let record = record
    return YAMLScalar(tree.text(of: number), style: record.style, kind: record.scalar)
  }

  private var items: [YAMLNode] { (0..<tree.count(of: number)).map { YAMLNode(tree, tree.child($0, of: number)) } }

  private var mappingContent: YAMLMapping { tree.replacement ?? YAMLMapping(tree, number) }
}
