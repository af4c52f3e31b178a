import GarlandJSON

extension JSONWebToken {
  /// The requirements that the claims of a token must meet.
  public struct Expectations: Sendable, Hashable {
    /// The required issuer; nil for any.
    var issuer: String?
    /// The name that the audience must contain; nil for any audience.
    var audience: String?
    /// The required value of the claim `sub` (subject); nil if any value is accepted.
    var subject: String?
    /// The required value of the claim `nonce`: the nonce of the request for the token; nil if any value is accepted.
    var nonce: String?
    /// The current time, in seconds since 1970.
    var now: Double
    /// The permitted difference between the clocks of the issuer and this machine, in seconds: 60 by default.
    var skew: Double
    /// The maximum age of the token according to `iat`, in seconds; nil for any age.
    var maximumAge: Double?
    /// The claims that must be present, with any value: `exp` by default.
    var required: [String]

    /// Creates requirements for a token. A parameter that is nil sets no requirement.
    public init(
      issuer: String? = nil, audience: String? = nil, subject: String? = nil, nonce: String? = nil, now: Double, skew: Double = 60,
      maximumAge: Double? = nil, required: [String] = ["exp"]
    ) {
      self.issuer = issuer
      self.audience = audience
      self.subject = subject
      self.nonce = nonce
      self.now = now
      self.skew = skew
      self.maximumAge = maximumAge
      self.required = required
    }
  }

  /// Checks the claims (RFC 7519 section 4.1, OpenID Connect Core section 3.1.3.7), but not the signature. Throws an error for the first
  /// claim that is missing or does not meet an expectation.
  public func check(_ expected: Expectations) throws(TokenError) {
    for claim in expected.required where claims[claim] == nil { throw .missing(claim: claim) }
    try check("iss", is: expected.issuer)
    try check("sub", is: expected.subject)
    if let wanted = expected.audience {
      guard let value = claims["aud"] else { throw .missing(claim: "aud") }
      guard audience.contains(wanted) else { throw .wrong(claim: "aud", found: value.jsonText(), expected: "\"\(wanted)\"") }
    }
    try check("nonce", is: expected.nonce)
    try checkTimes(expected)
  }

  private func checkTimes(_ expected: Expectations) throws(TokenError) {
    if let expiry = try time("exp"), expected.now >= expiry + expected.skew {
      throw .expired(secondsAgo: Int((expected.now - expiry).rounded()))
    }
    if let start = try time("nbf"), expected.now < start - expected.skew {
      throw .notYetValid(inSeconds: Int((start - expected.now).rounded()))
    }
    guard let issued = try time("iat") else {
      if expected.maximumAge != nil { throw .missing(claim: "iat") }
      return
    }
    if issued > expected.now + expected.skew { throw .issuedInFuture(bySeconds: Int((issued - expected.now).rounded())) }
    if let limit = expected.maximumAge, expected.now - issued > limit + expected.skew {
      throw .tooOld(seconds: Int((expected.now - issued).rounded()), allowed: Int(limit))
    }
  }

  private func check(_ claim: String, is wanted: String?) throws(TokenError) {
    guard let wanted else { return }
    guard let value = claims[claim] else { throw .missing(claim: claim) }
    guard value == .string(wanted) else { throw .wrong(claim: claim, found: value.jsonText(), expected: "\"\(wanted)\"") }
  }
}
