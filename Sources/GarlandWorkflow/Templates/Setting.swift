public import GarlandDiagnostics

/// A setting of a certain type that may be given by an expression: `timeout: 30s`, `timeout: ${vars.patience}`.
public struct Setting<Wrapped: SettingValue>: Sendable {
  /// The source of the value.
  public enum Content: Sendable {
    /// Written out, and valid.
    case constant(Wrapped)
    /// An expression, whose value is checked when it is evaluated.
    indirect case template(Template)
  }

  /// The source of the value.
  public let content: Content
  /// The place of its value.
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
