import GarlandJSON

/// The proof that who redeems an authorization code is who asked for it (PKCE, RFC 7636), by the method S256.
///
/// ```swift
/// let proof = try ProofKey()
/// // authorization request: code_challenge=\(proof.challenge()), code_challenge_method=S256
/// // token request:         code_verifier=\(proof.verifier)
/// ```
public struct ProofKey: Sendable, Hashable, CustomStringConvertible {
  /// What only the client knows until it redeems the code: a secret.
  public let verifier: String

  /// A proof by a verifier of 43 to 128 unreserved characters; nil when it is none (RFC 7636 section 4.1).
  public init?(verifier: String) {
    guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(PercentText.isUnreserved) else { return nil }
    self.verifier = verifier
  }

  /// A new one: the 43 characters that stand for 32 bytes of chance, as the RFC recommends.
  public init() throws(CryptoError) { verifier = Base64URL.encode(try SecureRandom.bytes(32)) }

  /// What is sent ahead: the SHA-256 of the verifier, in base64url.
  public func challenge() throws(CryptoError) -> String {
    Base64URL.encode(try Digest(of: verifier.utf8, using: .sha256).bytes)
  }

  /// Whether this is the verifier of a challenge.
  public func matches(challenge: String) throws(CryptoError) -> Bool {
    constantTimeEqual(try self.challenge().utf8, challenge.utf8)
  }

  /// Never the verifier.
  public var description: String { "proof key" }
}
