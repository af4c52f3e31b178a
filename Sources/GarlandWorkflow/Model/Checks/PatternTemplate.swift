public import GarlandDiagnostics
public import GarlandJSON

/// A regular expression. It is compiled when the document is checked, or, if an expression computes it, during the run.
public struct PatternTemplate: Sendable {
  /// The text of the pattern, or the expression that computes it.
  public enum Content: Sendable {
    /// A valid literal pattern.
    case constant(RegularExpression)
    /// A template whose expressions compute the pattern.
    case template(Template)
  }

  /// The text of the pattern, or the expression that computes it.
  public let content: Content
  /// The pattern's place in the source.
  public let range: SourceRange
}
