import FoundationEssentials
import GarlandAuth
import GarlandCrypto
import GarlandJSON
import GarlandNetworking
import GarlandText
import HTTPTypes
import TestSupport
import Testing

/// Tests OAuth 1.0a with a server that checks every signature with an independent implementation.
@Suite(.timeLimit(.minutes(15))) struct OAuth1ServerTests {
  static let methods = ["HMAC-SHA1", "HMAC-SHA256", "RSA-SHA1", "PLAINTEXT"]

  static func signer(_ method: String) throws -> OAuth1Signer {
    var signer = OAuth1Signer(
      consumerKey: "consumer", consumerSecret: "consumer-secret", token: "token", tokenSecret: "token-secret", realm: "Photos")
    switch method {
    case "HMAC-SHA256": signer.method = .hmacSHA256
    case "PLAINTEXT": signer.method = .plaintext
    case "RSA-SHA1":
      let pem = try String(contentsOfFile: Repository.path("examples/oauth/rsa_signer.pem"), encoding: .utf8)
      signer.method = .rsaSHA1(try PrivateKey(pem: pem))
    default: break
    }
    return signer
  }

  static func send(
    _ signer: OAuth1Signer, _ provider: Provider, query: String = "", form: String? = nil,
    environment: AuthEnvironment = AuthEnvironment(), change: (inout TransferRequest) -> Void = { _ in }
  ) async throws -> (status: Int, body: JSONValue) {
    var request = provider.session.transferRequest("\(provider.url)/oauth1/protected\(query)", method: form == nil ? .get : .post)
    if let form {
      request.headerFields[.contentType] = "application/x-www-form-urlencoded; charset=utf-8"
      request.body = .bytes(Array(form.utf8))
    }
    var signed = try OAuth1Interceptor(signer, environment: environment).signed(request)
    change(&signed)
    let response = try await provider.session.engine.response(for: signed)
    return (response.status.code, (try? JSONValue(parsing: response.bytes)) ?? .null)
  }

  @Test(arguments: methods) func `the test server accepts OAuth 1 signatures of requests with special characters in the query and form`(
    method: String
  ) async throws {
    try await withProvider { provider in
      let signer = try Self.signer(method)
      let requests: [(String, String?)] = [
        ("", nil), ("?b=2&a=1&a=0", nil), ("?q=%C3%A4+b%2Bc%26d&empty=&flag", nil), ("?z=1", "b5=%3D%253D&a3=a&c%40=&a2=r+b&c2&a3=2+q"),
        ("?tilde=~&sub=%21%27%28%29%2A", "name=Dune%20%26%20more"),
      ]
      for (query, form) in requests {
        let (status, body) = try await Self.send(signer, provider, query: query, form: form)
        #expect(status == 200, "\(method) \(query) \(form ?? ""): \(body.jsonText())")
        #expect(body["user"] == "alice" && body["method"] == .string(method) && body["realm"] == "Photos")
      }
    }
  }

  /// The signature covers the URL, so each redirect needs its own.
  @Test(arguments: methods) func `each redirect gets its own OAuth 1 signature`(method: String) async throws {
    try await withProvider { provider in
      let signer = OAuth1Interceptor(try Self.signer(method))
      for (status, form) in [(302, nil), (303, "a=1&b=2"), (307, "a=1&b=2")] as [(Int, String?)] {
        let target = "/redirect-to?status=\(status)&url=%2Foauth1%2Fprotected%3Fb%3D2%26a%3D1"
        var request = provider.session.transferRequest("\(provider.url)\(target)", method: form == nil ? .get : .post)
        if let form {
          request.headerFields[.contentType] = "application/x-www-form-urlencoded"
          request.body = .bytes(Array(form.utf8))
        }
        let response = try await provider.session.engine.response(for: try signer.signed(request))
        #expect(response.status.code == 200, "\(method) \(status): \(String(decoding: response.bytes, as: UTF8.self))")
        #expect(response.redirects.count == 1)
      }
    }
  }

  /// A request to another origin has no signature. The same applies to a request back to the first origin after
  /// a redirect by another origin.
  @Test func `a redirect to another origin carries no OAuth 1 signature`() async throws {
    try await withProvider { provider in
      try await withProvider { other in
        let signer = OAuth1Interceptor(try Self.signer("HMAC-SHA256"))
        let elsewhere = "/redirect-to?url=" + PercentEncoding.encode("\(other.url)/oauth1/protected")
        var response = try await provider.session.engine.response(
          for: try signer.signed(provider.session.transferRequest("\(provider.url)\(elsewhere)")))
        #expect(response.status.code == 401)
        #expect(response.request.headerFields[.authorization] == nil)
        let back = "\(other.url)/redirect-to?url=" + PercentEncoding.encode("\(provider.url)/oauth1/protected")
        response = try await provider.session.engine.response(
          for: try signer.signed(provider.session.transferRequest("\(provider.url)/redirect-to?url=\(PercentEncoding.encode(back))")))
        #expect(response.url == "\(provider.url)/oauth1/protected" && response.status.code == 401)
        #expect(response.request.headerFields[.authorization] == nil)
      }
    }
  }

  @Test(arguments: methods) func `a wrong OAuth 1 signature is refused`(method: String) async throws {
    try await withProvider { provider in
      func expect(_ words: String, _ found: (status: Int, body: JSONValue)) {
        #expect(found.status == 401 && found.body.jsonText().contains(words), "\(method): \(found.status) \(found.body.jsonText())")
      }
      let good = try Self.signer(method)
      var wrong = good
      if case .rsaSHA1 = good.method {
        wrong.method = .rsaSHA1(try PrivateKey(pem: try await Self.otherKey()))
      } else {
        wrong.consumerSecret = "consumer-secrets"
      }
      expect("the signature is wrong", try await Self.send(wrong, provider))
      wrong = good
      wrong.token = "tokens"
      expect("the token is not known", try await Self.send(wrong, provider))
      wrong = good
      wrong.consumerKey = "somebody"
      expect("the consumer is not known", try await Self.send(wrong, provider))
      guard method != "PLAINTEXT" else { return }
      // Changed requests do not match their signature.
      expect("the signature is wrong", try await Self.send(good, provider, query: "?a=1") { $0.url += "&a=2" })
      expect("the signature is wrong", try await Self.send(good, provider, form: "a=1") { $0.body = .bytes(Array("a=2".utf8)) })
      // The clocks differ by more than the server allows.
      let late = AuthEnvironment(now: { AuthEnvironment.systemTime() + 3600 })
      expect("the timestamp is more than 300 s off", try await Self.send(good, provider, environment: late))
      // The same request is sent again.
      let fixed = AuthEnvironment(randomBytes: { (count) throws(CryptoError) in [UInt8](repeating: 7, count: count) })
      let now = AuthEnvironment.systemTime()
      var still = fixed
      still.now = { now }
      #expect(try await Self.send(good, provider, environment: still).status == 200)
      expect("the nonce was used before", try await Self.send(good, provider, environment: still))
      if method != "RSA-SHA1" {
        wrong = good
        wrong.tokenSecret = "token-secrets"
        expect("the signature is wrong", try await Self.send(wrong, provider))
      }
    }
  }

  private static func otherKey() async throws -> String {
    let result = try await ChildProcess.run("/usr/bin/openssl", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
    try #require(result.status == 0)
    return result.output
  }
}
