public import GarlandDiagnostics

/// A text whose syntax errors are repaired, so that its other errors can be reported together with the syntax errors.
///
/// ```swift
/// if let repaired = RepairedYAML(file) {
///   diagnostics = repaired.diagnostics                    // the syntax errors
///   diagnostics.append(repaired.moved(decode(repaired.documents)))
/// }
/// ```
/// The repairs are the fixes that the errors suggest. If an error suggests no fix, the text cannot be checked for other errors.
public struct RepairedYAML: Sendable {
  /// The maximum number of repairs in a file; a file with more errors is probably not YAML.
  private static let mostRepairs = 100
  private static let mostBytes = 64 << 20

  /// The syntax errors, with their ranges in the original text. If the last syntax error could not be repaired, the list also contains the
  /// other errors, such as a duplicate key, that were found before this syntax error.
  public private(set) var diagnostics = DiagnosticList()
  /// The documents of the repaired text; nil if the text could not be repaired. Their ranges refer to the repaired text: see ``moved(_:)``.
  public private(set) var documents: [YAMLDocument]?
  /// The errors of the repaired text, such as duplicate keys. None of them is a syntax error, since the syntax was repaired. ``moved(_:)``
  /// converts the source ranges of the errors to the original text.
  public private(set) var found = DiagnosticList()

  private let original: SourceFile
  private var file: SourceFile
  private var edits: [Edit] = []
  /// The ranges of the original text that the repairs replaced. If the fix of a diagnostic would change only a part of such a range, the
  /// diagnostic loses its fix.
  private var repairs: [Range<Int>] = []

  /// A change of the text during the repair: at the offset `start`, `removed` bytes were replaced with `inserted` bytes.
  private struct Edit {
    var start: Int
    var removed: Int
    var inserted: Int
  }

  /// Repairs the text of a file. Returns nil if the text has no syntax error, or contains a character that YAML does not allow.
  ///
  /// - Parameters:
  ///   - file: The file, in UTF-8.
  ///   - limits: The limits of parsing.
  public init?(_ file: SourceFile, limits: YAMLLimits = YAMLLimits()) {
    original = file
    self.file = file
    var ignored = DiagnosticList()
    guard SourceDecoding.validate(file, limits: limits, into: &ignored) else { return nil }
    // Each repair parses the whole text again.
    let mostRepairs = min(Self.mostRepairs, max(1, Self.mostBytes / max(1, file.bytes.count)))
    var indentations: [[UInt8]: Int] = [:]
    var place = 0
    for round in 0...mostRepairs {
      var composer = Composer(file: self.file, limits: limits, indentations: indentations)
      composer.run()
      guard composer.isBroken, let last = composer.diagnostics.all.last else {
        guard round > 0 else { return nil }
        documents = composer.documents
        found = composer.diagnostics
        return
      }
      let fix = last.helps.lazy.compactMap(\.fix).first
      // Each repair must begin after the end of the previous repair, so that no repair undoes an earlier repair or quotes quoted text
      // again.
      guard let fix, fix.range.file === self.file, fix.range.offsets.lowerBound >= place, round < mostRepairs else {
        for diagnostic in composer.diagnostics.all { diagnostics.report(moved(diagnostic)) }
        return
      }
      diagnostics.report(moved(last))
      if last.code == .tabIndentation { indentations[Array(self.file.bytes[fix.range.offsets])] = fix.replacement.utf8.count }
      repairs.append(moved(fix.range).offsets)
      place = apply(fix)
    }
  }

  /// Applies a fix; returns the offset after the inserted text.
  private mutating func apply(_ fix: Diagnostic.Fix) -> Int {
    let offsets = fix.range.offsets
    let removed = file.bytes[offsets]
    let inserted = Array(fix.replacement.utf8)
    // When `a` becomes `'a'`, record the two quotes as insertions and `a` as unchanged, so that a position in `a` stays valid.
    if !removed.isEmpty, let inner = Self.place(of: removed, in: inserted) {
      edits.append(Edit(start: offsets.upperBound, removed: 0, inserted: inserted.count - inner - removed.count))
      edits.append(Edit(start: offsets.lowerBound, removed: 0, inserted: inner))
    } else {
      edits.append(Edit(start: offsets.lowerBound, removed: removed.count, inserted: inserted.count))
    }
    var bytes = file.bytes
    bytes.replaceSubrange(offsets, with: inserted)
    file = SourceFile(name: original.name, bytes: bytes)
    return offsets.lowerBound + inserted.count
  }

  /// Returns the offset at which `part`, a piece of the original text, occurs in the replacement text `whole`. Checks only three offsets:
  /// the start of `whole`, the offset after an opening quote, and the offset at which `part` would be the end of `whole`. Returns nil if
  /// `part` occurs at none of these.
  ///
  /// A match at another offset would be a coincidence, and the search for it would take quadratic time on a long line.
  private static func place(of part: ArraySlice<UInt8>, in whole: [UInt8]) -> Int? {
    [0, 1, whole.count - part.count].first { $0 >= 0 && $0 + part.count <= whole.count && whole[$0..<$0 + part.count] == part }
  }

  // MARK: Conversion to the original text

  /// Converts diagnostics about the repaired text to diagnostics about the original text: moves their ranges.
  public func moved(_ list: DiagnosticList) -> DiagnosticList {
    var result = DiagnosticList()
    for diagnostic in list.all { result.report(moved(diagnostic)) }
    return result
  }

  private func moved(_ diagnostic: Diagnostic) -> Diagnostic {
    var diagnostic = diagnostic
    diagnostic.range = diagnostic.range.map(moved)
    for index in diagnostic.notes.indices { diagnostic.notes[index].range = diagnostic.notes[index].range.map(moved) }
    for index in diagnostic.helps.indices {
      guard let fix = diagnostic.helps[index].fix else { continue }
      let range = moved(fix.range)
      let isWithin =
        fix.range.file === file
        && repairs.contains { $0.lowerBound <= range.offsets.lowerBound && range.offsets.upperBound <= $0.upperBound }
      diagnostic.helps[index].fix = isWithin ? nil : Diagnostic.Fix(range, fix.replacement)
    }
    return diagnostic
  }

  private func moved(_ range: SourceRange) -> SourceRange {
    guard range.file === file else { return range }
    let start = moved(range.offsets.lowerBound)
    return SourceRange(original, start..<max(start, moved(range.offsets.upperBound)))
  }

  private func moved(_ offset: Int) -> Int {
    edits.reversed().reduce(offset) { offset, edit in
      if offset <= edit.start { return offset }
      let end = edit.start + edit.inserted
      return offset >= end ? offset - edit.inserted + edit.removed : edit.start + min(offset - edit.start, edit.removed)
    }
  }
}
