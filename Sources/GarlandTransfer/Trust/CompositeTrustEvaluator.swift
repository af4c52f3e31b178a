/// Accepts what several evaluators accept, all of them. What one requires of the connection holds for all.
public struct CompositeTrustEvaluator: ServerTrustEvaluating {
  /// The evaluators, in the order in which they are asked.
  public let evaluators: [any ServerTrustEvaluating]

  /// All of these. Without any it is the default validation.
  public init(_ evaluators: [any ServerTrustEvaluating]) {
    self.evaluators = evaluators.isEmpty ? [DefaultTrustEvaluator()] : evaluators
  }

  /// All of these.
  public init(_ evaluators: any ServerTrustEvaluating...) { self.init(evaluators) }

  /// Their names.
  public var name: String { evaluators.map(\.name).joined(separator: ", ") }
  /// What any of them requires.
  public var requirements: TrustRequirements {
    evaluators.reduce(.nothing) { $0.merged(with: $1.requirements) }
  }

  /// Asks one after the other.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    for evaluator in evaluators { try evaluator.evaluate(trust) }
  }
}
