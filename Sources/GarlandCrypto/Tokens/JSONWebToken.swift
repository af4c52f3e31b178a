import GarlandJSON

/// A signed set of claims (RFC 7519).
///
/// ```swift
/// let token = try JSONWebToken(text)
/// try token.signature.verify(with: keys, accepting: [.rs256])
/// try token.check(JSONWebToken.Expectations(issuer: "https://id.example.com", audience: "app", now: now))
/// ```
public struct JSONWebToken: Sendable {
  /// The token as a JSON Web Signature, whose payload contains the claims.
  public let signature: JSONWebSignature
  /// The claims. Do not trust them before the signature has been verified.
  public let claims: JSONObject

  /// Parses a token. Does not check its signature.
  public init(_ compact: some StringProtocol) throws(TokenError) {
    try self.init(try JSONWebSignature(compact))
  }

  /// Parses the payload of a JSON Web Signature as claims. Does not check the signature.
  init(_ signature: JSONWebSignature) throws(TokenError) {
    let value: JSONValue
    do throws(JSONParsingError) {
      value = try JSONValue(parsing: signature.payload, options: JSONParsingOptions(maximumDepth: 64, duplicateKeys: .error))
    } catch {
      throw .malformed("its claims are not JSON (\(error.message))")
    }
    guard case .object(let claims) = value else { throw .malformed("its claims are not a JSON object") }
    self.signature = signature
    self.claims = claims
  }

  /// Creates a token by signing claims. The `typ` of its header is `type`.
  public init(signing claims: JSONObject, algorithm: SignatureAlgorithm, key: JSONWebKey, type: String = "JWT") throws(TokenError) {
    signature = try JSONWebSignature(
      signing: JSONValue.object(claims).jsonBytes(), algorithm: algorithm, key: key, header: ["typ": .string(type)])
    self.claims = claims
  }

  /// The token as text.
  public var compact: String { signature.compact }

  /// The issuer (`iss`); nil if it is missing or not text.
  public var issuer: String? { claims["iss"]?.stringValue }

  /// The user or service that the token is about: the claim `sub`; nil if it is missing or not text.
  public var subject: String? { claims["sub"]?.stringValue }

  /// The audience (`aud`). A single name becomes a list with one element.
  public var audience: [String] {
    if let one = claims["aud"]?.stringValue { return [one] }
    return claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Returns the value of a time claim (`exp`, `nbf`, `iat`, `auth_time`), in seconds since 1970; nil
  /// if the claim is missing. Throws if it is not a number.
  public func time(_ claim: String) throws(TokenError) -> Double? {
    guard let value = claims[claim] else { return nil }
    guard let seconds = value.doubleValue, seconds.isFinite, abs(seconds) < 1e15 else { throw .malformed("\(claim) is not a time") }
    return seconds
  }
}
