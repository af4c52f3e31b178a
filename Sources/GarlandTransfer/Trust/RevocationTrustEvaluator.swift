/// Refuses servers whose certificate has been revoked, by the OCSP response that they staple to it (RFC 6066, section 8; RFC 6960).
///
/// ```swift
/// let evaluator = CompositeTrustEvaluator(pins, RevocationTrustEvaluator())
/// ```
/// The server is asked for the response and nobody else is, so that nobody learns who visits whom, and nothing is waited for. The response must be signed by the
/// authority that made the server's certificate, or by whom that authority made a certificate for the purpose, and it must be current.
public struct RevocationTrustEvaluator: ServerTrustEvaluating {
  /// Whether a server without a stapled response is refused. If not, it is accepted unless its certificate says that it comes with one (RFC 7633).
  public let requiresStaple: Bool
  /// Whether the certificate must be for the host.
  public let validatesHost: Bool

  private let now: @Sendable () -> Int64
  private let answers = StapledAnswers()

  /// By default a stapled response is required. `now` gives seconds since 1970.
  public init(
    requiresStaple: Bool = true, validatesHost: Bool = true, now: @escaping @Sendable () -> Int64 = SessionClock().secondsSince1970
  ) {
    self.now = now
    self.requiresStaple = requiresStaple
    self.validatesHost = validatesHost
  }

  /// `revocation`.
  public var name: String { "revocation" }
  /// A verified chain, and that a staple was asked for.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost, requestsStaple: true) }

  /// Looks into the response.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified, let leaf = trust.chain.first else { throw .noVerifiedChain }
    guard let response = trust.stapledResponse else {
      if requiresStaple || leaf.promisesStaple { throw .revocation(.missing) }
      return
    }
    // The chain may be the certificate alone, if that is itself what is trusted.
    let issuer = trust.chain.count > 1 ? trust.chain[1] : leaf
    switch answers.answer(in: response, for: leaf, issuer: issuer) {
    case .failure(let problem): throw .revocation(problem)
    case .success(let answer): if let problem = answer.problem(at: now()) { throw .revocation(problem) }
    }
  }
}
