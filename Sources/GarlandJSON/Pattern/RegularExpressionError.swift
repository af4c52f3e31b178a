/// Why a pattern is no regular expression, and where.
public struct RegularExpressionError: Error, Sendable, Hashable {
  /// The pattern as it was given.
  public let pattern: String
  /// Where the mistake is, in UTF-8 bytes from the start of the pattern; its length when something is missing at the end.
  public let offset: Int
  /// What is wrong, in words.
  public let message: String
}

extension RegularExpressionError: CustomStringConvertible {
  /// The message and the place.
  public var description: String { "\(message) (at byte \(offset) of the pattern '\(pattern)')" }
}

/// Why matching came to no result.
public enum RegularExpressionMatchingError: Error, Sendable, Hashable {
  /// The pattern needs more steps on this text than ``RegularExpression/Limits`` allow.
  case tooComplex(pattern: String)
  /// The library failed in a way that is not the pattern's fault, such as for want of memory.
  case failed(pattern: String, message: String)
  /// The ``Computation`` that it is part of is over.
  case outOfTime(pattern: String)
}

extension RegularExpressionMatchingError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .tooComplex(let pattern): "the pattern '\(pattern)' is too complex for this text: matching was given up"
    case .outOfTime(let pattern): "the time for it was over while the pattern '\(pattern)' was matched"
    case .failed(let pattern, let message): "matching the pattern '\(pattern)' failed: \(message)"
    }
  }
}
