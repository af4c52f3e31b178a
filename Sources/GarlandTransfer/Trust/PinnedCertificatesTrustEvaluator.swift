/// Accepts a server whose chain contains one of the pinned certificates. A pinned certificate may be that of the server itself, of an
/// intermediate authority, or of the root.
///
/// ```swift
/// let evaluator = try PinnedCertificatesTrustEvaluator(Certificate.all(inFile: "api.pem"))
/// ```
/// Only the verified chain counts, not other certificates that the server sends. A renewed certificate is a different
/// certificate, even with the same key; see ``PublicKeysTrustEvaluator``.
public struct PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
  /// The pinned certificates. The chain must contain at least one of these.
  public let certificates: [Certificate]
  /// Whether the pinned certificates replace the trusted authorities. Needed for a server whose
  /// certificate was not issued by an authority.
  public let acceptsSelfSigned: Bool
  /// Whether the certificate must contain the name or address of the host.
  public let validatesHost: Bool

  /// Creates an evaluator from a list of pinned certificates. Throws if the list is empty.
  public init(_ certificates: [Certificate], acceptsSelfSigned: Bool = false, validatesHost: Bool = true) throws(TrustConfigurationError) {
    if certificates.isEmpty { throw .empty("pinned certificates") }
    self.certificates = certificates
    self.acceptsSelfSigned = acceptsSelfSigned
    self.validatesHost = validatesHost
  }

  /// The name of the evaluator in error messages: `pinned certificates`.
  public var name: String { "pinned certificates" }
  /// The requirements for the connection: a verified chain and, if ``validatesHost`` is true, a certificate for the host. If
  /// ``acceptsSelfSigned`` is true, the pinned certificates are the only trusted authorities of the chain.
  public var requirements: TrustRequirements {
    TrustRequirements(verifiesHost: validatesHost, authorities: acceptsSelfSigned ? certificates : [])
  }

  /// Checks that the server's certificate chain contains one of the pinned certificates.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified else { throw .noVerifiedChain }
    if trust.chain.contains(where: certificates.contains) { return }
    throw .certificateNotPinned(expected: certificates, found: trust.chain)
  }
}
