public import GarlandDiagnostics

/// A value that is not a collection: its text, as YAML decodes it, and its style.
///
/// Only JSON's numbers are numbers, and only `true`, `false` and `null` (or an empty value) have their special meaning. All other texts are
/// strings: `no`, `012`, `+1`, `0x1F`, `.inf`, `1:30`, `~`, `True`. Quoted and block scalars are strings unless a tag changes that.
public struct YAMLScalar: Sendable, Hashable {
  /// The style in which a scalar was written.
  public enum Style: UInt8, Sendable, Hashable {
    /// The scalar is written without quotes.
    case plain
    /// The scalar is in single quotes: `'…'`.
    case singleQuoted
    /// The scalar is in double quotes: `"…"`.
    case doubleQuoted
    /// The scalar is a literal block: `|` and the lines after it.
    case literal
    /// The scalar is a folded block: `>` and the lines after it.
    case folded
  }

  /// The value of a scalar, with its type.
  public enum CoreValue: Sendable, Hashable {
    /// The value is `null`, or it is missing.
    case null
    /// The value is `true` or `false`.
    case bool(Bool)
    /// The value is a number, with its digits exactly as written.
    case number(String)
    /// The value is text.
    case string(String)
  }

  enum Kind: UInt8, Sendable, Hashable {
    case null, yes, no, number, string
  }

  /// The text with quotes, escapes, folding and indentation resolved.
  public let text: String
  /// The style in which the scalar was written.
  public let style: Style
  let kind: Kind

  init(_ text: String, style: Style, kind: Kind) {
    self.text = text
    self.style = style
    self.kind = kind
  }

  /// The scalar's value with its type: null, a boolean, a number or text.
  public var value: CoreValue {
    switch kind {
    case .null: .null
    case .yes: .bool(true)
    case .no: .bool(false)
    case .number: .number(text)
    case .string: .string(text)
    }
  }

  /// Whether the scalar is null.
  public var isNull: Bool { kind == .null }
  /// Whether the scalar is a string, and neither null, a boolean nor a number.
  public var isString: Bool { kind == .string }

  /// Returns the source range of a part of `text`, taking escapes, folding and block indentation into account.
  ///
  /// - Parameters:
  ///   - range: UTF-8 offsets in `text`, half open. Offsets after the end of the text count as its end. The result for an empty range is
  ///     empty.
  ///   - node: The node that contains this scalar.
  /// - Returns: The exact source range. For an alias, the range of the whole alias, since the text is written at the anchor and not at the
  ///   alias.
  public func sourceRange(of range: Range<Int>, in node: YAMLNode) -> SourceRange {
    guard !node.isAlias else { return node.range }
    return sourceRange(of: range, at: node.range)
  }

  /// Returns the source range of a part of `text`. `place` is the source range of the scalar's node, which must not be an alias.
  package func sourceRange(of range: Range<Int>, at place: SourceRange) -> SourceRange {
    ScalarMap.locate(range, text: text, style: style, in: place)
  }
}
