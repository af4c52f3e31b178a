public import GarlandDiagnostics

/// The error that is thrown if an expression has no value.
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
  ///   - isUndefined: whether the value is only undefined, so that `??` can replace it.
  public init(_ diagnostic: Diagnostic, isUndefined: Bool = false) {
    storage = Storage(diagnostic, isUndefined: isUndefined)
  }

  /// The mistake, with the source range of the sub-expression that causes it.
  public var diagnostic: Diagnostic { storage.diagnostic }
  /// Whether the value is only undefined. In this case, `??` can replace it.
  public var isUndefined: Bool { storage.isUndefined }
}
