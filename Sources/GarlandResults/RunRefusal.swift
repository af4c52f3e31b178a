public import GarlandDiagnostics

/// The reasons why a run did not begin: a mistake in a document or on the command line, a missing
/// secret, an unusable file. No request was sent.
public struct RunRefusal: Sendable {
  /// The mistakes that prevent the run. There is at least one.
  public var diagnostics: [Diagnostic]
  /// The command's exit status: 2, or 4 for a file that could not be read or written.
  public var exitStatus: Int32

  /// Creates a refusal.
  ///
  /// - Parameters:
  ///   - diagnostics: The mistakes. There must be at least one.
  ///   - exitStatus: The command's exit status.
  public init(_ diagnostics: [Diagnostic], exitStatus: Int32) {
    self.diagnostics = diagnostics
    self.exitStatus = exitStatus
  }
}
