public import GarlandDiagnostics

extension DiagnosticCode {
  /// A value is not of the type that its place needs.
  public static let wrongType: DiagnosticCode = "wrong-type"
  /// Null, a list or a mapping where only text can stand.
  public static let notText: DiagnosticCode = "not-text"
}
