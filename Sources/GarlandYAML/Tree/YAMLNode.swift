public import GarlandDiagnostics
import Glibc

/// A value of a YAML document with its exact range in the source.
///
/// ```swift
/// if case .mapping(let steps) = node.content, let first = steps["login"] {
///   first.range.description  // smoke.yaml:12:3
/// }
/// ```
///
/// A node is a value type. An alias such as `*login` shares the content of its target, the node with the anchor `&login`, and needs memory
/// only for its own range. A node keeps its whole document in memory.
public struct YAMLNode: Sendable {
  /// The content of a node: a scalar, a list or a mapping.
  public enum Content: Sendable {
    /// A text, number, boolean or null.
    case scalar(YAMLScalar)
    /// A list.
    case sequence([YAMLNode])
    /// A mapping: keys with their values.
    case mapping(YAMLMapping)
  }

  private let tree: YAMLTree
  private let number: Int32

  init(_ tree: YAMLTree, _ number: Int32) {
    self.tree = tree
    self.number = number
  }

  /// Returns a copy of this node whose content is `mapping`.
  package func with(_ mapping: YAMLMapping) -> YAMLNode {
    let record = YAMLTree.Record(record.offsets, isMapping: true, first: 0, count: 0, tag: record.tag)
    let tree = YAMLTree(file: tree.file, records: [record], links: [], texts: [], names: [:], indexes: [:], replacement: mapping)
    return YAMLNode(tree, 0)
  }

  /// Returns a node that replaces this node: the scalar `text`, without tag and anchor, at the same source range.
  package func with(text: String) -> YAMLNode {
    let record = YAMLTree.Record(record.offsets, .string, style: .plain, first: 0, tag: nil)
    return YAMLNode(YAMLTree(file: tree.file, records: [record], links: [], texts: [text], names: [:], indexes: [:]), 0)
  }

  /// Calls `body` with the UTF-8 of a scalar, without creating a string. For any other node, calls `body` with no bytes.
  package func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { tree.withText(of: number, body) }

  /// The range of a scalar's text in the source, without quotes. Nil if the source differs from the text, for example because of an escape,
  /// or if the node is not a scalar.
  package var textOffsets: Range<Int>? {
    let record = record
    return record.kind == .scalar ? record.verbatimRange : nil
  }

  /// The text of a scalar; empty for any other node.
  package var text: String { record.kind == .scalar ? tree.text(of: number) : "" }

  /// Whether the node is a scalar.
  package var isScalar: Bool { record.kind == .scalar }

  /// Whether the node is text: a scalar, and neither null, a boolean nor a number.
  package var isText: Bool {
    let record = record
    return record.kind == .scalar && record.scalar == .string
  }

  /// The value of a scalar that is an integer with few digits; nil for any other node.
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

  /// The byte offsets of the node in the source.
  package var offsets: Range<Int> { record.offsets }

  /// Whether the UTF-8 of a scalar meets a condition. A node that is not a scalar is treated as an empty text.
  package func hasText(where holds: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    guard let offsets = textOffsets else { return tree.withText(of: number, holds) }
    return tree.file.bytes.withUnsafeBufferPointer { holds(UnsafeBufferPointer(rebasing: $0[offsets])) }
  }

  /// The fingerprint of the node's source. Nil if the source alone does not determine the node: in a document with anchors and aliases, or
  /// in a mapping that was created from other mappings.
  package var fingerprint: YAMLFingerprint? {
    guard tree.names.isEmpty, tree.replacement == nil else { return nil }
    return YAMLFingerprint(tree.file, record.offsets)
  }

  /// Whether the node's source contains `${`, so that it may contain an expression.
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

  /// The content of the node. Each access creates a new value.
  public var content: Content {
    switch record.kind {
    case .scalar: .scalar(scalarContent)
    case .sequence: .sequence(items)
    case .mapping: .mapping(mappingContent)
    }
  }
  /// The tag that is written at the node; nil if there is none.
  public var tag: YAMLTag? { record.tag }
  /// Whether the node is written as an alias (`*name`). Its `content` is then the content of the anchored node.
  public var isAlias: Bool { record.isAlias }
  /// The source range of the value, without its tag and anchor. For an alias, it is the range of the alias.
  ///
  /// The range of a block ends with its last visible character. The range of an empty (null) value is empty, at the place where the value
  /// would be.
  public var range: SourceRange { tree.range(of: number) }

  /// The node's anchor (`&name`); for an alias, the name that it refers to; otherwise nil.
  public var anchor: String? { record.hasName ? tree.names[number] : nil }

  /// The scalar; nil for a collection.
  public var scalar: YAMLScalar? { record.kind == .scalar ? scalarContent : nil }
  /// The items; nil unless the node is a sequence.
  public var sequence: [YAMLNode]? { record.kind == .sequence ? items : nil }
  /// The mapping; nil for any other node.
  public var mapping: YAMLMapping? { record.kind == .mapping ? mappingContent : nil }
  /// Whether the node is null, either written as `null` or left empty.
  public var isNull: Bool { tree.isNull(number) }

  /// A description of the node's kind for users, with an article: `a list`, `a mapping`, `a number`, `text`.
  public var kindDescription: String { YAMLTree.description(of: record) }

  private var scalarContent: YAMLScalar {
    let record = record
    return YAMLScalar(tree.text(of: number), style: record.style, kind: record.scalar)
  }

  private var items: [YAMLNode] { (0..<tree.count(of: number)).map { YAMLNode(tree, tree.child($0, of: number)) } }

  private var mappingContent: YAMLMapping { tree.replacement ?? YAMLMapping(tree, number) }
}

/// The tags that Garland supports. Any other tag is an error.
public enum YAMLTag: String, Sendable, Hashable, CaseIterable {
  /// `!!str`, or `!` before a scalar: text, even if it resembles another type.
  case str
  /// `!!int`: an integer.
  case int
  /// `!!float`: a number.
  case float
  /// `!!bool`: `true` or `false`.
  case bool
  /// `!!null`: `null` or an empty value.
  case null
  /// `!!map`: a mapping.
  case map
  /// `!!seq`: a list.
  case seq
}
