public import GarlandDiagnostics

/// Proves that each fix that diagnostics suggest is right without further changes.
///
/// It applies each fix alone and checks the text again: the diagnostic must be gone, and nothing
/// new may be wrong. Only an expression that could not be read to its end may show errors
/// afterwards that it hid before, and none of them in the text that the fix put there.
public struct FixProof {
  /// The result for one text.
  public struct Result {
    /// One sentence for each fix that is not right.
    public var mistakes: [String] = []
    /// The number of fixes that were applied.
    public var applied = 0
  }

  private let name: String
  private let check: ([UInt8]) -> [Diagnostic]

  /// - Parameters:
  ///   - name: the name of the file; a fix of another file is left alone.
  ///   - check: returns the diagnostics of a text of that file.
  public init(of name: String, check: @escaping ([UInt8]) -> [Diagnostic]) {
    self.name = name
    self.check = check
  }

  /// Applies each fix of a text's diagnostics.
  public func result(for bytes: [UInt8]) -> Result {
    var result = Result()
    let found = check(bytes)
    for diagnostic in found {
      for help in diagnostic.helps {
        guard let fix = help.fix, fix.range.file.name == name else { continue }
        result.applied += 1
        if let mistake = mistake(of: fix, for: diagnostic, among: found) {
          result.mistakes.append("\(diagnostic.code), \(help.message), writes \(fix.replacement): \(mistake)")
        }
      }
    }
    return result
  }

  private func mistake(of fix: Diagnostic.Fix, for diagnostic: Diagnostic, among found: [Diagnostic]) -> String? {
    func path(_ file: SourceFile) -> String? { file.name }
    let proposed = ProposedFix.all(of: diagnostic, path: path).filter { $0.fix == fix }
    let trial = FixTrial(before: found, after: check(Self.applying(fix)), path: path)
    return trial.mistakes(of: proposed, mayUncover: Self.syntaxCodes.contains(diagnostic.code)).values.first
  }

  /// Codes of errors that keep the rest of an expression from being read.
  private static let syntaxCodes: Set<DiagnosticCode> = ["expression-syntax"]

  /// The text of the file that a fix is for, with the fix.
  public static func applying(_ fix: Diagnostic.Fix) -> [UInt8] {
    Diagnostic.Fix.making([fix], in: fix.range.file.bytes)
  }
}
