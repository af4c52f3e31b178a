import GarlandJSON
import GarlandText
import TestSupport
import Testing

@testable import GarlandCrypto

@Suite struct JSONWebSignatureTests {
  static let claims = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
  /// The examples of RFC 7515 appendix A.1 to A.4 and RFC 8037 appendix A.4: the algorithm, the key, the signed
  /// token, and whether the same input always gives the same signature.
  static let published: [(SignatureAlgorithm, String, String, Bool)] = [
    (
      .hs256, PublishedKeys.secret,
      "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(claims).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", true
    ),
    (
      .rs256, PublishedKeys.rsa,
      "eyJhbGciOiJSUzI1NiJ9.\(claims).cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds"
        + "9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwu"
        + "sC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw", true
    ),
    (
      .es256, PublishedKeys.p256,
      "eyJhbGciOiJFUzI1NiJ9.\(claims).DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q", false
    ),
    (
      .es512, PublishedKeys.p521,
      "eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA.AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCA"
        + "PZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn", false
    ),
    (
      .edDSA, PublishedKeys.ed25519,
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVv"
        + "pAr_MuM0KAg", true
    ),
  ]

  @Test(arguments: published) func `the signatures of the JSON Web Signature examples in RFC 7515 and RFC 8037 are valid`(
    algorithm: SignatureAlgorithm, key: String, text: String, isSteady: Bool
  )
    throws
  {
    let key = try JSONWebKey(parsing: key)
    let received = try JSONWebSignature(text)
    #expect(try received.algorithm() == algorithm)
    try received.verify(with: key, accepting: [algorithm])
    if let open = key.publicKey { try received.verify(with: open, accepting: [algorithm]) }

    let headerBytes = try Base64URL.decode(String(text.prefix { $0 != "." }))
    let signed = try JSONWebSignature(
      signing: received.payload, headerBytes: headerBytes, header: received.header, algorithm: algorithm, key: key)
    #expect((signed.compact == text) == isSteady)
    try JSONWebSignature(signed.compact).verify(with: key, accepting: [algorithm])

    #expect(throws: TokenError.algorithmNotAccepted(algorithm.rawValue)) { try received.verify(with: key, accepting: []) }
  }

  @Test(arguments: published) func `if one byte of a JSON Web Signature example from an RFC is changed, the signature is refused`(
    algorithm: SignatureAlgorithm, key: String, text: String, isSteady: Bool
  ) throws {
    let key = try JSONWebKey(parsing: key)
    var generator = SeededRandom(seed: 7)
    for _ in 0..<40 {
      var bytes = Array(text.utf8)
      let index = Int(generator.next() % UInt64(bytes.count))
      bytes[index] = bytes[index] == 0x41 ? 0x42 : 0x41
      let changed = String(decoding: bytes, as: UTF8.self)
      #expect(throws: TokenError.self, "\(changed)") { try JSONWebSignature(changed).verify(with: key, accepting: [algorithm]) }
    }
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func `a JSON Web Signature of each algorithm is accepted with its own key and refused with another key`(
    algorithm: SignatureAlgorithm
  )
    throws
  {
    let key: JSONWebKey =
      switch algorithm {
      case .hs256, .hs384, .hs512: try JSONWebKey(parsing: PublishedKeys.secret)
      case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: try JSONWebKey(parsing: PublishedKeys.rsa)
      case .es256: try JSONWebKey(parsing: PublishedKeys.p256)
      case .es384: JSONWebKey(.privateKey(try .generate(.ellipticCurve(.p384))))
      case .es512: try JSONWebKey(parsing: PublishedKeys.p521)
      case .edDSA: try JSONWebKey(parsing: PublishedKeys.ed25519)
      }
    var named = key
    named.keyID = "one"
    let token = try JSONWebSignature(signing: Array("text".utf8), algorithm: algorithm, key: named, header: ["typ": "x", "alg": "none"])
    #expect(token.header == ["alg": .string(algorithm.rawValue), "kid": "one", "typ": "x"])
    let received = try JSONWebSignature(token.compact)
    try received.verify(with: JSONWebKeySet([key, named]), accepting: [algorithm])
    var other = key
    other.keyID = "two"
    #expect(throws: TokenError.noKey(keyID: "one", algorithm: algorithm.rawValue)) {
      try received.verify(with: JSONWebKeySet([other]), accepting: [algorithm])
    }
  }

  /// A known attack: the token is signed with the public key as if it were a shared secret.
  @Test func `a signed token is refused if its signature is an HMAC with the public key as the secret`() throws {
    let open = try #require(try JSONWebKey(parsing: PublishedKeys.rsa).publicKey)
    let forged = try JSONWebSignature(
      signing: Array("{}".utf8), algorithm: .hs256, key: JSONWebKey(.secret(Array(PublishedKeys.rsaPublicPEM.utf8))))
    #expect(throws: TokenError.noKey(keyID: nil, algorithm: "HS256")) { try forged.verify(with: open, accepting: [.rs256, .hs256]) }
    #expect(throws: TokenError.algorithmNotAccepted("HS256")) { try forged.verify(with: open, accepting: [.rs256]) }
    let unsigned = try JSONWebSignature("\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).e30.")
    #expect(throws: TokenError.algorithmNotAccepted("none")) {
      try unsigned.verify(with: open, accepting: Set(SignatureAlgorithm.allCases))
    }
    #expect(throws: TokenError.self) { try JSONWebSignature(signing: [], algorithm: .rs256, key: open) }
    #expect(throws: TokenError.self) { try JSONWebSignature(signing: [], algorithm: .hs256, key: open) }
    #expect(throws: TokenError.self) {
      try JSONWebSignature(signing: [], algorithm: .rs256, key: JSONWebKey(parsing: PublishedKeys.secret))
    }
  }

  @Test func `a JSON Web Signature with an unknown critical extension is refused`() throws {
    let key = try JSONWebKey(parsing: PublishedKeys.secret)
    let token = try JSONWebSignature(signing: [], algorithm: .hs256, key: key, header: ["crit": ["b64"], "b64": false])
    #expect(throws: TokenError.self) { try token.verify(with: key, accepting: [.hs256]) }
  }

  static let malformed = ["", "a", "a.b", "a.b.c.d", "!.e30.AA", "e30.e30.A", "e30=.e30.AA", "W10.e30.AA", "eyJhIjoxLCJhIjoyfQ.e30.AA"]

  @Test(arguments: malformed) func `a malformed JSON Web Signature is refused`(text: String) {
    #expect(throws: TokenError.self) { try JSONWebSignature(text) }
  }
}
