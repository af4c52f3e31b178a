/// Refuses a server whose certificate was revoked.
///
/// The evaluator checks the OCSP response that the server staples to its certificate (RFC 6066, section 8; RFC 6960).
///
/// ```swift
/// let evaluator = CompositeTrustEvaluator(pins, RevocationTrustEvaluator())
/// ```
/// The response is requested only from the server itself, so that no third party learns about the visit, and
/// the request is not delayed. The response must be current, and signed by the authority that issued the
/// server's certificate or by a signer that this authority authorised.
public struct RevocationTrustEvaluator: ServerTrustEvaluating {
  /// Whether the evaluator refuses a server that sends no OCSP response with its certificate. If false, it accepts such a server, unless
  /// the certificate itself requires an OCSP response (RFC 7633).
  public let requiresStaple: Bool
  /// Whether the certificate must contain the name or address of the host.
  public let validatesHost: Bool

  private let now: @Sendable () -> Int64
  private let answers = StapledAnswers()

  /// Creates an evaluator. By default, the server must staple an OCSP response. `now` returns the seconds since 1970.
  public init(
    requiresStaple: Bool = true, validatesHost: Bool = true, now: @escaping @Sendable () -> Int64 = SessionClock().secondsSince1970
  ) {
    self.now = now
    self.requiresStaple = requiresStaple
    self.validatesHost = validatesHost
  }

  /// The name of the evaluator in error messages: `revocation`.
  public var name: String { "revocation" }
  /// The requirements for the connection: a verified chain and, if ``validatesHost`` is true, a certificate for the host. The server is
  /// asked for a stapled OCSP response.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost, requestsStaple: true) }

  /// Checks the stapled OCSP response: the response that the server has sent together with its certificate.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified, let leaf = trust.chain.first else { throw .noVerifiedChain }
    guard let response = trust.stapledResponse else {
      if requiresStaple || leaf.promisesStaple { throw .revocation(.missing) }
      return
    }
    // The chain may consist of the certificate alone, if that is trusted itself.
    let issuer = trust.chain.count > 1 ? trust.chain[1] : leaf
    switch answers.answer(in: response, for: leaf, issuer: issuer) {
    case .failure(let problem): throw .revocation(problem)
    case .success(let answer): if let problem = answer.problem(at: now()) { throw .revocation(problem) }
    }
  }
}
