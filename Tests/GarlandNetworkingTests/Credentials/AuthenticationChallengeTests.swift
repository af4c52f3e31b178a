import HTTPTypes
import TestSupport
import Testing

@testable import GarlandNetworking
@testable import GarlandTransfer

@Suite(.timeLimit(.minutes(15))) struct AuthenticationChallengeTests {
  private func parse(_ values: String...) -> [String] {
    var fields = HTTPFields()
    for value in values { fields.append(HTTPField(name: .wwwAuthenticate, value: value)) }
    return AuthenticationChallenge.all(in: fields).map { challenge in
      ([challenge.scheme] + (challenge.token.map { ["<\($0)>"] } ?? []) + challenge.parameters.map { "\($0.name)=\($0.value)" })
        .joined(separator: "|")
    }
  }

  @Test(arguments: [
    // RFC 9110, section 11.6.1.
    (
      #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
      ["Basic|realm=simple", #"Newauth|realm=apps|type=1|title=Login to "apps""#]
    ),
    ("Negotiate", ["Negotiate"]), ("Negotiate, NTLM", ["Negotiate", "NTLM"]), ("NTLM TlRMTVNTUAACAA==", ["NTLM|<TlRMTVNTUAACAA==>"]),
    ("Negotiate YII=, Basic realm=x", ["Negotiate|<YII=>", "Basic|realm=x"]), ("Basic realm = \"a, b\" , x = y", ["Basic|realm=a, b|x=y"]),
    ("Digest realm=\"\", nonce=abc,, qop=\"auth,auth-int\"", ["Digest|realm=|nonce=abc|qop=auth,auth-int"]),
    (", ,Basic realm=a,,", ["Basic|realm=a"]), ("", []), (",", []), ("realm=x", []), ("\"quoted\" Basic, Bearer", ["Bearer"]),
    ("Basic realm=\"open", ["Basic|realm=open"]), ("Basic realm=\"a\\", ["Basic|realm=a\\"]), ("Bearer error=", ["Bearer|<error=>"]),
  ])
  func `a WWW-Authenticate value is parsed into its challenges`(_ value: String, _ expected: [String]) {
    #expect(parse(value) == expected, "\(value)")
  }

  @Test func `challenges in several WWW-Authenticate fields are read in order`() {
    #expect(parse("Digest nonce=a", "Basic realm=b") == ["Digest|nonce=a", "Basic|realm=b"])
    let challenge = AuthenticationChallenge.all(in: [.wwwAuthenticate: "dIGEST Realm=x, realm=y"])[0]
    #expect(challenge.isOf(scheme: "Digest"))
    #expect(!challenge.isOf(scheme: "Digests"))
    #expect(challenge["REALM"] == "x")
    #expect(challenge["nonce"] == nil)
  }

  @Test(
    arguments: [
      (["Basic realm=\"Staff\""], nil, "the server asks for Basic, and no credentials were sent"),
      (["Basic realm=a"], "Basic", "the server asks for Basic, was sent Basic, and does not accept it"),
      (["Digest nonce=a", "Digest nonce=b, algorithm=SHA-256"], "Basic", "the server asks for Digest, and was sent Basic"),
      (["Negotiate", "NTLM, basic realm=x"], "Bearer", "the server asks for Negotiate, NTLM or basic, and was sent Bearer"),
      (["negotiate"], "Negotiate", "the server asks for negotiate, was sent Negotiate, and does not accept it"),
      ([], "Bearer", "the server does not name a scheme (it sends no `WWW-Authenticate`), and was sent Bearer"),
      ([], nil, "the server does not name a scheme (it sends no `WWW-Authenticate`), and no credentials were sent"),
      (["A, B, C, D, E, F, G"], "H", "the server asks for A, B, C, D or E, and was sent H"),
    ] as [([String], String?, String)])
  func `the error for a refused credential names the authentication schemes of the server and the scheme that was sent`(
    _ challenges: [String], _ sent: String?, _ words: String
  ) {
    var fields = HTTPFields()
    for challenge in challenges { fields.append(HTTPField(name: .wwwAuthenticate, value: challenge)) }
    #expect(AuthenticationRefusal(fields, sent: sent).description == words)
  }

  /// Uses third-party servers. A field with an unknown scheme is not shown at all, since it may be the secret.
  @Test func `the error for a 401 from httpbin names the server's authentication scheme and shows no credential`() async throws {
    let url = try HTTPBinServer.shared().url
    let session = Session(.ephemeral)
    func words(_ path: String, _ change: (DataRequest) -> DataRequest) async -> String? {
      await change(session.request(url + path)).validate().response().error?.description
    }
    let refused = "the status 401 is not accepted: the server asks for "
    #expect(await words("/basic-auth/a/b") { $0 } == refused + "Basic, and no credentials were sent")
    #expect(
      await words("/basic-auth/a/b") { $0.authenticate(user: "a", password: "c", preemptive: true) }
        == refused + "Basic, was sent Basic, and does not accept it")
    #expect(
      await words("/digest-auth/auth/a/b/MD5") { $0.authenticate(user: "a", password: "b", preemptive: true) } == refused
        + "Digest, and was sent Basic")
    #expect(
      await words("/digest-auth/auth/a/b/MD5") { $0.authenticate(.digest(user: "a", password: "c")) }
        == refused + "Digest, was sent Digest, and does not accept it")
    #expect(await words("/status/403") { $0 } == "the status 403 is not accepted")
    let secret = session.request(url + "/basic-auth/a/b", headers: [.authorization: "s3cr3t and more"]).validate()
    let error = await secret.response().error
    #expect(error?.description == refused + "Basic, and was sent a credential of another scheme")
  }

  @Test func `random WWW-Authenticate values never crash the parser`() {
    var generator = SeededRandom(seed: 7)
    let words = ["Digest", "Basic", " ", ",", "=", "\"", "\\", "realm", "nonce", "\t", "ü", "==", "a/b+c", ";", "\"x\""]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...14, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
      for challenge in AuthenticationChallenge.all(in: [.wwwAuthenticate: text]) {
        #expect(!challenge.scheme.isEmpty, "\(text)")
        _ = try? DigestChallenge(challenge)
      }
    }
  }
}
