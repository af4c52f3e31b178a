import GarlandDiagnostics

/// The reason why a file is not a report of a run.
package struct RecordingError: Error, Sendable {
  /// The mistake, with its position in the file if the position is known.
  package let diagnostic: Diagnostic
  /// Whether the file is the beginning of a JSON text whose end is missing.
  package var isTorn = false
  /// Whether the file is neither a report nor a part of one.
  package var isForeign = false

  init(_ message: String, at range: SourceRange?, help: String? = nil) {
    let diagnostic = Diagnostic("bad-report", message, at: range)
    self.diagnostic = help.map { diagnostic.help($0) } ?? diagnostic
  }
}
