import GarlandCrypto
import GarlandJSON
import GarlandText

/// Validates ID tokens (OpenID Connect Core section 3.1.3.7). Its functions depend only on their arguments and on the properties of the
/// validator.
struct IDTokenValidator {
  /// The accepted algorithms. All of them are asymmetric, so that only the provider can create a valid signature.
  static let algorithms: Set<SignatureAlgorithm> = [
    .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .es256, .es384, .es512, .edDSA,
  ]

  let issuer: String
  let clientID: String
  /// The nonce of the authorization request, which the token must contain; nil if there was no such request.
  let nonce: String?
  let accessToken: String
  let now: Double
  let skew: Double

  /// Validates an ID token with the provider's keys and returns its claims. Throws if the token is invalid.
  func validate(_ text: String, keys: JSONWebKeySet) throws(TokenError) -> JSONObject {
    let token = try JSONWebToken(text)
    try token.signature.verify(with: keys, accepting: Self.algorithms)
    // An access token that the provider has signed must not be accepted as an ID token (RFC 9068 section 5).
    if let type = token.signature.header["typ"]?.stringValue?.lowercased(), type == "at+jwt" || type == "application/at+jwt" {
      throw .malformed("it is an access token")
    }
    try token.check(
      JSONWebToken.Expectations(
        issuer: issuer, audience: clientID, nonce: nonce, now: now, skew: skew, required: ["iss", "sub", "aud", "exp", "iat"]))
    if token.audience.count > 1, token.claims["azp"] == nil { throw .missing(claim: "azp") }
    if let party = token.claims["azp"], party != .string(clientID) {
      throw .wrong(claim: "azp", found: party.jsonText(), expected: "\"\(clientID)\"")
    }
    if let hash = token.claims["at_hash"], hash != .string(try self.hash(try token.signature.algorithm())) {
      throw .wrong(claim: "at_hash", found: hash.jsonText(), expected: "that of the access token")
    }
    return token.claims
  }

  /// Returns the value that the claim `at_hash` must have: the left half of the access token's digest (OpenID Connect Core section
  /// 3.1.3.6).
  private func hash(_ algorithm: SignatureAlgorithm) throws(TokenError) -> String {
    let digest: DigestAlgorithm =
      switch algorithm {
      case .hs256, .rs256, .ps256, .es256: .sha256
      case .hs384, .rs384, .ps384, .es384: .sha384
      case .hs512, .rs512, .ps512, .es512, .edDSA: .sha512
      }
    do throws(CryptoError) {
      let bytes = try Digest(of: accessToken.utf8, using: digest).bytes
      return Base64URL.encode(bytes.prefix(bytes.count / 2))
    } catch {
      throw .key(.crypto(error))
    }
  }
}
