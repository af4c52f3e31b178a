public import GarlandDiagnostics
public import GarlandJSON

/// The value of a key that is either literal or computed by an expression, such as `timeout: 30s` or `timeout: ${vars.patience}`.
public struct Setting<Wrapped: SettingValue>: Sendable {
  /// The literal value, or the expression that computes it.
  public enum Content: Sendable {
    /// A valid literal value.
    case constant(Wrapped)
    /// A template with an expression. Its value is converted and checked during the run.
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

/// A type that the value of a setting can have.
public protocol SettingValue: Sendable {
  /// The required form of the value, with an article, for error messages. An example is ``a duration such as `30s` ``.
  static var expectation: String { get }
  /// Reads a value of this type. A text is also accepted if it represents a value of the type, since environment variables are texts.
  static func read(_ value: JSONValue) throws(SettingMistake) -> Self
}

/// A mistake in the value of a setting.
public struct SettingMistake: Error, Sendable {
  /// The message, as a sentence without a full stop, such as ``expected a duration such as `30s`, found the number 30``.
  let message: String
  /// The values that the author may have meant, such as `30s`. The most likely value comes first.
  let suggestions: [String]

  init(_ message: String, suggestion: String? = nil) { self.init(message, suggestions: suggestion.map { [$0] } ?? []) }

  init(_ message: String, suggestions: [String]) {
    self.message = message
    self.suggestions = suggestions
  }
}
