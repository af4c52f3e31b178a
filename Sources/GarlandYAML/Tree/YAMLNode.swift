public import GarlandDiagnostics

/// A value of a YAML document with its exact place in the source.
///
/// ```swift
/// if case .mapping(let steps) = node.content, let first = steps["login"] {
///   first.range.description  // smoke.yaml:12:3
/// }
/// ```
///
/// A value type: an alias shares what it stands for and costs no more than its own range.
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

  /// A node is copied far more often than made, and holds many references: behind one pointer a copy counts one.
  private final class Storage: Sendable {
    let content: Content
    let tag: YAMLTag?
    let isAlias: Bool
    let range: SourceRange
    let anchorBox: AnchorBox?

    init(_ content: Content, _ range: SourceRange, _ tag: YAMLTag?, _ anchorBox: AnchorBox?, _ isAlias: Bool) {
      self.content = content
      self.range = range
      self.tag = tag
      self.isAlias = isAlias
      self.anchorBox = anchorBox
    }
  }

  private let storage: Storage

  init(_ content: Content, at range: SourceRange, tag: YAMLTag? = nil, anchor: AnchorBox? = nil, isAlias: Bool = false) {
    storage = Storage(content, range, tag, anchor, isAlias)
  }

  /// The node with another mapping in its place.
  package func with(_ mapping: YAMLMapping) -> YAMLNode { YAMLNode(.mapping(mapping), at: range, tag: tag) }

  /// What it holds.
  public var content: Content { storage.content }
  /// Its tag, if one was written.
  public var tag: YAMLTag? { storage.tag }
  /// Whether it was written as `*name`; then `content` is that of the anchored node.
  public var isAlias: Bool { storage.isAlias }
  /// The value itself, without its tag and anchor; of an alias, the alias. A block's range ends with its last visible character, that of an
  /// empty (null) value is empty and lies where the value would stand.
  public var range: SourceRange { storage.range }

  /// The name given by `&name` here; of an alias, the name it refers to.
  public var anchor: String? { storage.anchorBox?.name }

  /// The scalar, if it is one.
  public var scalar: YAMLScalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
  /// The items, if it is a sequence.
  public var sequence: [YAMLNode]? { if case .sequence(let items) = content { items } else { nil } }
  /// The mapping, if it is one.
  public var mapping: YAMLMapping? { if case .mapping(let mapping) = content { mapping } else { nil } }
  /// Whether it is the null value, written out or left empty.
  public var isNull: Bool { if case .scalar(let scalar) = content { scalar.isNull } else { false } }

  /// What it is in a user's words, with an article: `a list`, `a mapping`, `a number`, `text`.
  public var kindDescription: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(let scalar):
      switch scalar.value {
      case .null: "null"
      case .bool: "a boolean"
      case .number: "a number"
      case .string: "text"
      }
    }
  }

  /// The name of an anchor. Rare, so nodes hold it behind one pointer.
  final class AnchorBox: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }
}
