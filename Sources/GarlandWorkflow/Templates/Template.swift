public import GarlandDiagnostics
public import GarlandJSON

/// A compiled YAML scalar that may contain `${…}`.
///
/// - A scalar that consists of a single `${…}` keeps the type of its value.
/// - In a longer text each `${…}` is rendered as text; null, a list or a mapping there is an error that suggests `| json`.
/// - `$${` stands for a literal `${`.
public struct Template: Sendable {
  /// The content of a template.
  public enum Content: Sendable {
    /// A value without an expression.
    case constant(JSONValue)
    /// A single expression without any other text.
    case expression(Expression)
    /// Text with expressions in it.
    case text([Piece])
  }

  /// A part of a template's text: literal text or an expression.
  public enum Piece: Sendable {
    /// Literal text.
    case literal(String)
    /// An expression, rendered as text.
    case expression(Expression)
  }

  /// The constant, expression or text that the template consists of.
  public let content: Content
  /// The place of the scalar in the document.
  public let range: SourceRange

  init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }

  /// The value, if the template contains no expression; nil otherwise.
  public var constant: JSONValue? {
    if case .constant(let value) = content { value } else { nil }
  }

  /// The text, if the template is a constant string; nil otherwise.
  public var constantText: String? {
    if case .constant(.string(let text)) = content { text } else { nil }
  }
}
