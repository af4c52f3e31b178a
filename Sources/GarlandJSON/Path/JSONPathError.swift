/// Why a text is no JSONPath, and where.
public struct JSONPathError: Error, Sendable, Hashable {
  /// The text as it was given.
  public let text: String
  /// Where the mistake is, in UTF-8 bytes from the start of the text; empty where something is missing.
  public let range: Range<Int>
  /// What is wrong, in words.
  public let message: String
  /// What to write instead, in words, where a good guess can be made.
  public let suggestion: String?
}

extension JSONPathError: CustomStringConvertible {
  /// The message, the suggestion and the place.
  public var description: String {
    let help = suggestion.map { "; \($0)" } ?? ""
    return "\(message)\(help) (at byte \(range.lowerBound) of '\(text)')"
  }
}

/// Why evaluating a path came to no result.
public enum JSONPathEvaluationError: Error, Sendable, Hashable {
  /// More values were looked at than the limit allows.
  case tooManySteps(limit: Int)
  /// A regular expression gave up on a text.
  case pattern(RegularExpressionMatchingError)
  /// The ``Computation`` that it is part of is over.
  case outOfTime
}

extension JSONPathEvaluationError: CustomStringConvertible {
  /// What happened, in words.
  public var description: String {
    switch self {
    case .tooManySteps(let limit): "the path looks at more than \(limit) values of this document: evaluating it was given up"
    case .pattern(let error): error.description
    case .outOfTime: "the time for it was over"
    }
  }
}
