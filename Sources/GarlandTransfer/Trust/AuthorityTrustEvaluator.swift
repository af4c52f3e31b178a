/// Trusts certain authorities and no others: a company's own for its own hosts, say.
///
/// ```swift
/// let trust = try ServerTrustManager(allHostsMustBeEvaluated: false, ["*.corp.example": AuthorityTrustEvaluator(Certificate.all(inFile: "corp.pem"))])
/// ```
/// An authority need not be a root: with an intermediate one, chains end there. Beside another of its kind in a ``CompositeTrustEvaluator`` the chain must lead to an
/// authority that both trust.
public struct AuthorityTrustEvaluator: ServerTrustEvaluating {
  /// The authorities, one of which the chain must lead to.
  public let authorities: [Certificate]
  /// Whether the certificate must be for the host.
  public let validatesHost: Bool

  /// These authorities. Throws if there are none.
  public init(_ authorities: [Certificate], validatesHost: Bool = true) throws(TrustConfigurationError) {
    if authorities.isEmpty { throw .empty("authorities") }
    self.authorities = authorities
    self.validatesHost = validatesHost
  }

  /// Those of a PEM file.
  public init(pemFile path: String) throws(TrustConfigurationError) { try self.init(try Certificate.all(inFile: path)) }

  /// `certificate authorities`.
  public var name: String { "certificate authorities" }
  /// A chain that is verified up to one of them.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost, authorities: authorities) }

  /// Looks for one of the authorities in the chain.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified, let last = trust.chain.last else { throw .noVerifiedChain }
    if trust.chain.contains(where: authorities.contains) { return }
    throw .otherAuthority(found: last)
  }
}
