/// Accepts a server only if all of several evaluators accept it. The requirements of all evaluators
/// apply to the connection.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
  /// The evaluators in the order of evaluation.
  public let evaluators: [any ServerTrustEvaluating]

  /// Creates an evaluator that requires all given evaluators to accept a server. If the list is empty, the default validation applies.
  public init(_ evaluators: [any ServerTrustEvaluating]) {
    self.evaluators = evaluators.isEmpty ? [DefaultTrustEvaluator()] : evaluators
  }

  /// Creates an evaluator that requires all given evaluators to accept a server.
  public init(_ evaluators: any ServerTrustEvaluating...) { self.init(evaluators) }

  /// The names of the evaluators, separated by commas.
  public var name: String { evaluators.map(\.name).joined(separator: ", ") }
  /// The combined requirements of the evaluators.
  public var requirements: TrustRequirements {
    evaluators.reduce(.nothing) { $0.merged(with: $1.requirements) }
  }

  /// Calls the evaluators one after another. The first that refuses the server ends the evaluation.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    for evaluator in evaluators { try evaluator.evaluate(trust) }
  }
}
