/// Accepts a server whose chain contains one of the pinned public keys. A pinned key may be that of the server itself, of an intermediate
/// authority, or of the root.
///
/// ```swift
/// let pins = try PublicKeysTrustEvaluator("sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=", "sha256/…")
/// ```
/// Only the certificates of the verified chain are compared, not other certificates that the server sends. Pin keys rather than
/// certificates: a key can be used again in the next certificate. Also pin a reserve key whose private key is not on the server: if the
/// only pinned key is lost, no connection succeeds.
public struct PublicKeysTrustEvaluator: ServerTrustEvaluating {
  /// The pinned keys. The chain must contain at least one of these.
  public let pins: [PublicKeyPin]
  /// Whether the certificate must contain the name or address of the host.
  public let validatesHost: Bool

  /// Creates an evaluator from a list of pinned keys. Throws if the list is empty.
  public init(_ pins: [PublicKeyPin], validatesHost: Bool = true) throws(TrustConfigurationError) {
    if pins.isEmpty { throw .empty("pinned keys") }
    self.pins = pins
    self.validatesHost = validatesHost
  }

  /// Creates an evaluator from pinned keys, each a text in the form of ``PublicKeyPin/init(_:)``.
  public init(_ pins: String...) throws(TrustConfigurationError) {
    var parsed: [PublicKeyPin] = []
    for pin in pins { parsed.append(try PublicKeyPin(pin)) }
    try self.init(parsed)
  }

  /// Creates an evaluator whose pinned keys are the keys of the given certificates.
  public init(keysOf certificates: [Certificate], validatesHost: Bool = true) throws(TrustConfigurationError) {
    try self.init(certificates.map(\.publicKeyPin), validatesHost: validatesHost)
  }

  /// The name of the evaluator in error messages: `pinned keys`.
  public var name: String { "pinned keys" }
  /// The requirements for the connection: a verified chain and, if ``validatesHost`` is true, a certificate for the host.
  public var requirements: TrustRequirements { TrustRequirements(verifiesHost: validatesHost) }

  /// Checks that the server's certificate chain contains one of the pinned public keys.
  public func evaluate(_ trust: ServerTrust) throws(NetworkingError.Trust.Problem) {
    guard trust.isVerified else { throw .noVerifiedChain }
    if trust.chain.contains(where: { pins.contains($0.publicKeyPin) }) { return }
    throw .keyNotPinned(expected: pins, found: trust.chain)
  }
}
