import GarlandDiagnostics

/// The reason why a file is not a report of a run.
package struct RecordingError: Error, Sendable {
  /// The mistake, with its position in the file if the position is known.
  package let diagnostic: Diagnostic

  init(_ message: String, at range: SourceRange?, help: String? = nil) {
    let diagnostic = Diagnostic("bad-report", message, at: range)
    self.diagnostic = help.map { diagnostic.help($0) } ?? diagnostic
  }
}
