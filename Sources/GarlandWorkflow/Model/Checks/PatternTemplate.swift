public import GarlandDiagnostics
public import GarlandJSON

/// A regular expression, compiled when the document is checked unless an expression gives it.
public struct PatternTemplate: Sendable {
  /// The source of the pattern.
  public enum Content: Sendable {
    /// Written out, and valid.
    case constant(RegularExpression)
    /// An expression whose value is the pattern.
    case template(Template)
  }

  /// The source of the pattern.
  public let content: Content
  /// Its place in the source.
  public let range: SourceRange
}
