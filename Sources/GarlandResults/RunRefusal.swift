public import GarlandDiagnostics

/// Why a run did not begin: a document or the command line is wrong, a secret is missing, a file can't be used. Nothing was sent.
public struct RunRefusal: Sendable {
  /// What is wrong; at least one.
  public var diagnostics: [Diagnostic]
  /// The command's exit status: 2, or 4 for a file that could not be read or written.
  public var exitStatus: Int32

  /// - Parameters:
  ///   - diagnostics: what is wrong; at least one.
  ///   - exitStatus: the command's exit status.
  public init(_ diagnostics: [Diagnostic], exitStatus: Int32) {
    self.diagnostics = diagnostics
    self.exitStatus = exitStatus
  }
}
