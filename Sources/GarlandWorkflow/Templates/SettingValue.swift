public import GarlandJSON

/// A type that a setting can have.
public protocol SettingValue: Sendable {
  /// What a user should write, with an article: ``a duration such as `30s` ``.
  static var expectation: String { get }
  /// From the value of a scalar; a string is taken where it says what the type needs, since environment variables are strings. Throws what is
  /// wrong with it.
  static func read(_ value: JSONValue) throws(SettingMistake) -> Self
}

/// What is wrong with the value of a setting.
public struct SettingMistake: Error, Sendable {
  /// One sentence without an end: ``expected a duration such as `30s`, found the number 30``.
  public let message: String
  /// What to write instead: `30s`; the most likely first.
  public let suggestions: [String]

  init(_ message: String, suggestion: String? = nil) { self.init(message, suggestions: suggestion.map { [$0] } ?? []) }

  init(_ message: String, suggestions: [String]) {
    self.message = message
    self.suggestions = suggestions
  }
}
