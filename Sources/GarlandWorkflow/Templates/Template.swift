public import GarlandDiagnostics
public import GarlandJSON

/// A compiled YAML scalar that may contain `${…}`.
///
/// - A scalar that consists only of one `${…}` keeps the type of its value.
/// - In a longer text, the value of each `${…}` is converted to text. Null, a list or a mapping is an error in a longer text, and the error
///   suggests `| json`.
/// - `$${` is a literal `${`.
public struct Template: Sendable {
  /// The content of a template: a constant, a single expression, or a text with expressions.
  public enum Content: Sendable {
    /// A value without an expression.
    case constant(JSONValue)
    /// One expression without any other text.
    case expression(Expression)
    /// A text that contains expressions.
    case text([Piece])
  }

  /// A part of a template's text: literal text or an expression.
  public enum Piece: Sendable {
    /// Literal text.
    case literal(String)
    /// An expression, whose value is converted to text.
    case expression(Expression)
  }

  /// The content of the scalar: a constant, a single expression, or a text with expressions.
  public let content: Content
  /// The source range of the scalar in the document.
  public let range: SourceRange

  init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }

  /// The value of a template without expressions; nil if the template contains an expression.
  public var constant: JSONValue? {
    if case .constant(let value) = content { value } else { nil }
  }

  /// The text of the template, if the template has no expressions and its value is a text; otherwise nil.
  public var constantText: String? {
    if case .constant(.string(let text)) = content { text } else { nil }
  }
}
