/// Compares the diagnostics before and after applying fixes, to find out which fixes were wrong.
package struct FixTrial {
  private let before: [Diagnostic]
  private let after: [Diagnostic]
  private let syntaxErrors: Set<DiagnosticCode>
  private let path: (SourceFile) -> String?

  /// Creates a comparison of the diagnostics before and after fixes.
  ///
  /// - Parameters:
  ///   - before: The diagnostics of the original texts.
  ///   - after: The diagnostics of the fixed texts.
  ///   - syntaxErrors: The codes of errors that keep a file from being parsed. If only the fixed text of a file has such an error, the
  ///     fixes of this file are wrong.
  ///   - path: Returns the path of a source file. A file has the same path before and after the fixes.
  package init(
    before: [Diagnostic], after: [Diagnostic], syntaxErrors: Set<DiagnosticCode> = [], path: @escaping (SourceFile) -> String?
  ) {
    self.before = before
    self.after = after
    self.syntaxErrors = syntaxErrors
    self.path = path
  }

  /// The properties by which a diagnostic is recognised after the fixes were applied. The position is not included, since fixes move the
  /// text.
  private struct Kind: Hashable {
    let code: DiagnosticCode
    let message: String
    let path: String?
  }

  private func kind(_ diagnostic: Diagnostic) -> Kind {
    Kind(code: diagnostic.code, message: diagnostic.message, path: diagnostic.range.flatMap { path($0.file) })
  }

  private func counts(_ diagnostics: [Diagnostic]) -> [Kind: Int] {
    diagnostics.reduce(into: [:]) { $0[kind($1), default: 0] += 1 }
  }

  /// Returns the reasons why fixes are wrong. The key of each reason is the index of the wrong fix in `fixes`.
  ///
  /// A fix is correct if the diagnostic that suggested the fix has disappeared, and the fix caused no error. The result is empty if all
  /// fixes are correct.
  ///
  /// - Parameters:
  ///   - fixes: The applied fixes.
  ///   - mayUncover: Whether new errors may appear outside of the text that the fixes wrote. For example, a misspelt key hides the mistakes
  ///     in its value until the key is fixed.
  package func mistakes(of fixes: [ProposedFix], mayUncover: Bool) -> [Int: String] {
    let (known, left, made) = (counts(before), counts(after), counts(fixes.map(\.diagnostic)))
    var mistakes: [Int: String] = [:]
    for (index, proposed) in fixes.enumerated() {
      let kind = kind(proposed.diagnostic)
      guard left[kind, default: 0] > known[kind, default: 0] - made[kind, default: 0] else { continue }
      mistakes[index] = "the diagnostic is still there"
    }
    let written = Self.written(by: fixes)
    let unparsed = Set(before.filter { syntaxErrors.contains($0.code) }.map { kind($0).path })
    for diagnostic in after where diagnostic.severity == .error {
      let kind = kind(diagnostic)
      guard left[kind, default: 0] > known[kind, default: 0] else { continue }
      let words = "new is \(diagnostic.code), \(diagnostic.message)"
      let writers = fixes.indices.filter { Self.meets(diagnostic.range, kind.path, written[$0]) }
      for index in writers { mistakes[index] = words }
      if syntaxErrors.contains(diagnostic.code), !unparsed.contains(kind.path) {
        for index in fixes.indices where fixes[index].path == kind.path { mistakes[index] = words }
      } else if writers.isEmpty, !mayUncover {
        for index in fixes.indices { mistakes[index] = words }
      }
    }
    return mistakes
  }

  /// The path of a file, and the range of a fix's replacement text in that file after all fixes were applied.
  private struct Written {
    let path: String
    let offsets: Range<Int>
  }

  private static func meets(_ range: SourceRange?, _ path: String?, _ written: Written?) -> Bool {
    guard let range, let written, path == written.path else { return false }
    return range.offsets.upperBound > written.offsets.lowerBound && range.offsets.lowerBound < written.offsets.upperBound
  }

  /// Returns the range of each fix's replacement text in the fixed file. The keys are the indexes of the fixes. A deletion has no
  /// replacement text, so its range is the byte after the deleted text: an error at this byte is attributed to the deletion.
  private static func written(by fixes: [ProposedFix]) -> [Int: Written] {
    var written: [Int: Written] = [:]
    var moved: [String: Int] = [:]
    for (index, proposed) in fixes.enumerated().sorted(by: { $0.element.place.offsets.lowerBound < $1.element.place.offsets.lowerBound }) {
      let count = proposed.fix.replacementBytes.count
      let start = proposed.place.offsets.lowerBound + moved[proposed.path, default: 0]
      written[index] = Written(path: proposed.path, offsets: start..<start + max(1, count))
      moved[proposed.path, default: 0] += count - proposed.place.offsets.count
    }
    return written
  }
}
