public import GarlandDiagnostics

/// Why an expression has no value.
public struct EvaluationError: Error, Sendable {
  private final class Storage: Sendable {
    let diagnostic: Diagnostic
    let isUndefined: Bool

    init(_ diagnostic: Diagnostic, isUndefined: Bool) {
      self.diagnostic = diagnostic
      self.isUndefined = isUndefined
    }
  }

  private let storage: Storage

  /// - Parameters:
  ///   - diagnostic: what went wrong, located at the exact sub-expression.
  ///   - isUndefined: whether something is not there, which `??` makes good for.
  public init(_ diagnostic: Diagnostic, isUndefined: Bool = false) {
    storage = Storage(diagnostic, isUndefined: isUndefined)
  }

  /// The mistake, located at the exact sub-expression.
  public var diagnostic: Diagnostic { storage.diagnostic }
  /// Whether something is not there, which `??` makes good for.
  public var isUndefined: Bool { storage.isUndefined }
}
