import HTTPTypes
import TestSupport
import Testing

@testable import GarlandNetworking

@Suite struct AuthenticationChallengeTests {
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
  func readsChallenges(_ value: String, _ expected: [String]) {
    #expect(parse(value) == expected, "\(value)")
  }

  @Test func readsSeveralFields() {
    #expect(parse("Digest nonce=a", "Basic realm=b") == ["Digest|nonce=a", "Basic|realm=b"])
    let challenge = AuthenticationChallenge.all(in: [.wwwAuthenticate: "dIGEST Realm=x, realm=y"])[0]
    #expect(challenge.isOf(scheme: "Digest"))
    #expect(!challenge.isOf(scheme: "Digests"))
    #expect(challenge["REALM"] == "x")
    #expect(challenge["nonce"] == nil)
  }

  @Test func anythingMayCome() {
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
