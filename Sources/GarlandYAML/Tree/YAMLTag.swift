/// The tags that Garland supports. Any other tag is an error.
public enum YAMLTag: String, Sendable, Hashable, CaseIterable {
  /// `!!str`, or `!` before a scalar: text, even if it resembles another type.
  case str
  /// `!!int`: an integer.
  case int
  /// `!!float`: a number.
  case float
  /// `!!bool`: `true` or `false`.
  case bool
  /// `!!null`: `null` or an empty value.
  case null
  /// `!!map`: a mapping.
  case map
  /// `!!seq`: a list.
  case seq
}
