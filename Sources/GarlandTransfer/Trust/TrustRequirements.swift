/// What evaluators need to have been done when a connection is made. Of several evaluators, the strictest wish counts.
public struct TrustRequirements: Sendable, Hashable {
  /// Whether the server must have a chain of valid certificates up to an authority that is trusted. Without one, nothing is evaluated: the server is refused.
  public var verifiesChain: Bool
  /// Whether the certificate must be for the host.
  public var verifiesHost: Bool
  /// The authorities to trust, and no others. If empty, those of ``TLSSettings/authorities``.
  public var authorities: [Certificate]
  /// Whether the server is asked to prove with a stapled OCSP response that its certificate has not been revoked.
  public var requestsStaple: Bool

  /// By default a verified chain and the right host.
  public init(verifiesChain: Bool = true, verifiesHost: Bool = true, authorities: [Certificate] = [], requestsStaple: Bool = false) {
    self.verifiesChain = verifiesChain
    self.verifiesHost = verifiesHost
    self.authorities = authorities
    self.requestsStaple = requestsStaple
  }

  /// Both.
  func merged(with other: TrustRequirements) -> TrustRequirements {
    TrustRequirements(
      verifiesChain: verifiesChain || other.verifiesChain, verifiesHost: verifiesHost || other.verifiesHost,
      authorities: authorities + other.authorities.filter { !authorities.contains($0) },
      requestsStaple: requestsStaple || other.requestsStaple)
  }

  /// Nothing at all.
  static let nothing = TrustRequirements(verifiesChain: false, verifiesHost: false)
}
