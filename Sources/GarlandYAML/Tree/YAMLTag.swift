/// The tags that Garland applies. Any other is an error of the document.
public enum YAMLTag: String, Sendable, Hashable, CaseIterable {
  /// `!!str`, and `!` before a scalar: text, whatever its form.
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
