public import GarlandDiagnostics

/// A value that is no collection: its text as YAML means it, and how it was written.
///
/// Only what JSON calls a number is a number, and only `true`, `false` and `null` (or nothing at all) are themselves. Everything else is a
/// string: `no`, `012`, `+1`, `0x1F`, `.inf`, `1:30`, `~`, `True`. Quoted and block scalars are strings unless a tag says otherwise.
public struct YAMLScalar: Sendable, Hashable {
  /// How a scalar was written.
  public enum Style: UInt8, Sendable, Hashable {
    /// Without quotes.
    case plain
    /// `'…'`
    case singleQuoted
    /// `"…"`
    case doubleQuoted
    /// `|` and the lines after it.
    case literal
    /// `>` and the lines after it.
    case folded
  }

  /// The typed value.
  public enum CoreValue: Sendable, Hashable {
    /// `null`, or nothing where a value could stand.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// The digits exactly as written.
    case number(String)
    /// Text.
    case string(String)
  }

  enum Kind: UInt8, Sendable, Hashable {
    case null, yes, no, number, string
  }

  /// The text with quotes, escapes, folding and indentation resolved.
  public let text: String
  /// How it was written.
  public let style: Style
  let kind: Kind

  init(_ text: String, style: Style, kind: Kind) {
    self.text = text
    self.style = style
    self.kind = kind
  }

  /// The typed value.
  public var value: CoreValue {
    switch kind {
    case .null: .null
    case .yes: .bool(true)
    case .no: .bool(false)
    case .number: .number(text)
    case .string: .string(text)
    }
  }

  /// Whether it is null.
  public var isNull: Bool { kind == .null }
  /// Whether it is a string (and neither null, a boolean nor a number).
  public var isString: Bool { kind == .string }

  /// Where a part of `text` stands in the source, with escapes, folding and block indentation considered.
  ///
  /// - Parameters:
  ///   - range: UTF-8 offsets in `text`, half open; offsets past its end stand for the end. An empty range gives an empty one.
  ///   - node: the node that holds this scalar.
  /// - Returns: the exact source range; for an alias the alias as a whole, since its text stands elsewhere.
  public func sourceRange(of range: Range<Int>, in node: YAMLNode) -> SourceRange {
    guard !node.isAlias else { return node.range }
    return sourceRange(of: range, at: node.range)
  }

  /// The same for a node that is no alias, by the place where that stands.
  package func sourceRange(of range: Range<Int>, at place: SourceRange) -> SourceRange {
    ScalarMap.locate(range, text: text, style: style, in: place)
  }
}
