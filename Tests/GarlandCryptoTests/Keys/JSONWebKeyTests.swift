import GarlandJSON
import Testing

@testable import GarlandCrypto

@Suite struct JSONWebKeyTests {
  static let privateKeys = [
    PublishedKeys.rsa, PublishedKeys.rsaWithoutPrimes, PublishedKeys.p256, PublishedKeys.p521, PublishedKeys.ed25519,
  ]

  @Test(arguments: privateKeys + [PublishedKeys.secret, PublishedKeys.thumbprinted])
  func `a JSON Web Key that is written and read again is unchanged`(
    text: String
  ) throws {
    let key = try JSONWebKey(parsing: text)
    #expect(try JSONValue.object(key.json()) == JSONValue(parsing: text))
  }

  @Test(arguments: privateKeys) func `a public JSON Web Key that is derived from a private key has no private members`(text: String) throws
  {
    let open = try #require(try JSONWebKey(parsing: text).publicKey).json()
    for name in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(open[name] == nil) }
    #expect(try JSONWebKey(.object(open)).publicKey != nil)
  }

  @Test(
    arguments: [
      (PublishedKeys.rsa, PublishedKeys.rsaPEM, PublishedKeys.rsaPublicPEM),
      (PublishedKeys.p256, PublishedKeys.p256PEM, PublishedKeys.p256PublicPEM),
      (PublishedKeys.p521, PublishedKeys.p521PEM, PublishedKeys.p521PublicPEM),
      (PublishedKeys.ed25519, PublishedKeys.ed25519PEM, PublishedKeys.ed25519PublicPEM),
    ])
  func `a key that is read from PEM equals the same key that is read from JSON`(text: String, pem: String, publicPEM: String) throws {
    let key = try JSONWebKey(parsing: text)
    #expect(try JSONWebKey(.privateKey(PrivateKey(pem: pem))).json() == key.json())
    #expect(try JSONWebKey(.publicKey(PublicKey(pem: publicPEM))).json() == #require(key.publicKey).json())
  }

  @Test func `a signature made with a generated key is valid only for its message`() throws {
    let kinds: [(PrivateKey.Kind, SignatureScheme)] = [
      (.rsa(bits: 2048), .rsaPSS(.sha256)), (.ellipticCurve(.p256), .ecdsa(.sha256)), (.ellipticCurve(.p384), .ecdsa(.sha384)),
      (.ellipticCurve(.p521), .ecdsa(.sha512)), (.ed25519, .ed25519),
    ]
    for (kind, scheme) in kinds {
      let key = try PrivateKey.generate(kind)
      let message = Array("message".utf8)
      let signature = try key.signature(of: message, using: scheme)
      #expect(try key.publicKey.isValid(signature, for: message, using: scheme))
      #expect(try !key.publicKey.isValid(signature, for: message + [0], using: scheme))
      var changed = signature
      changed[changed.count / 2] ^= 1
      #expect(try !key.publicKey.isValid(changed, for: message, using: scheme))
      #expect(try !key.publicKey.isValid([], for: message, using: scheme))
      #expect(try !key.publicKey.isValid(signature + [0], for: message, using: scheme))
    }
  }

  @Test func `a private key refuses a signature algorithm that belongs to a different type of key`() throws {
    let key = try PrivateKey.generate(.ed25519)
    #expect(throws: KeyError.unfit(key: "Ed25519", algorithm: "RSA with SHA-256")) {
      try key.signature(of: [], using: .rsaPKCS1(.sha256))
    }
    #expect(throws: KeyError.unsupported("an RSA key of 1024 bits")) { try PrivateKey.generate(.rsa(bits: 1024)) }
  }

  static let refused: [(String, KeyError)] = [
    ("[]", .malformed("a JSON Web Key is an object")),
    ("{}", .malformed("kty is missing")),
    (#"{"kty": "DSA"}"#, .unsupported("the key type DSA")),
    (#"{"kty": "EC", "crv": "secp256k1", "x": "", "y": ""}"#, .unsupported("the curve secp256k1")),
    (#"{"kty": "EC", "crv": "P-256", "x": "AQAB", "y": "AQAB"}"#, .malformed("x has to be 32 bytes")),
    (
      #"{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}"#,
      .malformed("its numbers are not a valid EC key")
    ),
    (
      #"{"kty": "OKP", "crv": "Ed25519", "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "x": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"}"#,
      .malformed("its private and public numbers do not match")
    ),
    (
      #"{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", "d": "kpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}"#,
      .malformed("its private and public numbers do not match")
    ),
    (#"{"kty": "RSA", "n": "AQAB=", "e": "AQAB"}"#, .malformed("n is not base64url")),
    (#"{"kty": "oct"}"#, .malformed("k is missing")),
    (#"{"kty": "oct", "k": "AA", "kid": 1}"#, .malformed("kid has to be a string")),
  ]

  @Test(arguments: refused) func `a malformed or unsupported JSON Web Key is refused`(text: String, error: KeyError) {
    #expect(throws: error) { try JSONWebKey(parsing: text) }
  }

  @Test func `a JSON Web Key with a duplicate member is refused`() {
    #expect(throws: KeyError.self) { try JSONWebKey(parsing: #"{"kty": "oct", "k": "AA", "k": "AQ"}"#) }
  }

  @Test func `an encrypted private key in PEM can be read only with its passphrase`() throws {
    // Made by `openssl genpkey -algorithm ed25519 -aes-256-cbc -pass pass:sesame`.
    let text = """
      -----BEGIN ENCRYPTED PRIVATE KEY-----
      MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgHDIb74OgFngICCAAw
      DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEI0uQggvg3ausyLtWiSLpEIEQIZe
      yFHBJmLCu768lIqyiRTwBp2SiaX2zqj9z4YqBFZrM+3oGy0inde52KhZGdzqAAk+
      FhaSoH1DY5DfY0niSUw=
      -----END ENCRYPTED PRIVATE KEY-----
      """
    #expect(throws: KeyError.passphraseNeeded) { try PrivateKey(pem: text) }
    #expect(throws: KeyError.wrongPassphrase) { try PrivateKey(pem: text, passphrase: "open") }
    #expect(try PrivateKey(pem: text, passphrase: "sesame").type == .ed25519)
    #expect(throws: KeyError.self) { try PrivateKey(pem: "nothing") }
    #expect(throws: KeyError.self) { try PublicKey(pem: text) }
  }

  @Test func `the public key of a PEM certificate can be read`() throws {
    let text = """
      -----BEGIN CERTIFICATE-----
      MIIBdTCCARugAwIBAgIUQMiH8YRs94M6QTUbPgEkYo+QOE8wCgYIKoZIzj0EAwIw
      DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjEwNzMzNTdaGA8yMTI2MTAyODA3MzM1
      N1owDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABOuw
      yW1Tees2qknbx5YQQ2auf1GCaycXWWlw4fuc2RuGcPK2i1dv2JY7QvO8J13kGLxQ
      upnXC//mbgs32XMaJzmjUzBRMB0GA1UdDgQWBBSpUOjCX+8lDGdVAbQ7vz8YExoi
      AjAfBgNVHSMEGDAWgBSpUOjCX+8lDGdVAbQ7vz8YExoiAjAPBgNVHRMBAf8EBTAD
      AQH/MAoGCCqGSM49BAMCA0gAMEUCIFs8PA6c+MyeYTzioR7J++Stnh4lzbec7Y0W
      slPOWedRAiEA4JmCZHMAhE9A6A8R1Ib2Twd3uFwksw/AnjveN7Wanxo=
      -----END CERTIFICATE-----
      """
    #expect(try PublicKey(pem: text).type == .ellipticCurve(.p256))
  }

  @Test func `the description of a JSON Web Key contains no secret`() throws {
    for text in Self.privateKeys + [PublishedKeys.secret] {
      let key = try JSONWebKey(parsing: text)
      #expect("\(key)".count < 40)
      #expect("\(key.material)".count < 300 || !"\(key)".contains("AyM1"))
    }
  }

  @Test func `the published form of a JSON Web Key Set contains neither shared secrets nor keys of unknown types`() throws {
    let set = try JSONWebKeySet(
      JSONValue(
        parsing: """
          {"keys": [{"kty": "future"}, \(PublishedKeys.thumbprinted), \(PublishedKeys.secret), \(PublishedKeys.p256), 7]}
          """))
    #expect(set.keys.count == 3)
    #expect(set.candidates(keyID: "2011-04-29", algorithm: .rs256).count == 1)
    #expect(set.candidates(keyID: "2011-04-29", algorithm: .ps256).isEmpty, "its alg says RS256")
    #expect(set.candidates(keyID: "other", algorithm: .rs256).isEmpty)
    #expect(set.candidates(keyID: nil, algorithm: .es256).count == 1)
    #expect(set.candidates(keyID: nil, algorithm: .es384).isEmpty)
    let published = try set.published()
    #expect(published["keys"]?.arrayValue?.count == 2, "a shared secret is never published")
    #expect(!published.jsonText().contains("\"d\""))
    #expect(throws: KeyError.self) { try JSONWebKeySet(["keys": 1]) }
  }
}
