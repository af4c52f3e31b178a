import HTTPTypes
import Testing

@testable import GarlandTransfer

@Suite struct DigestExchangeTests {
  private func challenges(_ texts: String...) -> [AuthenticationChallenge] {
    texts.flatMap { AuthenticationChallenge.all(in: [.wwwAuthenticate: $0]) }
  }

  private func nonce(_ decision: DigestExchange.Decision) -> String? {
    if case .answer(let challenge) = decision { challenge.nonce } else { nil }
  }

  @Test func `if the server refuses digest credentials with a new nonce and without 'stale', the caller gets this response`() {
    var exchange = DigestExchange()
    exchange.send(nonce: nil)
    #expect(nonce(exchange.receive(challenges("Digest nonce=a"))) == "a")
    exchange.send(nonce: "a")
    #expect(exchange.receive(challenges("Digest nonce=b")) == .deliver)
  }

  @Test func `if a request with an old digest nonce is refused, the request is sent once more with the nonce of the challenge`() {
    var exchange = DigestExchange()
    exchange.send(nonce: "old")
    #expect(nonce(exchange.receive(challenges("Digest nonce=new"))) == "new")
    exchange.send(nonce: "new")
    #expect(exchange.receive(challenges("Digest nonce=newer")) == .deliver)
  }

  @Test func `a digest challenge that repeats the nonce of the request is answered only if it contains stale=true`() {
    var exchange = DigestExchange()
    exchange.send(nonce: "a")
    #expect(exchange.receive(challenges("Digest nonce=a")) == .deliver)
    exchange = DigestExchange()
    exchange.send(nonce: "a")
    #expect(nonce(exchange.receive(challenges("Digest nonce=a, stale=true"))) == "a")
  }

  @Test func `if a server declares every digest nonce stale, the client answers only three challenges`() {
    var exchange = DigestExchange()
    var sent: String?
    var count = 0
    while count < 10 {
      exchange.send(nonce: sent)
      guard let next = nonce(exchange.receive(challenges("Digest nonce=n\(count), stale=true"))) else { break }
      sent = next
      count += 1
    }
    #expect(count == 3)
  }

  @Test func `if a response has several challenges, the first supported digest challenge is answered`() {
    var exchange = DigestExchange()
    exchange.send(nonce: nil)
    let decision = exchange.receive(
      challenges("Basic realm=x", "Digest nonce=a, algorithm=SHA-512, Digest nonce=b, algorithm=SHA-256", "Digest nonce=c"))
    #expect(nonce(decision) == "b")
  }

  @Test func `a 401 response without a digest challenge is returned, and an unsupported digest challenge is an error`() {
    var exchange = DigestExchange()
    exchange.send(nonce: nil)
    #expect(exchange.receive(challenges("Basic realm=x, Negotiate")) == .deliver)
    #expect(exchange.receive([]) == .deliver)
    #expect(exchange.receive(challenges("Digest nonce=a, algorithm=X, Digest realm=y")) == .refuse("Digest with the algorithm X"))
  }
}

@Suite struct DigestSpacesTests {
  private let origin = Origin(scheme: "http", host: "h", port: 80)
  private var account: ChallengedAccount { .init(origin: origin, user: "u", password: "p") }

  private func learn(_ spaces: inout DigestSpaces, _ challenge: String, at url: String, _ account: ChallengedAccount? = nil) throws {
    let challenge = try DigestChallenge(try #require(AuthenticationChallenge.all(in: [.wwwAuthenticate: challenge]).first))
    spaces.learn(challenge, at: try URLReference(url), account ?? self.account, clientNonce: "c-" + challenge.nonce)
  }

  @Test func `the nonce count of a digest increases with each use of the nonce`() throws {
    var spaces = DigestSpaces()
    #expect(spaces.use(for: "/a", account) == nil)
    try learn(&spaces, "Digest realm=r, nonce=n", at: "http://h/a")
    #expect((0..<3).map { _ in spaces.use(for: "/b/c", account)?.count } == [1, 2, 3])
    #expect(spaces.use(for: "/", account)?.sessionNonce == "c-n")
    // A new nonce of the same realm restarts the count.
    try learn(&spaces, "Digest realm=r, nonce=m", at: "http://h/a")
    #expect(spaces.use(for: "/a", account)?.count == 1)
    #expect(spaces.challenge(for: "/a", account)?.nonce == "m")
    spaces.replace(nonce: "m", by: "next", account, clientNonce: "c2")
    #expect(spaces.use(for: "/a", account)?.challenge.nonce == "next")
    #expect(spaces.use(for: "/a", account)?.sessionNonce == "c2")
    spaces.forget(nonce: "next", account)
    #expect(spaces.use(for: "/a", account) == nil)
  }

  @Test func `requests with different users, passwords or origins do not share a digest nonce`() throws {
    var spaces = DigestSpaces()
    try learn(&spaces, "Digest realm=r, nonce=n", at: "http://h/a")
    for other in [
      ChallengedAccount(origin: origin, user: "u", password: "other"), .init(origin: origin, user: "v", password: "p"),
      .init(origin: Origin(scheme: "https", host: "h", port: 443), user: "u", password: "p"),
      .init(origin: Origin(scheme: "http", host: "h", port: 81), user: "u", password: "p"),
    ] {
      #expect(spaces.use(for: "/a", other) == nil)
    }
  }

  @Test func `a digest nonce is used only within the domain of its challenge`() throws {
    var spaces = DigestSpaces()
    try learn(&spaces, #"Digest realm=r, nonce=n, domain="/private http://h/also http://elsewhere/""#, at: "http://h/private/x")
    #expect(spaces.challenge(for: "/private/y", account) != nil)
    #expect(spaces.challenge(for: "/also", account) != nil)
    #expect(spaces.challenge(for: "/public", account) == nil)
    try learn(&spaces, #"Digest realm=s, nonce=m, domain="/private/deep""#, at: "http://h/private/deep/x")
    #expect(spaces.challenge(for: "/private/deep/z", account)?.nonce == "m")
    #expect(spaces.challenge(for: "/private/z", account)?.nonce == "n")
    #expect(spaces.challenge(for: "/public", account, nonce: "n")?.nonce == "n")
  }

  @Test func `the protection spaces of one origin keep separate digest nonces`() throws {
    var spaces = DigestSpaces()
    try learn(&spaces, "Digest realm=a, nonce=na", at: "http://h/one/x")
    try learn(&spaces, "Digest realm=b, nonce=nb", at: "http://h/two/x")
    #expect(spaces.challenge(for: "/one/y", account)?.nonce == "na")
    #expect(spaces.challenge(for: "/two/y", account)?.nonce == "nb")
    #expect(spaces.challenge(for: "/", account)?.nonce == "nb")
  }

  @Test func `if there are too many digest protection spaces, the oldest are forgotten`() throws {
    var spaces = DigestSpaces()
    for number in 0..<1000 { try learn(&spaces, "Digest realm=r\(number), nonce=n\(number)", at: "http://h/\(number)/") }
    #expect(spaces.challenge(for: "/x", account, nonce: "n0")?.nonce != "n0")
    #expect(spaces.challenge(for: "/999/", account)?.nonce == "n999")
  }
}
