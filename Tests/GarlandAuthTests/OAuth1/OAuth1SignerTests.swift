import GarlandCrypto
import GarlandNetworking
import GarlandText
import Testing

@testable import GarlandAuth

@Suite struct OAuth1SignerTests {
  struct Example: Sendable {
    let method: String
    let url: String
    let token: String?
    let tokenSecret: String
    let parameters: [(name: String, value: String)]
    let timestamp: Int
    let nonce: String
    let signature: String
  }

  /// The examples are in RFC 5849 section 1.2.
  static let published = [
    Example(
      method: "POST", url: "https://photos.example.net/initiate", token: nil, tokenSecret: "",
      parameters: [("oauth_callback", "http://printer.example.com/ready")], timestamp: 137_131_200, nonce: "wIjqoS",
      signature: "74KNZJeDHnMBp0EMJ9ZHt/XKycU="),
    Example(
      method: "POST", url: "https://photos.example.net/token", token: "hh5s93j4hdidpola", tokenSecret: "hdhd0244k9j7ao03",
      parameters: [("oauth_verifier", "hfdp7dh39dks9884")], timestamp: 137_131_201, nonce: "walatlh",
      signature: "gKgrFCywp7rO0OXSjdot/IHF7IU="),
    Example(
      method: "GET", url: "http://photos.example.net/photos?file=vacation.jpg&size=original", token: "nnch734d00sl2jdk",
      tokenSecret: "pfkkdhi9sl3r4s00", parameters: [], timestamp: 137_131_202, nonce: "chapoH", signature: "MdpQcU8iPSUjWoN/UDMsK2sui9I="),
  ]

  @Test(arguments: published) func `the example requests of RFC 5849 get the OAuth 1 signatures that the RFC states`(example: Example)
    throws
  {
    var signer = OAuth1Signer(
      consumerKey: "dpf43f3p2l4k3l03", consumerSecret: "kd94hf93k423kf44", token: example.token, tokenSecret: example.tokenSecret,
      realm: "Photos")
    signer.sendsVersion = false
    signer.parameters = example.parameters
    let field = try signer.authorization(
      method: example.method, url: example.url, form: [], timestamp: example.timestamp, nonce: example.nonce)
    #expect(field.hasPrefix("OAuth realm=\"Photos\", oauth_consumer_key=\"dpf43f3p2l4k3l03\", "))
    #expect(field.hasSuffix("oauth_signature=\"\(PercentEncoding.encode(example.signature))\""))
  }

  /// The expected values are the base string of RFC 5849 section 3.4.1.1, and the signature of its erratum
  /// 2550.
  @Test func `the OAuth 1 signature base string equals the example of RFC 5849`() throws {
    let parameters = [
      ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"), ("oauth_signature_method", "HMAC-SHA1"),
      ("oauth_timestamp", "137131201"), ("oauth_nonce", "7d8f3e4a"), ("c2", ""), ("a3", "2 q"),
    ]
    let url = "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"
    #expect(
      try OAuth1Signer.baseString(method: "post", url: url, parameters: parameters)
        == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_con"
        + "sumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_"
        + "token%3Dkkk9d7dh3k39sjv7")
    var signer = OAuth1Signer(
      consumerKey: "9djdj82h48djs9d2", consumerSecret: "j49sk3j29djd", token: "kkk9d7dh3k39sjv7", tokenSecret: "dh893hdasih9")
    signer.sendsVersion = false
    let field = try signer.authorization(
      method: "POST", url: url, form: [("c2", ""), ("a3", "2 q")], timestamp: 137_131_201, nonce: "7d8f3e4a")
    #expect(field.contains("oauth_signature=\"r6%2FTJjbCOr97%2F%2BUU0NsvSne7s5g%3D\""))
  }

  @Test func `a port other than the default is part of the OAuth 1 signature base string`() throws {
    #expect(
      try OAuth1Signer.baseString(method: "GET", url: "https://www.example.net:8080/?q=1", parameters: [])
        == "GET&https%3A%2F%2Fwww.example.net%3A8080%2F&q%3D1")
    #expect(throws: OAuthError.self) { try OAuth1Signer.baseString(method: "GET", url: "/relative", parameters: []) }
  }

  @Test func `OAuth 1 signatures with PLAINTEXT, HMAC-SHA256 and RSA-SHA1 match their specification`() throws {
    var signer = OAuth1Signer(consumerKey: "k", consumerSecret: "c&s", token: "t", tokenSecret: "t s", method: .plaintext)
    let plain = try signer.authorization(method: "GET", url: "https://a.example/", form: [], timestamp: 1, nonce: "n")
    #expect(plain.hasSuffix("oauth_signature=\"c%2526s%26t%2520s\""))
    #expect(!plain.contains("oauth_nonce"))
    signer.method = .hmacSHA256
    let field = try signer.authorization(method: "GET", url: "https://a.example/", form: [], timestamp: 1, nonce: "n")
    let base =
      "GET&https%3A%2F%2Fa.example%2F&oauth_consumer_key%3Dk%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA256%26oauth_timestamp%3D1%26"
      + "oauth_token%3Dt%26oauth_version%3D1.0"
    let expected = Base64.encode(try HMAC.authenticate(base.utf8, key: "c%26s&t%20s".utf8, using: .sha256).bytes)
    #expect(field.contains(PercentEncoding.encode(expected)))
    let key = try PrivateKey.generate(.rsa(bits: 2048))
    signer.method = .rsaSHA1(key)
    let signed = try signer.authorization(method: "GET", url: "https://a.example/", form: [], timestamp: 1, nonce: "n")
    let text = try #require(signed.firstMatch(of: #/oauth_signature="([^"]*)"/#)?.1)
    let signature = try Base64.decode(PercentEncoding.text(decoding: text))
    let message = Array(base.replacing("HMAC-SHA256", with: "RSA-SHA1").utf8)
    #expect(try key.publicKey.isValid(signature, for: message, using: .rsaPKCS1(.sha1)))
    signer.method = .rsaSHA1(try .generate(.ed25519))
    #expect(throws: OAuthError.self) {
      try signer.authorization(method: "GET", url: "https://a.example/", form: [], timestamp: 1, nonce: "n")
    }
  }

  @Test func `a form body is part of the OAuth 1 signature, but a body of any other type is not`() throws {
    let environment = AuthEnvironment(now: { 7 }, randomBytes: { Array(repeating: 1, count: $0) })
    var signer = OAuth1Signer(consumerKey: "k", consumerSecret: "s")
    signer.sendsVersion = false
    let interceptor = OAuth1Interceptor(signer, environment: environment)
    var request = TransferRequest(url: "https://a.example/x", method: .post)
    request.headerFields[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
    request.body = .bytes(Array("a=b+c".utf8))
    let field = try interceptor.signed(request).headerFields[.authorization]
    let nonce = Base64URL.encode([UInt8](repeating: 1, count: 16))
    #expect(
      try field == signer.authorization(method: "POST", url: "https://a.example/x", form: [("a", "b c")], timestamp: 7, nonce: nonce))
    request.headerFields[.contentType] = "text/plain"
    #expect(
      try interceptor.signed(request).headerFields[.authorization]
        == signer.authorization(method: "POST", url: "https://a.example/x", form: [], timestamp: 7, nonce: nonce))
  }
}
