public import GarlandDiagnostics

/// A text with syntax errors as it would be without them, so that all that is wrong with it can be told at once, and not one error each time.
///
/// ```swift
/// if let repaired = RepairedYAML(file) {
///   diagnostics = repaired.diagnostics                    // the syntax errors
///   diagnostics.append(repaired.moved(decode(repaired.documents)))
/// }
/// ```
/// It is mended by the changes that the errors themselves suggest; where one suggests none, nothing can be said of what follows it.
public struct RepairedYAML: Sendable {
  /// How many errors of one file are mended; who has more than these has something else in hand than YAML.
  private static let mostRepairs = 100
  private static let mostBytes = 64 << 20

  /// The syntax errors, in the places of the original, and where the last of them could not be mended also what else was found before it.
  public private(set) var diagnostics = DiagnosticList()
  /// What stands in the mended text; nil if it could not be mended. Their ranges lie in a file of their own: see ``moved(_:)``.
  public private(set) var documents: [YAMLDocument]?
  /// What was found in the mended text besides syntax errors, to be moved like that.
  public private(set) var found = DiagnosticList()

  private let original: SourceFile
  private var file: SourceFile
  private var edits: [Edit] = []
  /// What was replaced, in places of the original: no change of a part of it is right by itself.
  private var repairs: [Range<Int>] = []

  /// Bytes of one state of the text that became others in the next.
  private struct Edit {
    var start: Int
    var removed: Int
    var inserted: Int
  }

  /// Nil if the file has no syntax error.
  ///
  /// - Parameters:
  ///   - file: the text, in UTF-8.
  ///   - limits: what it may cost.
  public init?(_ file: SourceFile, limits: YAMLLimits = YAMLLimits()) {
    original = file
    self.file = file
    var ignored = DiagnosticList()
    guard SourceDecoding.validate(file, limits: limits, into: &ignored) else { return nil }
    // Each repair reads the whole text again.
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
      // Whatever is mended has to lie behind what was mended before: no change undoes another, and what is quoted is not quoted again and again.
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

  /// Carries a change out, and returns where it ends.
  private mutating func apply(_ fix: Diagnostic.Fix) -> Int {
    let offsets = fix.range.offsets
    let removed = file.bytes[offsets]
    let inserted = Array(fix.replacement.utf8)
    // Of `a` that becomes `'a'` both quotes are changes, and `a` is none: a place in it stays one.
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

  /// Where a text stands within what it becomes: at its start, behind a quote, or at its end. Anywhere else would be chance, and looking there cost the
  /// square of a long line.
  private static func place(of part: ArraySlice<UInt8>, in whole: [UInt8]) -> Int? {
    [0, 1, whole.count - part.count].first { $0 >= 0 && $0 + part.count <= whole.count && whole[$0..<$0 + part.count] == part }
  }

  // MARK: Back to the original

  /// Diagnostics of the mended text, in the places of the original.
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
