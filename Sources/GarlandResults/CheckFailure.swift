import GarlandDiagnostics

/// A failure of a step: an unmet expectation, a failed extraction, a value that could not be computed, a failed transfer, or an error on
/// this machine.
public struct CheckFailure: Sendable {
  /// The kind of failure, such as an unmet expectation or a failed transfer.
  public enum Kind: String, Sendable {
    case expectation, extraction, value, transport
    /// An error on this machine: a file could not be read or written, a library could not be loaded, or memory is short. The tested server
    /// is not at fault.
    case file
  }

  /// The kind of failure, such as an unmet expectation or a failed transfer.
  public var kind: Kind
  /// The checked part of the response, as written in the document, such as `status`, `headers.Content-Type`, `json $.id`, `that`,
  /// `extract.id`.
  public var subject: String
  /// The failure in one line, in lower case, such as `is 404, expected 201`.
  public var message: String
  /// The expected value in a readable form; nil if the check has no expected value.
  public var expected: String?
  /// The actual value in a readable form; nil if the check has no actual value.
  public var actual: String?
  /// The lines of a difference between two structures. Expected lines begin with `-`, actual lines with `+`.
  public var difference: [String]
  /// The part of the body that explains the failure, already shortened.
  public var excerpt: String?
  /// The source range of the check; nil if the failure belongs to no place in the document.
  public var range: SourceRange?
  /// Advice on how to find or correct the cause, with one item on each line; nil if there is no advice.
  public var help: String?
  /// The kind of transfer error, such as `timeout`; nil if the failure is not a transfer error.
  package var errorKind: String?
  /// Whether the check ended without a result, because a time limit was reached or memory was short.
  package var isOutOfTime = false

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - kind: The kind of failure.
  ///   - subject: The checked part of the response.
  ///   - message: The failure in one line, in lower case.
  ///   - range: The source range of the check.
  public init(_ kind: Kind, subject: String, message: String, at range: SourceRange?) {
    self.kind = kind
    self.subject = subject
    self.message = message
    self.range = range
    difference = []
  }

  /// The subject and the message as one sentence: `status is 404, expected 200`, `extract.id: $.id is missing`.
  ///
  /// The sentence omits the subject if the subject is empty or only a number, such as an index in an expression. It also omits the subject
  /// if the message contains the subject between backquotes.
  package var sentence: String {
    if subject.isEmpty || Int(subject) != nil { return message }
    if Self.verbs.contains(message.prefix { $0 != " " && $0 != "," }) { return "\(subject) \(message)" }
    return message.contains("`\(subject)`") ? message : "\(subject): \(message)"
  }

  /// The words with which a message continues a sentence about its subject. A message that begins with such a word is written directly
  /// after the subject, such as "is 404" in "status is 404". Any other message is written after the subject and a colon, or without the
  /// subject if the message already names it.
  package static let verbs: Set<Substring> = [
    "is", "are", "was", "were", "has", "have", "does", "did", "can't", "cannot", "contains", "differs", "exists", "lacks", "need", "needs",
    "selects", "sends", "to",
  ]
}
