public import GarlandDiagnostics

/// A setting of a certain type, whose value is literal or computed by an expression: `timeout: 30s`, `timeout: ${vars.patience}`.
public struct Setting<Wrapped: SettingValue>: Sendable {
  /// The literal value, or the expression that computes it.
  public enum Content: Sendable {
    /// A valid literal value.
    case constant(Wrapped)
    /// An expression; its value is checked when it is evaluated.
    indirect case template(Template)
  }

  /// The literal value, or the expression that computes it.
  public let content: Content
  /// The place of the setting's value.
  public let range: SourceRange

  init(_ content: Content, at range: SourceRange) {
    self.content = content
    self.range = range
  }

  /// The value, if it is literal; nil for an expression.
  public var constant: Wrapped? {
    if case .constant(let value) = content { value } else { nil }
  }
}
