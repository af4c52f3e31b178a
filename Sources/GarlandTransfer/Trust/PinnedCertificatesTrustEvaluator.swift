/// Accepts servers in whose chain one of some certificates is: the server's own, an intermediate authority's or the root.
///
/// ```swift
/// let evaluator = try PinnedCertificatesTrustEvaluator(Certificate.all(inFile: "api.pem"))
/// ```
/// Only the verified chain counts, not what the server sends beside it. When a certificate is renewed, even with the same key, it is another one: see
/// ``PublicKeysTrustEvaluator``.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
  /// The certificates, one of which must be in the chain.
  public let certificates: [Certificate]
  /// Whether the pinned certificates are what is trusted, instead of the authorities: for a server whose certificate nobody else vouches for.
  public let acceptsSelfSigned: Bool
  /// Whether the certificate must be for the host.
  public let validatesHost: Bool

  /// These certificates. Throws if there are none.
  public init(_ certificates: [Certificate], acceptsSelfSigned: Bool = false, validatesHost: Bool = true) throws(TrustConfigurationError) {
    if certificates.isEmpty { throw .empty("pinned certificates") }
    self.certificates = certificates
    self.acceptsSelfSigned = acceptsSelfSigned
    self.validatesHost = validatesHost
  }

  /// `pinned certificates`.
  public var name: String { "pinned certificates" }
  /// A verified chain, to a pinned certificate if that is how it should be.
  public var requirements: TrustRequirements {
    TrustRequirements(verifiesHost: validatesHost, authorities: acceptsSelfSigned ? certificates : [])
  }

  /// Looks for one of the certificates.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified else { throw .noVerifiedChain }
    if trust.chain.contains(where: certificates.contains) { return }
    throw .certificateNotPinned(expected: certificates, found: trust.chain)
  }
}
