/// Accepts servers in whose chain one of some public keys is: the server's own, an intermediate authority's or the root's.
///
/// ```swift
/// let pins = try PublicKeysTrustEvaluator("sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=", "sha256/…")
/// ```
/// Only the verified chain counts, not what the server sends beside it. A key outlives the certificates that are made for it, which makes it the better thing to pin.
/// Give at least one more that is kept elsewhere: when a pinned key is lost, nothing connects any more.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
  /// The keys, one of which must be in the chain.
  public let pins: [PublicKeyPin]
  /// Whether the certificate must be for the host.
  public let validatesHost: Bool

  /// These keys. Throws if there are none.
  public init(_ pins: [PublicKeyPin], validatesHost: Bool = true) throws(TrustConfigurationError) {
    if pins.isEmpty { throw .empty("pinned keys") }
    self.pins = pins
    self.validatesHost = validatesHost
  }

  /// These keys, each as ``PublicKeyPin/init(_:)`` reads it.
  public init(_ pins: String...) throws(TrustConfigurationError) {
    var parsed: [PublicKeyPin] = []
    for pin in pins { parsed.append(try PublicKeyPin(pin)) }
    try self.init(parsed)
  }

  /// The keys of these certificates.
  public init(keysOf certificates: [Certificate], validatesHost: Bool = true) throws(TrustConfigurationError) {
    try self.init(certificates.map(\.publicKeyPin), validatesHost: validatesHost)
  }

  /// `pinned keys`.
  public var name: String { "pinned keys" }
  /// A verified chain.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost) }

  /// Looks for one of the keys.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified else { throw .noVerifiedChain }
    if trust.chain.contains(where: { pins.contains($0.publicKeyPin) }) { return }
    throw .keyNotPinned(expected: pins, found: trust.chain)
  }
}
