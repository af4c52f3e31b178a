import GarlandJSON

/// A signed set of claims (RFC 7519).
///
/// ```swift
/// let token = try JSONWebToken(text)
/// try token.signature.verify(with: keys, accepting: [.rs256])
/// try token.check(JSONWebToken.Expectations(issuer: "https://id.example.com", audience: "app", now: now))
/// ```
public struct JSONWebToken: Sendable {
  /// The signed whole.
  public let signature: JSONWebSignature
  /// The claims. Until the signature was verified, they are only what somebody claims.
  public let claims: JSONObject

  /// Reads a token, without checking its signature.
  public init(_ compact: some StringProtocol) throws(TokenError) {
    try self.init(try JSONWebSignature(compact))
  }

  /// The token in a signed whole.
  public init(_ signature: JSONWebSignature) throws(TokenError) {
    let value: JSONValue
    do throws(JSONParsingError) {
      value = try JSONValue(parsing: signature.payload, options: JSONParsingOptions(maximumDepth: 64, duplicateKeys: .error))
    } catch {
      throw .malformed("its claims are not JSON (\(error.message))")
    }
    guard case .object(let claims) = value else { throw .malformed("its claims are no JSON object") }
    self.signature = signature
    self.claims = claims
  }

  /// Signs claims. The header says `typ` `JWT` unless `type` is another.
  public init(signing claims: JSONObject, algorithm: SignatureAlgorithm, key: JSONWebKey, type: String = "JWT") throws(TokenError) {
    signature = try JSONWebSignature(
      signing: JSONValue.object(claims).jsonBytes(), algorithm: algorithm, key: key, header: ["typ": .string(type)])
    self.claims = claims
  }

  /// The token as text.
  public var compact: String { signature.compact }

  /// `iss`, if it is text.
  public var issuer: String? { claims["iss"]?.stringValue }

  /// `sub`, if it is text.
  public var subject: String? { claims["sub"]?.stringValue }

  /// `aud`: a name alone is a list of one.
  public var audience: [String] {
    if let one = claims["aud"]?.stringValue { return [one] }
    return claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// A time among the claims (`exp`, `nbf`, `iat`, `auth_time`), in seconds since 1970; nil when there is none. Throws when it is no number.
  public func time(_ claim: String) throws(TokenError) -> Double? {
    guard let value = claims[claim] else { return nil }
    guard let seconds = value.doubleValue, seconds.isFinite, abs(seconds) < 1e15 else { throw .malformed("\(claim) is no time") }
    return seconds
  }
}
