/// The error of a text that is not a JSONPath, with its place.
public struct JSONPathError: Error, Sendable, Hashable {
  /// The path as the caller wrote it.
  public let text: String
  /// The place of the mistake, in UTF-8 bytes from the start of the text; empty where something is
  /// missing.
  public let range: Range<Int>
  /// The mistake in words.
  public let message: String
  /// The likely correction in words; nil without a good guess.
  public let suggestion: String?
}

extension JSONPathError: CustomStringConvertible {
  /// The message, the suggestion and the place.
  public var description: String {
    let help = suggestion.map { "; \($0)" } ?? ""
    return "\(message)\(help) (at byte \(range.lowerBound) of '\(text)')"
  }
}

/// The error of an evaluation that gave no result.
public enum JSONPathEvaluationError: Error, Sendable, Hashable {
  /// The evaluation visited more values than the limit allows.
  case tooManySteps(limit: Int)
  /// A regular expression exceeded its limits on a text.
  case pattern(RegularExpressionMatchingError)
  /// The time of the enclosing ``Computation`` is over.
  case outOfTime
}

extension JSONPathEvaluationError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .tooManySteps(let limit): "the path visits more than \(limit) values of this document: its evaluation was stopped"
    case .pattern(let error): error.description
    case .outOfTime: "the time for it was over"
    }
  }
}
