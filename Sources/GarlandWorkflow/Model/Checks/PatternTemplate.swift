public import GarlandDiagnostics
public import GarlandJSON

/// A regular expression, compiled when the document is checked unless an expression gives it.
public struct PatternTemplate: Sendable {
  /// How it is given.
  public enum Content: Sendable {
    /// Written out, and valid.
    case constant(RegularExpression)
    /// By an expression.
    case template(Template)
  }

  /// How it is given.
  public let content: Content
  /// Where it stands.
  public let range: SourceRange
}
