public import GarlandJSON

/// A type that a setting can have.
public protocol SettingValue: Sendable {
  /// The expected form, with an article: ``a duration such as `30s` ``.
  static var expectation: String { get }
  /// Reads the value of a scalar. A string is accepted if it represents a value of the type, since
  /// environment variables are strings. Throws the mistake.
  static func read(_ value: JSONValue) throws(SettingMistake) -> Self
}

/// A mistake in the value of a setting.
public struct SettingMistake: Error, Sendable {
  /// A sentence without a full stop: ``expected a duration such as `30s`, found the number 30``.
  public let message: String
  /// Suggested values: `30s`; the most likely first.
  public let suggestions: [String]

  init(_ message: String, suggestion: String? = nil) { self.init(message, suggestions: suggestion.map { [$0] } ?? []) }

  init(_ message: String, suggestions: [String]) {
    self.message = message
    self.suggestions = suggestions
  }
}
