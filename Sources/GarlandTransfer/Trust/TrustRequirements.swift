/// The requirements of evaluators for a connection. If there are several evaluators, the strictest requirement applies, and the authorities
/// of all evaluators are trusted.
public struct TrustRequirements: Sendable, Hashable {
  /// Whether the server must have a chain of valid certificates up to a trusted authority. A server without such a chain is refused before
  /// the evaluators are called.
  public var verifiesChain: Bool
  /// Whether the certificate must contain the name or address of the host.
  public var verifiesHost: Bool
  /// The only trusted authorities. If empty, the authorities in ``TLSSettings/authorities`` are trusted.
  public var authorities: [Certificate]
  /// Whether a stapled OCSP response is requested from the server, as proof that its certificate was not
  /// revoked.
  public var requestsStaple: Bool

  /// Creates requirements. By default, the server must have a verified certificate chain, and its certificate must match the host.
  public init(verifiesChain: Bool = true, verifiesHost: Bool = true, authorities: [Certificate] = [], requestsStaple: Bool = false) {
    self.verifiesChain = verifiesChain
    self.verifiesHost = verifiesHost
    self.authorities = authorities
    self.requestsStaple = requestsStaple
  }

  /// Returns merged requirements: the stricter value of each requirement, and all authorities of `self` and `other`. A certificate chain
  /// may lead to any of these authorities, since each evaluator itself checks that the chain leads to one of the evaluator's own
  /// authorities.
  func merged(with other: TrustRequirements) -> TrustRequirements {
    TrustRequirements(
      verifiesChain: verifiesChain || other.verifiesChain, verifiesHost: verifiesHost || other.verifiesHost,
      authorities: authorities + other.authorities.filter { !authorities.contains($0) },
      requestsStaple: requestsStaple || other.requestsStaple)
  }

  /// Requirements that every server meets, since nothing is verified.
  static let nothing = TrustRequirements(verifiesChain: false, verifiesHost: false)
}
