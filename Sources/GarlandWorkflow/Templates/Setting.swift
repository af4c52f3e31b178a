public import GarlandDiagnostics

/// A setting whose value is literal or is computed by an expression, such as `timeout: 30s` or `timeout: ${vars.patience}`.
public struct Setting<Wrapped: SettingValue>: Sendable {
  /// The literal value, or the expression that computes it.
  public enum Content: Sendable {
    /// A valid literal value.
    case constant(Wrapped)
    /// An expression. Its value is checked when the expression is evaluated.
    indirect case template(Template)
  }

  /// The literal value, or the expression that computes it.
  public let content: Content
  /// The source range of the setting's value.
  public let range: SourceRange

  init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }

  /// The literal value; nil if an expression computes the value.
  public var constant: Wrapped? {
    if case .constant(let value) = content { value } else { nil }
  }
}
