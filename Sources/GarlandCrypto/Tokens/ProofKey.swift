import GarlandText

/// The proof that the same client requests and redeems an authorization code (PKCE, RFC 7636), with
/// the method S256.
///
/// ```swift
/// guard let proof = ProofKey(verifier: verifier) else { return }
/// // authorization request: code_challenge=\(proof.challenge()), code_challenge_method=S256
/// // token request:         code_verifier=\(proof.verifier)
/// ```
public struct ProofKey: Sendable, Hashable, CustomStringConvertible {
  /// The secret verifier. The client must keep the verifier secret until the authorization code is exchanged for tokens.
  public let verifier: String

  /// Creates a proof from a verifier of 43 to 128 unreserved characters; nil for any other text
  /// (RFC 7636 section 4.1).
  public init?(verifier: String) {
    guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(PercentEncoding.unreserved.contains) else { return nil }
    self.verifier = verifier
  }

  /// Returns the challenge for the authorization request: the SHA-256 of the verifier, in
  /// base64url.
  public func challenge() throws(CryptoError) -> String {
    Base64URL.encode(try Digest(of: verifier.utf8, using: .sha256).bytes)
  }

  /// Returns whether the challenge belongs to this verifier.
  public func matches(challenge: String) throws(CryptoError) -> Bool {
    constantTimeEqual(try self.challenge().utf8, challenge.utf8)
  }

  /// Always `proof key`, so that no output contains the verifier.
  public var description: String { "proof key" }
}
