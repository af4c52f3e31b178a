public import GarlandDiagnostics
public import GarlandJSON

/// A regular expression. It is compiled when the document is checked. If its text contains expressions, it is compiled during the run.
public struct PatternTemplate: Sendable {
  /// A compiled pattern, or a text with expressions that compute the pattern.
  public enum Content: Sendable {
    /// A valid pattern without expressions.
    case constant(RegularExpression)
    /// A text with expressions that compute the pattern.
    case template(Template)
  }

  /// The compiled pattern, or a text with expressions that compute the pattern.
  public let content: Content
  /// The source range of the pattern.
  public let range: SourceRange
}
