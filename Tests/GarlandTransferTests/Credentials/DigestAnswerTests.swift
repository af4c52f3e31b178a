import HTTPTypes
import Testing

@testable import GarlandTransfer

@Suite struct DigestAnswerTests {
  private func challenge(_ text: String) throws -> DigestChallenge {
    try DigestChallenge(try #require(AuthenticationChallenge.all(in: [.wwwAuthenticate: text]).first))
  }

  private func answer(
    _ text: String, user: String = "Mufasa", password: String = "Circle of Life", method: String = "GET", uri: String = "/dir/index.html",
    count: UInt32 = 1, clientNonce: String = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", sessionNonce: String? = nil,
    contentDigest: String = ""
  ) throws -> String {
    try DigestAnswer(
      challenge: try challenge(text), user: user, password: password, method: method, uri: uri, count: count, clientNonce: clientNonce,
      sessionNonce: sessionNonce ?? clientNonce, contentDigest: contentDigest
    ).authorization()
  }

  private static let rfc7616 = """
    Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=ALGORITHM, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", \
    opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
    """

  /// The examples of RFC 7616, section 3.9.1.
  @Test(arguments: [
    ("MD5", "8ca523f5e9506fed4657c9700eebdbec"), ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
  ])
  func `the digest responses match the examples of RFC 7616`(_ algorithm: String, _ response: String) throws {
    let value = try answer(Self.rfc7616.replacing("ALGORITHM", with: algorithm))
    #expect(
      value == """
        Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", \
        response="\(response)", algorithm=\(algorithm), opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, \
        cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        """)
  }

  /// The example of RFC 7616, section 3.9.2, with the digests of its erratum 4897: those in the text are not
  /// SHA-512/256.
  @Test func `the digest response with userhash matches the example of RFC 7616`() throws {
    let value = try answer(
      """
      Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
      opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true
      """, user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?", uri: "/doe.json",
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
    #expect(value.contains("username=\"793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b\""))
    #expect(value.contains("response=\"3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5\""))
    #expect(value.contains("userhash=true"))
    #expect(value.contains("algorithm=SHA-512-256"))
  }

  /// The example of RFC 2617, section 3.5.
  @Test func `the digest response matches the example of RFC 2617`() throws {
    let value = try answer(
      """
      Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"
      """, password: "Circle Of Life", clientNonce: "0a4f113b")
    #expect(value.contains("response=\"6629fae49393a05397450978507c4ef1\""))
    #expect(!value.contains("algorithm"))
  }

  /// The example of RFC 2069 as corrected by its erratum 749, without quality of protection and counter.
  @Test func `without qop, the response to a digest challenge equals the example in RFC 2069`() throws {
    let value = try answer(
      #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41""#,
      password: "CircleOfLife")
    #expect(value.contains("response=\"1949323746fe6a43ef61f9606e7febea\""))
    #expect(!value.contains("qop"))
    #expect(!value.contains("nc="))
  }

  /// The expected digest was computed with Python's hashlib from the formulas.
  @Test func `a Digest response with SHA-256-sess and qop=auth-int equals the value that Python computes`() throws {
    let digest = #"Digest realm="r", nonce="n", algorithm=SHA-256-sess, qop="auth-int""#
    let value = try answer(
      digest, user: "u", password: "p", method: "POST", uri: "/x?y=z", count: 0x1F, clientNonce: "c2", sessionNonce: "c1",
      contentDigest: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
    #expect(value.contains("response=\"e6c3dd2cd14e8e3503709cb04f15d74a3fe615b8dd03114bca5ca3c9a252a2f7\""))
    #expect(value.contains("qop=auth-int, nc=0000001f, cnonce=\"c2\""))
    #expect(value.contains("algorithm=SHA-256-sess"))
  }

  @Test func `in a Digest header, special characters of the user name are escaped, or percent-encoded for charset=UTF-8`() throws {
    let quoted = try answer(#"Digest realm="a \"b\" \\", nonce="n""#, user: #"x"y\z"#)
    #expect(quoted.hasPrefix(#"Digest username="x\"y\\z", realm="a \"b\" \\", nonce="n""#))
    #expect(try answer("Digest nonce=n, charset=UTF-8", user: "J\u{E4}s\u{F8}n Doe").contains("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe,"))
    #expect(try answer("Digest nonce=n", user: "J\u{E4}").contains("username=\"J\u{E4}\""))
    #expect(try !answer("Digest nonce=n", user: "a\r\nX: y").contains("\n"))
  }

  @Test(arguments: [
    ("Digest realm=x", "without a nonce"), ("Digest nonce=n, algorithm=SHA-512", "SHA-512"),
    ("Digest nonce=n, algorithm=MD4-sess", "MD4-sess"),
    ("Digest nonce=n, qop=\"auth-conf\"", "auth-conf"), ("Digest nonce=n, qop=\"\"", "quality"),
  ])
  func `an unsupported digest challenge is refused, and the error names the unsupported part`(_ text: String, _ words: String) throws {
    let refusal = #expect(throws: DigestChallenge.Refusal.self) { try challenge(text) }
    #expect(refusal?.detail.contains(words) == true, "\(String(describing: refusal))")
  }

  @Test func `if a digest challenge offers both 'auth' and 'auth-int' as qop, 'auth' is used`() throws {
    #expect(try challenge("Digest nonce=n, qop=\"auth-int, auth\"").quality == .auth)
    #expect(try challenge("Digest nonce=n, qop=auth-int").quality == .authInt)
    #expect(try challenge("Digest nonce=n").quality == nil)
    #expect(try challenge("Digest nonce=n, stale=TRUE").isStale)
    #expect(try !challenge("Digest nonce=n, stale=false").isStale)
  }
}
