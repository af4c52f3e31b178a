/// Accepts a server if all of several evaluators accept it. Each one's requirements for the
/// connection apply.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
  /// The evaluators in the order of evaluation.
  public let evaluators: [any ServerTrustEvaluating]

  /// Creates an evaluator that requires all of these. Without any it is the default validation.
  public init(_ evaluators: [any ServerTrustEvaluating]) {
    self.evaluators = evaluators.isEmpty ? [DefaultTrustEvaluator()] : evaluators
  }

  /// Creates an evaluator that requires all of these.
  public init(_ evaluators: any ServerTrustEvaluating...) { self.init(evaluators) }

  /// The names of the evaluators.
  public var name: String { evaluators.map(\.name).joined(separator: ", ") }
  /// The combined requirements of the evaluators.
  public var requirements: TrustRequirements {
    evaluators.reduce(.nothing) { $0.merged(with: $1.requirements) }
  }

  /// Asks the evaluators one after another.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    for evaluator in evaluators { try evaluator.evaluate(trust) }
  }
}
