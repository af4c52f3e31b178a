/// A message to the user about a text: the mistake, its exact place, and the correction.
///
/// ```swift
/// Diagnostic(.unknownKey, "unknown key `statsu`", at: key.range, label: "not a key of `expect`")
///   .help("did you mean `status`?", fix: Fix(key.range, "status"))
/// ```
public struct Diagnostic: Sendable, Hashable {
  /// The severity of a diagnostic.
  public enum Severity: String, Sendable, Hashable {
    case error, warning
  }

  /// A further place or fact that explains the diagnostic.
  public struct Note: Sendable, Hashable {
    /// One sentence.
    public var message: String
    /// The place that the note is about, shown like the main one.
    public var range: SourceRange?

    /// - Parameters:
    ///   - message: One sentence.
    ///   - range: The place that the note is about.
    public init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
    }
  }

  /// A replacement of text that corrects the mistake.
  public struct Fix: Sendable, Hashable {
    /// The range to replace; empty for an insertion.
    public var range: SourceRange
    /// The new text.
    public var replacement: String

    /// - Parameters:
    ///   - range: The range to replace.
    ///   - replacement: The new text.
    public init(_ range: SourceRange, _ replacement: String) {
      self.range = range
      self.replacement = replacement
    }

    /// Returns both changes as one, with the text between them; nil if they overlap or are of
    /// different files.
    public func joined(with other: Fix) -> Fix? {
      let (first, second) = range.offsets.lowerBound <= other.range.offsets.lowerBound ? (self, other) : (other, self)
      guard first.range.file === second.range.file, first.range.offsets.upperBound <= second.range.offsets.lowerBound else { return nil }
      let between = first.range.offsets.upperBound..<second.range.offsets.lowerBound
      let file = first.range.file
      return Fix(
        SourceRange(file, first.range.offsets.lowerBound..<second.range.offsets.upperBound),
        first.replacement + String(decoding: file.bytes[between], as: UTF8.self) + second.replacement)
    }
  }

  /// Advice, with a change of the text if the advice includes one.
  public struct Help: Sendable, Hashable {
    /// One sentence.
    public var message: String
    /// The change of the text; nil if the advice includes none.
    public var fix: Fix?
    /// Whether another change would be as right, such as the opposite order. If true, the change is
    /// made only when the user chooses it.
    package var isChoice = false
  }

  /// The kind of mistake, for tools and tests.
  public var code: DiagnosticCode
  /// The severity.
  public var severity: Severity
  /// The mistake in one line, in lower case and without a full stop.
  public var message: String
  /// The place; nil for a mistake on the command line or in a file as a whole.
  public var range: SourceRange?
  /// A few words next to the caret: the expected or the found value.
  public var label: String?
  /// Further places and facts.
  public var notes: [Note]
  /// Advice for the correction.
  public var helps: [Help]

  /// Creates an error, or a diagnostic of another `severity`.
  public init(
    _ code: DiagnosticCode, severity: Severity = .error, _ message: String, at range: SourceRange?, label: String? = nil,
    notes: [Note] = [], helps: [Help] = []
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.range = range
    self.label = label
    self.notes = notes
    self.helps = helps
  }

  /// Returns the diagnostic with one more note.
  public func note(_ message: String, at range: SourceRange? = nil) -> Diagnostic {
    var copy = self
    copy.notes.append(Note(message, at: range))
    return copy
  }

  /// Returns the diagnostic with one more piece of advice.
  public func help(_ message: String, fix: Fix? = nil) -> Diagnostic {
    var copy = self
    copy.helps.append(Help(message: message, fix: fix))
    return copy
  }

  /// Returns the diagnostic with one more piece of advice, whose change the user has to choose.
  package func choice(_ message: String, fix: Fix?) -> Diagnostic {
    var copy = self
    copy.helps.append(Help(message: message, fix: fix, isChoice: true))
    return copy
  }
}
