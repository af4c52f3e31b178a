public import GarlandDiagnostics

/// An error for steps that can't be selected, with the reasons as diagnostics.
public struct SelectionError: Error, Sendable {
  /// One diagnostic for each unknown name or tag, or one diagnostic which reports that the selection contains no step.
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
