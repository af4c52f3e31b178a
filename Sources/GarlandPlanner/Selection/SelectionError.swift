public import GarlandDiagnostics

/// Why steps can't be selected.
public struct SelectionError: Error, Sendable {
  /// A diagnostic for each unknown name, or one that says that no step is left.
  public let diagnostics: DiagnosticList
}

extension DiagnosticCode {
  /// A name that no step has.
  public static let unknownStep: DiagnosticCode = "unknown-step"
  /// A tag that no step has.
  public static let undefinedTag: DiagnosticCode = "undefined-tag"
  /// The selection leaves no step.
  public static let noStepSelected: DiagnosticCode = "no-step-selected"
}
