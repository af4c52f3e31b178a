import GarlandDiagnostics
import GarlandWorkflow

extension InputDeclaration {
  /// Returns the diagnostic for a value whose type differs from the declared type of the input.
  func mismatch(_ value: Value, at range: SourceRange) -> Diagnostic {
    let expected = type.map { "the type `\($0.rawValue)`" } ?? "another"
    return Diagnostic(.wrongType, "the input `\(name.value)` is \(Shown.found(value.masked)), expected \(expected)", at: range)
  }
}
