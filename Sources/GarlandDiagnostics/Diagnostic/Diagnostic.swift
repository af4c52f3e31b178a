/// A message to the user about a source text: the mistake, its exact position, and the correction.
///
/// ```swift
/// Diagnostic(.unknownKey, "unknown key `statsu`", at: key.range, label: "not a key of `expect`")
///   .help("did you mean `status`?", fix: Fix(key.range, "status"))
/// ```
public struct Diagnostic: Sendable, Hashable {
  /// Whether a diagnostic is an error or a warning.
  public enum Severity: String, Sendable, Hashable {
    case error, warning
  }

  /// An additional position or fact that explains the diagnostic.
  public struct Note: Sendable, Hashable {
    /// The message, in one sentence.
    public var message: String
    /// The position that the note is about; nil for a note without a position. Renderers show it like the position of the diagnostic.
    public var range: SourceRange?

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - message: One sentence.
    ///   - range: The position that the note is about.
    public init(_ message: String, at range: SourceRange? = nil) {
      self.message = message
      self.range = range
    }
  }

  /// A replacement of text that corrects the mistake.
  public struct Fix: Sendable, Hashable {
    /// The range to replace; empty for an insertion.
    public var range: SourceRange
    /// The text that replaces the bytes in the range.
    public var replacement: String

    /// Creates a fix.
    ///
    /// - Parameters:
    ///   - range: The range to replace.
    ///   - replacement: The new text.
    public init(_ range: SourceRange, _ replacement: String) {
      self.range = range
      self.replacement = replacement
    }

    /// Returns one fix that combines this fix with `other` and keeps the text between them; nil if the fixes overlap or are in different
    /// files.
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

  /// Advice for the user, with a fix if the advice can be applied automatically.
  public struct Help: Sendable, Hashable {
    /// The advice, in one sentence.
    public var message: String
    /// The change of the source text that carries out the advice; nil if the advice cannot be carried out automatically.
    public var fix: Fix?
    /// Whether the user may want another correction, such as the opposite order of two steps. If true, the fix is applied only if the user
    /// chooses it.
    package var isChoice = false
  }

  /// The stable name of the kind of diagnostic, such as `unknown-key`, for tools and tests.
  public var code: DiagnosticCode
  /// Whether the diagnostic is an error or a warning.
  public var severity: Severity
  /// The mistake in one line, in lower case and without a full stop.
  public var message: String
  /// The position of the mistake; nil for a mistake on the command line or in a file as a whole.
  public var range: SourceRange?
  /// A few words next to the caret, such as the expected or the actual value.
  public var label: String?
  /// Notes about further positions and facts that explain the mistake.
  public var notes: [Note]
  /// Advice on how to correct the mistake.
  public var helps: [Help]

  /// Creates a diagnostic, which is an error unless `severity` is given.
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

  /// Returns this diagnostic with one more note.
  public func note(_ message: String, at range: SourceRange? = nil) -> Diagnostic {
    var copy = self
    copy.notes.append(Note(message, at: range))
    return copy
  }

  /// Returns this diagnostic with one more piece of advice.
  public func help(_ message: String, fix: Fix? = nil) -> Diagnostic {
    var copy = self
    copy.helps.append(Help(message: message, fix: fix))
    return copy
  }

  /// Returns this diagnostic with one more piece of advice. The fix of this advice is applied only if the user chooses the fix.
  package func choice(_ message: String, fix: Fix?) -> Diagnostic {
    var copy = self
    copy.helps.append(Help(message: message, fix: fix, isChoice: true))
    return copy
  }
}

/// The stable name of a kind of diagnostic, such as `unknown-key`. Each module declares the codes of its diagnostics as static members.
public struct DiagnosticCode: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name: in lower case, with words joined by `-`.
  public let rawValue: String

  /// Creates a code.
  ///
  /// - Parameter rawValue: The name: in lower case, with words joined by `-`.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a code from a literal.
  ///
  /// - Parameter value: The name: in lower case, with words joined by `-`.
  public init(stringLiteral value: String) { rawValue = value }
  /// The name of the code, as in ``rawValue``.
  public var description: String { rawValue }
}
