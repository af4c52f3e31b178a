import GarlandDiagnostics
import GarlandJSON

/// One thing that did not hold: an expectation, an extraction, or a value that could not be made.
public struct CheckFailure: Sendable {
  /// What kind of thing.
  public enum Kind: String, Sendable {
    case expectation, extraction, value, transport
    /// A file of this machine could not be read or written, which says nothing about who is asked.
    case file
  }

  /// What kind of thing.
  public var kind: Kind
  /// What was looked at, as the document writes it: `status`, `headers.Content-Type`, `json $.id`, `that`.
  public var subject: String
  /// One line, in lower case: `is 404, expected 201`.
  public var message: String
  /// What was expected, as a reader would write it.
  public var expected: String?
  /// What was found. Nil when there was nothing.
  public var actual: String?
  /// Line by line, `-` expected and `+` actual, where two structures differ.
  public var difference: [String]
  /// The part of the body that matters, already cut to size.
  public var excerpt: String?
  /// Where in the document it was asked for.
  public var range: SourceRange?
  /// What to do about it, and what may help to find that out: a line each.
  public var help: String?
  /// Whether there was no time left to find out.
  package var isOutOfTime = false

  /// - Parameters:
  ///   - kind: what kind of thing.
  ///   - subject: what was looked at.
  ///   - message: one line, in lower case.
  ///   - range: where in the document it was asked for.
  public init(_ kind: Kind, subject: String, message: String, at range: SourceRange?) {
    self.kind = kind
    self.subject = subject
    self.message = message
    self.range = range
    difference = []
  }
}
