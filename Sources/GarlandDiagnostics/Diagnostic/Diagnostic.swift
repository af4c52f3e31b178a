/// One thing to tell the user about a text: what is wrong, where exactly, and what would be right.
///
/// ```swift
/// Diagnostic(.unknownKey, "unknown key `statsu`", at: key.range, label: "not a key of `expect`")
///   .help("did you mean `status`?", fix: Fix(key.range, "status"))
/// ```
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable {
    case error, warning
  }

  /// A further place or fact that explains the diagnostic.
  public struct Note: Sendable, Hashable {
    /// One sentence.
    public var message: String
    /// The place it speaks of, shown like the main one.
    public var range: SourceRange?

    /// - Parameters:
    ///   - message: one sentence.
    ///   - range: the place it speaks of.
    public init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
    }
  }

  /// A replacement of text that mends the problem.
  public struct Fix: Sendable, Hashable {
    /// What to replace; empty to insert.
    public var range: SourceRange
    /// What to put there.
    public var replacement: String

    /// - Parameters:
    ///   - range: what to replace.
    ///   - replacement: what to put there.
    public init(_ range: SourceRange, _ replacement: String) {
      self.range = range
      self.replacement = replacement
    }

    /// Both changes as one, with the text between them; nil where they overlap, or are of two files.
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

  /// Advice, and, where a change of text follows from it, that change.
  public struct Help: Sendable, Hashable {
    /// One sentence.
    public var message: String
    /// The change that follows the advice.
    public var fix: Fix?
    /// Whether something else would be as right, such as the opposite order: then the change is made only where somebody chooses it.
    package var isChoice = false
  }

  /// What kind of problem, for tools and tests.
  public var code: DiagnosticCode
  /// How bad it is.
  public var severity: Severity
  /// One line: what is wrong, in lower case and without a full stop.
  public var message: String
  /// The place; nil for problems of the command line or of a file as a whole.
  public var range: SourceRange?
  /// A few words beside the caret: what was expected or found.
  public var label: String?
  /// Further places and facts.
  public var notes: [Note]
  /// What to do about it.
  public var helps: [Help]

  /// An error, unless `severity` says otherwise.
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

  /// The same with one more note.
  public func note(_ message: String, at range: SourceRange? = nil) -> Diagnostic {
    var copy = self
    copy.notes.append(Note(message, at: range))
    return copy
  }

  /// The same with one more advice.
  public func help(_ message: String, fix: Fix? = nil) -> Diagnostic {
    var copy = self
    copy.helps.append(Help(message: message, fix: fix))
    return copy
  }

  /// The same with one more advice, whose change somebody has to choose.
  package func choice(_ message: String, fix: Fix?) -> Diagnostic {
    var copy = self
    copy.helps.append(Help(message: message, fix: fix, isChoice: true))
    return copy
  }
}
