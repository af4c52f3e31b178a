import GarlandDiagnostics
import GarlandJSON

/// One failure of a step: an expectation, an extraction, or a value that could not be made.
public struct CheckFailure: Sendable {
  /// The kind of failure.
  public enum Kind: String, Sendable {
    case expectation, extraction, value, transport
    /// A file of this machine could not be read or written, a library could not be loaded or memory is short, which says nothing about who is asked.
    case file
  }

  /// The kind of failure.
  public var kind: Kind
  /// The checked part of the response, as the document writes it: `status`, `headers.Content-Type`,
  /// `json $.id`, `that`.
  public var subject: String
  /// The failure in one line, in lower case: `is 404, expected 201`.
  public var message: String
  /// The expected value, as a reader would write it.
  public var expected: String?
  /// The actual value; nil when there was none.
  public var actual: String?
  /// The lines of a difference between two structures: `-` expected and `+` actual.
  public var difference: [String]
  /// The part of the body that matters, already cut to size.
  public var excerpt: String?
  /// The place in the document that made the check.
  public var range: SourceRange?
  /// Advice for correcting or finding the cause, a line each.
  public var help: String?
  /// The kind of error in transit, such as `timeout`.
  package var errorKind: String?
  /// Whether the time ran out before the result was known.
  package var isOutOfTime = false

  /// - Parameters:
  ///   - kind: The kind of failure.
  ///   - subject: The checked part of the response.
  ///   - message: The failure in one line, in lower case.
  ///   - range: The place in the document that made the check.
  public init(_ kind: Kind, subject: String, message: String, at range: SourceRange?) {
    self.kind = kind
    self.subject = subject
    self.message = message
    self.range = range
    difference = []
  }
}
