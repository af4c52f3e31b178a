/// The trust of one host: its evaluators and their combined requirements.
final class HostTrust: Sendable {
  let evaluators: [any ServerTrustEvaluating]
  let requirements: TrustRequirements
  /// The trusted authorities as one PEM text; empty if the evaluators do not define any.
  let authorities: [UInt8]

  init(_ evaluators: [any ServerTrustEvaluating]) {
    let evaluators = evaluators.flatMap(Self.parts)
    self.evaluators = evaluators
    requirements = evaluators.reduce(.nothing) { $0.merged(with: $1.requirements) }
    authorities = requirements.authorities.flatMap { Array($0.pem.utf8) }
  }

  /// Returns the evaluators inside a composite evaluator, so that an error contains the name of the evaluator that refused the server.
  /// Returns any other evaluator itself.
  private static func parts(_ evaluator: any ServerTrustEvaluating) -> [any ServerTrustEvaluating] {
    (evaluator as? CompositeTrustEvaluator).map { $0.evaluators.flatMap(parts) } ?? [evaluator]
  }

  /// Whether all evaluators accept every server, so that a connection need not be checked before a request is sent.
  var isDisabled: Bool { evaluators.allSatisfy { $0 is DisabledTrustEvaluator } }
  /// Whether the evaluators check a server at least as strictly as the default validation.
  var isStrict: Bool { requirements.verifiesChain && requirements.verifiesHost }

  /// Returns an object with the evaluators of both objects. All these evaluators must accept the server.
  func merged(with other: HostTrust) -> HostTrust { HostTrust(evaluators + other.evaluators) }

  /// Checks a server. Returns the refusal; nil if the server is accepted.
  func refusal(of connection: TLSConnection?, host: String) -> NetworkingError.Trust? {
    let isVerified = requirements.verifiesChain
    let chain = isVerified ? connection?.verifiedChain : connection?.presentedChain
    guard let connection, let chain else {
      return NetworkingError.Trust(host: host, evaluator: evaluators.first?.name ?? "", problem: .noVerifiedChain)
    }
    let staple = requirements.requestsStaple ? connection.stapledResponse : nil
    return refusal(of: ServerTrust(host: host, chain: chain, isVerified: isVerified, stapledResponse: staple))
  }

  func refusal(of trust: ServerTrust) -> NetworkingError.Trust? {
    for evaluator in evaluators {
      do throws(NetworkingError.Trust.Problem) {
        try evaluator.evaluate(trust)
      } catch {
        return NetworkingError.Trust(host: trust.host, evaluator: evaluator.name, problem: error)
      }
    }
    return nil
  }
}
