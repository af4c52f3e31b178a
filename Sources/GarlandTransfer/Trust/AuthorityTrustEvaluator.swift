/// Trusts only certain authorities, for example a company's own authority for its own hosts.
///
/// ```swift
/// let trust = try ServerTrustManager(allHostsMustBeEvaluated: false, ["*.corp.example": AuthorityTrustEvaluator(Certificate.all(inFile: "corp.pem"))])
/// ```
/// An authority need not be a root: a chain may end at an intermediate authority. If a ``CompositeTrustEvaluator`` contains several of
/// these evaluators, the chain must lead to an authority that all of them trust.
public struct AuthorityTrustEvaluator: ServerTrustEvaluating {
  /// The trusted authorities. The chain must lead to at least one of these authorities.
  public let authorities: [Certificate]
  /// Whether the certificate must contain the name or address of the host.
  public let validatesHost: Bool

  /// Creates an evaluator from a list of trusted authorities. Throws if the list is empty.
  public init(_ authorities: [Certificate], validatesHost: Bool = true) throws(TrustConfigurationError) {
    if authorities.isEmpty { throw .empty("authorities") }
    self.authorities = authorities
    self.validatesHost = validatesHost
  }

  /// Creates an evaluator with the authorities of a PEM file.
  public init(pemFile path: String) throws(TrustConfigurationError) { try self.init(try Certificate.all(inFile: path)) }

  /// The name of the evaluator in error messages: `certificate authorities`.
  public var name: String { "certificate authorities" }
  /// The requirements for the connection: a chain verified up to one of the authorities and, if ``validatesHost`` is true, a certificate
  /// for the host.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost, authorities: authorities) }

  /// Checks that the server's certificate chain contains one of the trusted authorities.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified, let last = trust.chain.last else { throw .noVerifiedChain }
    if trust.chain.contains(where: authorities.contains) { return }
    throw .otherAuthority(found: last)
  }
}
