public import GarlandDiagnostics

/// The reason why steps can't be selected.
public struct SelectionError: Error, Sendable {
  /// One diagnostic for each unknown name, or one diagnostic which reports that no step is left.
  public let diagnostics: DiagnosticList
}

extension DiagnosticCode {
  /// The code of the error for a name that no step has.
  public static let unknownStep: DiagnosticCode = "unknown-step"
  /// The code of the error for a tag that no step has.
  public static let undefinedTag: DiagnosticCode = "undefined-tag"
  /// The code of the error for a selection that contains no step.
  public static let noStepSelected: DiagnosticCode = "no-step-selected"
}
