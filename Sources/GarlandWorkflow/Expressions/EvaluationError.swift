public import GarlandDiagnostics

/// The error that is thrown if an expression cannot be evaluated, with the source range of the
/// mistake.
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

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - diagnostic: the mistake, with the source range of the sub-expression that causes it.
  ///   - isUndefined: whether a value is missing, so that `??` can replace it.
  public init(_ diagnostic: Diagnostic, isUndefined: Bool = false) {
    storage = Storage(diagnostic, isUndefined: isUndefined)
  }

  /// The mistake, with the source range of the sub-expression that causes it.
  public var diagnostic: Diagnostic { storage.diagnostic }
  /// Whether a value is missing, so that `??` can replace it. False for other errors, such as a
  /// wrong type.
  public var isUndefined: Bool { storage.isUndefined }
}
