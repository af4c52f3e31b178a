/// The error of a text that is not a regular expression, with its place.
public struct RegularExpressionError: Error, Sendable, Hashable {
  /// The pattern as the caller wrote it.
  public let pattern: String
  /// The place of the mistake, in UTF-8 bytes from the start of the pattern; the pattern's length
  /// when its end is missing.
  public let offset: Int
  /// The mistake in words.
  public let message: String
}

extension RegularExpressionError: CustomStringConvertible {
  /// The message and the place.
  public var description: String { "\(message) (at byte \(offset) of the pattern '\(pattern)')" }
}

/// The error of a match that gave no result.
public enum RegularExpressionMatchingError: Error, Sendable, Hashable {
  /// The pattern needs more steps on this text than ``RegularExpression/Limits`` allow.
  case tooComplex(pattern: String)
  /// PCRE2 failed for a reason outside the pattern, such as too little memory.
  case failed(pattern: String, message: String)
  /// The time of the enclosing ``Computation`` is over.
  case outOfTime(pattern: String)
}

extension RegularExpressionMatchingError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .tooComplex(let pattern): "the pattern '\(pattern)' is too complex for this text: matching was given up"
    case .outOfTime(let pattern): "the time for it was over while the pattern '\(pattern)' was matched"
    case .failed(let pattern, let message): "matching the pattern '\(pattern)' failed: \(message)"
    }
  }
}
