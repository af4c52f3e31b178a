/// The error of a text that is not a regular expression, with the position of the mistake.
public struct RegularExpressionError: Error, Sendable, Hashable {
  /// The original pattern.
  public let pattern: String
  /// The byte offset of the mistake from the start of the pattern, in UTF-8. If something is missing at the end of the pattern, the offset
  /// is the length of the pattern.
  public let offset: Int
  /// A description of the mistake in the pattern.
  public let message: String
}

extension RegularExpressionError: CustomStringConvertible {
  /// The message, followed by the position of the mistake and the pattern.
  public var description: String { "\(message) (at byte \(offset) of the pattern '\(pattern)')" }
}

/// The error of a match that stopped without a result.
public enum RegularExpressionMatchingError: Error, Sendable, Hashable {
  /// The pattern needs more steps on this text than ``RegularExpression/Limits`` allow.
  case tooComplex(pattern: String)
  /// PCRE2 failed for a reason outside the pattern, such as too little memory.
  case failed(pattern: String, message: String)
  /// The enclosing ``Computation`` has reached its time limit.
  case outOfTime(pattern: String)
}

extension RegularExpressionMatchingError: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .tooComplex(let pattern): "the pattern '\(pattern)' needs too many matching steps for this text"
    case .outOfTime(let pattern): "the time limit was reached while the pattern '\(pattern)' was matched"
    case .failed(let pattern, let message): "matching the pattern '\(pattern)' failed: \(message)"
    }
  }
}
