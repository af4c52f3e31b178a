/// The error of a text that is not a JSONPath, with the position of the mistake.
public struct JSONPathError: Error, Sendable, Hashable {
  /// The text that is not a valid JSONPath.
  public let text: String
  /// The range of the mistake in UTF-8 bytes from the start of the text. If a character is missing, the range is empty and its position is
  /// the place of the missing character.
  public let range: Range<Int>
  /// A description of the mistake.
  public let message: String
  /// The likely correction; nil if none is known.
  public let suggestion: String?
}

extension JSONPathError: CustomStringConvertible {
  /// The message, followed by the suggestion, the position of the mistake and the text of the path.
  public var description: String {
    let help = suggestion.map { "; \($0)" } ?? ""
    return "\(message)\(help) (at byte \(range.lowerBound) of '\(text)')"
  }
}

/// The error of an evaluation that stopped without a result.
public enum JSONPathEvaluationError: Error, Sendable, Hashable {
  /// The evaluation visited more values than the limit allows.
  case tooManySteps(limit: Int)
  /// A regular expression exceeded its limits.
  case pattern(RegularExpressionMatchingError)
  /// The enclosing ``Computation`` has reached its time limit.
  case outOfTime
}

extension JSONPathEvaluationError: CustomStringConvertible {
  /// The error message.
  public var description: String {
    switch self {
    case .tooManySteps(let limit): "the path visits more than \(limit) values of this document: its evaluation was stopped"
    case .pattern(let error): error.description
    case .outOfTime: "the time limit was reached"
    }
  }
}
