import GarlandCrypto
import GarlandJSON
import Testing

@Suite struct JSONWebTokenTests {
  static let now = 1_700_000_000.0

  static func token(_ claims: JSONObject) throws -> JSONWebToken {
    let key = JSONWebKey(.secret(Array(repeating: 7, count: 32)))
    return try JSONWebToken(JSONWebToken(signing: claims, algorithm: .hs256, key: key).compact)
  }

  static func expectations() -> JSONWebToken.Expectations {
    JSONWebToken.Expectations(issuer: "https://id.example", audience: "app", nonce: "n", now: now, maximumAge: 3600)
  }

  static let valid: JSONObject = [
    "iss": "https://id.example", "aud": ["other", "app"], "nonce": "n", "exp": 1_700_000_100, "iat": 1_700_000_000, "sub": "alice",
  ]

  static let cases: [(String, JSONValue?, TokenError?)] = [
    ("sub", "bob", nil),
    ("aud", "app", nil),
    ("exp", 1_699_999_941, nil),
    ("exp", 1_699_999_940, .expired(secondsAgo: 60)),
    ("exp", 1_600_000_000, .expired(secondsAgo: 100_000_000)),
    ("exp", nil, .missing(claim: "exp")),
    ("exp", "soon", .malformed("exp is not a time")),
    ("nbf", 1_700_000_060, nil),
    ("nbf", 1_700_000_061, .notYetValid(inSeconds: 61)),
    ("iat", 1_700_000_061, .issuedInFuture(bySeconds: 61)),
    ("iat", 1_699_990_000, .tooOld(seconds: 10_000, allowed: 3600)),
    ("iat", nil, .missing(claim: "iat")),
    ("iss", "https://id.example/", .wrong(claim: "iss", found: "\"https://id.example/\"", expected: "\"https://id.example\"")),
    ("iss", nil, .missing(claim: "iss")),
    ("aud", ["other"], .wrong(claim: "aud", found: "[\"other\"]", expected: "\"app\"")),
    ("aud", nil, .missing(claim: "aud")),
    ("nonce", "m", .wrong(claim: "nonce", found: "\"m\"", expected: "\"n\"")),
    ("nonce", nil, .missing(claim: "nonce")),
  ]

  @Test(arguments: cases)
  func `in a JSON Web Token, each invalid or missing claim gives the error for this claim`(
    claim: String, value: JSONValue?, error: TokenError?
  ) throws {
    var claims = Self.valid
    claims[claim] = value
    let token = try Self.token(claims)
    if let error {
      #expect(throws: error) { try token.check(Self.expectations()) }
    } else {
      try token.check(Self.expectations())
    }
  }

  @Test func `a JSON Web Token whose payload is not an object is refused`() throws {
    let token = try Self.token(Self.valid)
    #expect(token.issuer == "https://id.example")
    #expect(token.subject == "alice")
    #expect(token.audience == ["other", "app"])
    #expect(try token.time("exp") == 1_700_000_100)
    #expect(try token.time("nbf") == nil)
    #expect(token.signature.header["typ"] == "JWT")
    #expect(throws: TokenError.self) { try JSONWebToken("e30.W10.AA") }
    #expect(throws: TokenError.self) { try JSONWebToken("e30.AAA.AA") }
  }

  @Test func `the error for an invalid JSON Web Token is a sentence`() {
    #expect(
      "\(TokenError.noKey(keyID: "k1", algorithm: "RS256"))"
        == "the token was signed by a key \"k1\" (RS256), which the issuer has not published")
    #expect("\(TokenError.expired(secondsAgo: 5))" == "the token expired 5 s ago")
    #expect("\(TokenError.key(.unfit(key: "Ed25519", algorithm: "RS256")))" == "a key of type Ed25519 cannot be used with RS256")
  }
}
