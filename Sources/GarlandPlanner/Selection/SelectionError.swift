public import GarlandDiagnostics

/// Why steps can't be selected.
public struct SelectionError: Error, Sendable {
  /// One diagnostic for each name that no step has, or one that says that nothing is left.
  public let diagnostics: DiagnosticList
}

extension DiagnosticCode {
  /// A name that no step has.
  public static let unknownStep: DiagnosticCode = "unknown-step"
  /// A tag that no step has.
  public static let undefinedTag: DiagnosticCode = "undefined-tag"
  /// What is asked for leaves no step.
  public static let noStepSelected: DiagnosticCode = "no-step-selected"
}
