public import GarlandDiagnostics

/// A setting of a certain type that may be given by an expression: `timeout: 30s`, `timeout: ${vars.patience}`.
public struct Setting<Wrapped: SettingValue>: Sendable {
  /// How it is given.
  public enum Content: Sendable {
    /// Written out, and valid.
    case constant(Wrapped)
    /// By an expression, checked when it is evaluated.
    indirect case template(Template)
  }

  /// How it is given.
  public let content: Content
  /// Where its value stands.
  public let range: SourceRange

  init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }

  /// The value, if it is written out.
  public var constant: Wrapped? {
    if case .constant(let value) = content { value } else { nil }
  }
}
