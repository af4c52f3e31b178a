public import GarlandJSON

/// A type that a setting can have.
public protocol SettingValue: Sendable {
  /// The expected form of the value with an article, for errors: ``a duration such as `30s` ``.
  static var expectation: String { get }
  /// Reads the value of a scalar. A text is accepted if it represents a value of the type, since environment variables are texts.
  static func read(_ value: JSONValue) throws(SettingMistake) -> Self
}

/// A mistake in the value of a setting.
public struct SettingMistake: Error, Sendable {
  /// The message, a sentence without a full stop: ``expected a duration such as `30s`, found the number 30``.
  public let message: String
  /// The suggested values, such as `30s`; the most likely one comes first.
  public let suggestions: [String]

  init(_ message: String, suggestion: String? = nil) { self.init(message, suggestions: suggestion.map { [$0] } ?? []) }

  init(_ message: String, suggestions: [String]) {
    self.message = message
    self.suggestions = suggestions
  }
}
