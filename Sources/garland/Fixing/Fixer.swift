import GarlandDiagnostics
import GarlandYAML

/// Applies the fixes that diagnostics suggest, in memory, until no applicable fix remains.
///
/// Each trial applies all fixes that do not overlap each other, and checks the changed documents. If a fix has not removed its diagnostic,
/// or has caused a new error, the trial is undone and repeated without this fix. Later, this fix is tried alone.
struct Fixer {
  /// The maximum number of trials. Each trial reads and checks all documents again, because a fix can reveal a further mistake, whose fix
  /// needs another trial. A chain of more than a hundred such fixes is unlikely.
  private static let mostTrials = 100

  let texts: FixedTexts
  /// The folder against which the relative names of source files are resolved.
  let folder: String
  /// Checks the documents, with the fixes that were applied so far, and returns the diagnostics.
  let examine: () throws -> [Diagnostic]
  /// The number of applied fixes.
  private(set) var count = 0

  init(_ texts: FixedTexts, in folder: String, examine: @escaping () throws -> [Diagnostic]) {
    self.texts = texts
    self.folder = folder
    self.examine = examine
  }

  /// Returns the path of a file; nil if fixes must not change the file.
  func path(of file: SourceFile) -> String? { texts.path(of: file, in: folder) }

  /// Applies the fixes that need neither a choice nor a further change by the user (``FixSelection``).
  ///
  /// - Parameter isDeclined: returns, for each diagnostic of a list, whether the user has declined its fix.
  mutating func fixAll(except isDeclined: ([Diagnostic]) -> [Bool] = { $0.map { _ in false } }) throws {
    var found = try examine()
    // If a fix was wrong together with other fixes, it is tried alone after the other fixes were applied.
    var suspects: Set<String> = []
    var refused: Set<String> = []
    for _ in 0..<Self.mostTrials {
      let sorted = DiagnosticRenderer.sorted(found)
      let wanted = zip(sorted, isDeclined(sorted)).filter { !$1 }.map(\.0)
      let fixes = FixSelection(wanted, path: remembering()).fixes.filter { !refused.contains(Self.name($0)) }
      var batch = fixes.filter { !suspects.contains(Self.name($0)) }
      if batch.isEmpty { batch = Array(fixes.prefix(1)) }
      guard !batch.isEmpty else { return }
      let (after, mistaken) = try attempt(batch, found)
      if let after { found = after }
      let names = Set(mistaken.map(Self.name))
      if batch.count == 1 { refused.formUnion(names) } else { suspects.formUnion(names) }
    }
  }

  /// Applies a fix and returns the diagnostics that remain. If the fix does not correct its mistake, or causes a new error, undoes the fix
  /// and returns nil.
  mutating func make(_ fix: ProposedFix, _ found: [Diagnostic]) throws -> [Diagnostic]? { try attempt([fix], found).after }

  /// Applies several fixes together, and returns the diagnostics that remain. A fix is wrong if its diagnostic remains or if it causes a
  /// new error. If one of the fixes is wrong, the function undoes all of them, and returns nil and the wrong fixes.
  private mutating func attempt(_ fixes: [ProposedFix], _ found: [Diagnostic]) throws -> (after: [Diagnostic]?, mistaken: [ProposedFix]) {
    let (changes, input) = (texts.changes, texts.input)
    let path = remembering()
    // The path of a text can be determined only before the text changes, so the paths are cached here.
    for diagnostic in found { _ = diagnostic.range.map { path($0.file) } }
    texts.make(fixes)
    let after = try examine()
    let trial = FixTrial(before: found, after: after, syntaxErrors: DiagnosticCode.yamlSyntaxErrors, path: path)
    let mistakes = trial.mistakes(of: fixes, mayUncover: true)
    guard !mistakes.isEmpty else {
      count += fixes.count
      return (after, [])
    }
    texts.restore(changes, input)
    return (nil, mistakes.keys.map { fixes[$0] })
  }

  /// Returns a name that identifies a fix. The name stays the same if other fixes move the place in the text to which the fix applies.
  private static func name(_ fix: ProposedFix) -> String {
    "\(fix.path)\u{0}\(fix.diagnostic.code)\u{0}\(fix.diagnostic.message)\u{0}\(fix.fix.replacement)"
  }

  /// Returns a function that does the same as ``path(of:)``, but looks up the path of each file only once.
  private func remembering() -> (SourceFile) -> String? {
    let known = KnownPaths()
    return { file in
      if let path = known.paths[ObjectIdentifier(file)] { return path }
      let path = self.path(of: file)
      known.paths[ObjectIdentifier(file)] = .some(path)
      return path
    }
  }
}

/// A cache of the paths of source files.
private final class KnownPaths {
  var paths: [ObjectIdentifier: String?] = [:]
}
