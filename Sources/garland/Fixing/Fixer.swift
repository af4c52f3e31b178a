import GarlandDiagnostics

/// Makes the fixes that diagnostics suggest, in memory, until none is left that can be made.
///
/// Each trial makes all fixes at once that do not overlap and examines the texts again. If a fix has not removed its diagnostic, or has brought a new error, the
/// trial is taken back and repeated without that fix, which is tried alone later.
struct Fixer {
  /// The maximal number of trials, each of which reads and checks everything again. Fixes uncover
  /// further mistakes with fixes, but never in so many layers.
  private static let mostTrials = 100

  let texts: FixedTexts
  /// The folder that names of files start from.
  let folder: String
  /// Returns what is wrong with the texts as they are.
  let examine: () throws -> [Diagnostic]
  /// How many fixes were made.
  private(set) var count = 0

  init(_ texts: FixedTexts, in folder: String, examine: @escaping () throws -> [Diagnostic]) {
    self.texts = texts
    self.folder = folder
    self.examine = examine
  }

  /// The path of a file that can be changed.
  func path(of file: SourceFile) -> String? { texts.path(of: file, in: folder) }

  /// Makes the fixes that are right without further changes.
  ///
  /// - Parameter isDeclined: returns, for each diagnostic of a list, whether the user has declined its fix.
  mutating func fixAll(except isDeclined: ([Diagnostic]) -> [Bool] = { $0.map { _ in false } }) throws {
    var found = try examine()
    // Fixes that were wrong together with others are tried alone, once the others are made.
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

  /// Makes a fix and returns the diagnostics afterwards; nil if it was wrong, and was undone.
  mutating func make(_ fix: ProposedFix, _ found: [Diagnostic]) throws -> [Diagnostic]? { try attempt([fix], found).after }

  /// Makes fixes at once and returns the diagnostics afterwards; nil and the wrong fixes if all
  /// were undone.
  private mutating func attempt(_ fixes: [ProposedFix], _ found: [Diagnostic]) throws -> (after: [Diagnostic]?, mistaken: [ProposedFix]) {
    let (changes, input) = (texts.changes, texts.input)
    let path = remembering()
    // Texts can be distinguished from each other only before they change.
    for diagnostic in found { _ = diagnostic.range.map { path($0.file) } }
    texts.make(fixes)
    let after = try examine()
    let mistakes = FixTrial(before: found, after: after, path: path).mistakes(of: fixes, mayUncover: true)
    guard !mistakes.isEmpty else {
      count += fixes.count
      return (after, [])
    }
    texts.restore(changes, input)
    return (nil, mistakes.keys.map { fixes[$0] })
  }

  /// Returns a name that identifies a fix, even if its place has moved.
  private static func name(_ fix: ProposedFix) -> String {
    "\(fix.path)\u{0}\(fix.diagnostic.code)\u{0}\(fix.diagnostic.message)\u{0}\(fix.fix.replacement)"
  }

  /// The path of a file, read once.
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

/// The paths of files that were looked up.
private final class KnownPaths {
  var paths: [ObjectIdentifier: String?] = [:]
}
