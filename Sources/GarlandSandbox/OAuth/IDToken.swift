import GarlandCrypto
import GarlandJSON
import GarlandText

/// Creates ID tokens about a user who has logged in (OpenID Connect Core, section 2).
struct IDToken {
  let issuer: String
  let user: String
  let client: String
  let nonce: String?
  let authenticated: Int?
  let access: String

  /// Returns the signed ID token. It contains a mistake if the provider's settings request one for a test.
  func signed(_ tenant: TenantState) throws(OAuthError) -> String {
    let settings = tenant.provider.settings
    let fault = settings.idTokenFault
    let algorithm = fault == .key ? "ES256" : settings.algorithm
    let shift = fault == .expired ? -7200 : fault == .future ? 7200 : 0
    let now = tenant.date + shift
    var claims: JSONObject = [
      "iss": .string(fault == .issuer ? "https://other.example" : issuer), "sub": .string(user),
      "aud": .string(fault == .audience ? "other" : client), "iat": JSONValue(now), "exp": JSONValue(now + 600),
      "auth_time": JSONValue(authenticated ?? now), "preferred_username": .string(user), "email": .string("\(user)@example.com"),
      "at_hash": .string(try hash(algorithm, of: fault == .hash ? "another" : access)),
    ]
    if let nonce { claims["nonce"] = .string(fault == .nonce ? "another" : nonce) }
    if fault == .unsigned {
      return "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(Base64URL.encode(JSONValue.object(claims).jsonBytes()))."
    }
    do throws(TokenError) {
      let token = try ProviderKeys.sign(claims, algorithm, forged: fault == .key)
      guard fault == .signature else { return token }
      // The token was signed for one user, and then changed to name another user.
      claims["sub"] = "mallory"
      var parts = token.split(separator: ".").map { String($0) }
      parts[1] = Base64URL.encode(JSONValue.object(claims).jsonBytes())
      return parts.joined(separator: ".")
    } catch {
      throw OAuthError("server_error", "\(error)")
    }
  }

  /// Returns the left half of the digest of a token, in base64url. The digest is computed with the hash algorithm of the signature of the
  /// ID token (OpenID Connect Core, section 3.1.3.6).
  private func hash(_ algorithm: String, of token: String) throws(OAuthError) -> String {
    guard let digest = try? Digest(of: token.utf8, using: algorithm == "EdDSA" ? .sha512 : .sha256) else {
      throw OAuthError("server_error", "the token cannot be digested")
    }
    return Base64URL.encode(digest.bytes.prefix(digest.bytes.count / 2))
  }
}
