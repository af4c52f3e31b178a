import GarlandCrypto
import GarlandJSON
import HTTPTypes
import TestSupport
import Testing
import TransferTestSupport

@testable import GarlandNetworking
@testable import GarlandTransfer

/// Tests Digest authentication over the network, with third-party servers and with a server that sends exactly
/// what a test needs.
@Suite(.timeLimit(.minutes(15))) struct DigestTransferTests {
  let engine = Engine()
  private static let account = Credential.digest(user: "user", password: "pass")

  private func request(
    _ url: String, method: HTTPRequest.Method = .get, body: TransferBody = .none, credential: Credential = account
  ) -> TransferRequest {
    var request = TransferRequest(url: url, method: method, body: body, credential: credential)
    // No timeout, for slow machines.
    request.settings.idleTimeout = nil
    return request
  }

  // MARK: httpbin

  @Test(arguments: ["MD5", "SHA-256"], ["auth", "auth-int"])
  func `the nonce of a digest that httpbin has accepted is reused, so that the next request gets no 401`(
    _ algorithm: String, _ quality: String
  ) async throws {
    let url = try HTTPBinServer.shared().url + "/digest-auth/\(quality)/user/pass/\(algorithm)"
    let first = try await engine.response(for: request(url))
    #expect(first.status == .ok)
    #expect(first.metrics.transactions.count == 2)
    // The nonce is kept, so there is no second 401.
    for _ in 0..<2 {
      let next = try await engine.response(for: request(url))
      #expect(next.status == .ok)
      #expect(next.metrics.transactions.count == 1)
    }
    let wrong = try await engine.response(for: request(url, credential: .digest(user: "user", password: "other")))
    #expect(wrong.status == .unauthorized)
    #expect(wrong.metrics.transactions.count == 2)
    #expect(wrong.headerFields[.wwwAuthenticate]?.hasPrefix("Digest ") == true)
  }

  @Test func `a digest challenge with an unsupported algorithm is refused with an error that names the algorithm`() async throws {
    let url = try HTTPBinServer.shared().url + "/digest-auth/auth/user/pass/SHA-512"
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request(url)) }
    #expect(error?.reason == .authentication(.unsupportedChallenge("Digest with the algorithm SHA-512")))
    #expect(error?.partialResponse?.status == .unauthorized)
  }

  // MARK: Apache

  @Test func `Apache accepts digest authentication, and the next request reuses the nonce`() async throws {
    let url = try ApacheServer.shared().url
    let session = Session(.ephemeral)
    for count in [2, 1, 1] {
      let sent = session.request(url + "/digest/secret.txt").authenticate(Self.account).validate()
      #expect(try await sent.string == "secret\n")
      #expect(sent.metrics.flatMap(\.transactions).count == count)
    }
    // The content is sent again with the answer.
    let posted = session.upload(Array("x".utf8), to: url + "/digest/secret.txt").authenticate(Self.account).validate()
    #expect(try await posted.string == "secret\n")
    let wrong = await session.request(url + "/digest/secret.txt").authenticate(.digest(user: "user", password: "x")).validate().response()
    #expect(wrong.error?.reason == .validation(.unacceptableStatus(401)))
    // An open page needs no second request, and a Basic challenge gets no digest.
    #expect(try await session.request(url + "/open.txt").authenticate(Self.account).validate().string == "open\n")
    #expect(await session.request(url + "/basic/secret.txt").authenticate(Self.account).response().status == 401)
    #expect(try await session.request(url + "/basic/secret.txt").authenticate(user: "user", password: "pass").string == "secret\n")
  }

  /// The nonces are valid for one request, and each response names the next
  /// (`Authentication-Info`).
  @Test func `if a response contains the nextnonce for digest authentication, the next request gets no 401`() async throws {
    let url = try ApacheServer.shared().url + "/once/secret.txt"
    for count in [2, 1, 1, 1] {
      let response = try await engine.response(for: request(url))
      #expect(response.status == .ok)
      #expect(response.metrics.transactions.count == count)
    }
  }

  @Test func `a proxy with digest authentication accepts the credentials of requests with and without a tunnel`() async throws {
    let apache = try ApacheServer.shared()
    let nginx = try NginxServer.shared()
    var plain = TransferRequest(url: nginx.url + "/json")
    plain.settings.tls.authorities = nginx.certificates.authority
    func through(_ scheme: ProxyCredentials.Scheme, _ password: String = "pass") -> ProxySetting {
      .url("http://127.0.0.1:\(apache.port)", credentials: ProxyCredentials(user: "user", password: password, scheme: scheme))
    }
    var tunnelled = plain
    tunnelled.url = nginx.secureURL + "/json"
    for scheme in [ProxyCredentials.Scheme.digest, .any] {
      plain.settings.proxy = through(scheme)
      tunnelled.settings.proxy = through(scheme)
      let first = try await engine.response(for: plain)
      #expect(first.status == .ok)
      #expect(first.metrics.transactions.map(\.authenticationLegs) == [1])
      #expect(try await engine.response(for: tunnelled).status == .ok)
    }
    plain.settings.proxy = through(.digest, "wrong")
    #expect(try await engine.response(for: plain).status == .proxyAuthenticationRequired)
    plain.settings.proxy = through(.basic)
    #expect(try await engine.response(for: plain).status == .proxyAuthenticationRequired)
    tunnelled.settings.proxy = through(.digest, "wrong")
    tunnelled.settings.usesFreshConnection = true
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: tunnelled) }
    #expect(error?.reason.kind == .proxy, "\(String(describing: error))")
  }

  // MARK: A server that says what the test needs

  /// Checks digest answers for the user `user` with the password `pass`, and counts requests.
  private final class Checker: Sendable {
    let seen = Collected<[String: String]>()
    let server: RawServer
    var url: String { server.url }

    /// Creates a checker. `decide` receives the number of the request and its answer, and returns a
    /// challenge, or nil to accept.
    init(_ decide: @escaping @Sendable (_ number: Int, _ answer: [String: String]?) -> String?) throws {
      let seen = seen
      server = try RawServer { connection in
        while let (head, body) = connection.readRequest() {
          var answer = Self.answer(in: head)
          if let given = answer { answer?["is-right"] = Self.isRight(given, head, body) ? "yes" : "no" }
          let number = seen.all.count
          seen.add(answer ?? [:])
          if let challenge = decide(number, answer) {
            connection.send(
              "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 4\r\n\r\nno!\n"
            )
          } else {
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n" + String(decoding: body, as: UTF8.self))
          }
        }
      }
    }

    private static func answer(in head: String) -> [String: String]? {
      guard let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix("Authorization: ") }) else { return nil }
      let parsed = AuthenticationChallenge.all(in: [.wwwAuthenticate: String(line.dropFirst(15))])
      return parsed.first.map { Dictionary($0.parameters.map { ($0.name, $0.value) }) { first, _ in first } }
    }

    private static func isRight(_ answer: [String: String], _ head: String, _ body: [UInt8]) -> Bool {
      let line = head.split(separator: " ", maxSplits: 2).map(String.init)
      let hash: DigestAlgorithm = answer["algorithm"]?.hasPrefix("SHA") == true ? .sha256 : .md5
      func digest(_ text: String) -> String { (try? Digest(of: text.utf8, using: hash).hex) ?? "" }
      func value(_ name: String) -> String { answer[name] ?? "" }
      var secret = digest("user:\(value("realm")):pass")
      if value("algorithm").hasSuffix("-sess") { secret = digest("\(secret):\(value("nonce")):\(value("cnonce"))") }
      var target = "\(line[0]):\(line[1])"
      if value("qop") == "auth-int" { target += ":" + ((try? Digest(of: body, using: hash).hex) ?? "") }
      let expected = digest("\(secret):\(value("nonce")):\(value("nc")):\(value("cnonce")):\(value("qop")):\(digest(target))")
      return line[1] == value("uri") && expected == value("response")
    }

    /// Returns a checker that accepts right answers for one of these nonces.
    static func accepting(_ nonce: String, _ more: String = "qop=auth", stale: Bool = false) throws -> Checker {
      try Checker { _, answer in
        if answer?["is-right"] == "yes", answer?["nonce"] == nonce { return nil }
        return "Digest realm=\"r\", nonce=\"\(nonce)\", \(more)" + (stale && answer != nil ? ", stale=true" : "")
      }
    }
  }

  @Test(arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"], ["auth", "auth-int"])
  func `the nonce count increases by one with each request that uses the same nonce`(_ algorithm: String, _ quality: String) async throws {
    let checker = try Checker.accepting("n1", "algorithm=\(algorithm), qop=\"\(quality)\", opaque=\"o p\"")
    for number in 0..<3 {
      let response = try await engine.response(
        for: request(checker.url + "/a?b=\(number)", method: .put, body: .bytes(Array("x\(number)".utf8))))
      #expect(response.status == .ok)
      #expect(response.bytes == Array("x\(number)".utf8))
    }
    #expect(checker.seen.all.map { $0["nc"] ?? "-" } == ["-", "00000001", "00000002", "00000003"])
    #expect(checker.seen.all.dropFirst().allSatisfy { $0["opaque"] == "o p" && $0["algorithm"] == algorithm })
    let clientNonces = Set(checker.seen.all.dropFirst().map { $0["cnonce"] ?? "" })
    #expect(clientNonces.count == (algorithm.hasSuffix("-sess") ? 1 : 3))
    #expect(checker.server.connectionCount == 1)
  }

  @Test func `concurrent requests with the same digest nonce send different nonce counts`() async throws {
    let checker = try Checker.accepting("n1")
    #expect(try await engine.response(for: request(checker.url)).status == .ok)
    let engine = engine
    let url = checker.url
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 { group.addTask { try await engine.response(for: request(url + "/\(number)")).status.code } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(checker.seen.all.count == 52)
    #expect(Set(checker.seen.all.map { $0["nc"] ?? "-" }).count == 52)
  }

  @Test func `if the server calls the nonce of a digest request stale, the request is sent again with the new nonce`() async throws {
    let checker = try Checker { number, answer in
      let nonce = number < 3 ? "old" : "new"
      if answer?["is-right"] == "yes", answer?["nonce"] == nonce { return nil }
      return "Digest realm=r, nonce=\(nonce), qop=auth" + (answer == nil ? "" : ", stale=true")
    }
    for count in [2, 1, 2, 1] {
      let response = try await engine.response(for: request(checker.url))
      #expect(response.status == .ok)
      #expect(response.metrics.transactions.count == count)
    }
  }

  @Test func `if a server always reports a stale nonce, the request is sent at most four times`() async throws {
    let checker = try Checker { number, _ in "Digest realm=r, nonce=n\(number), qop=auth, stale=true" }
    let response = try await engine.response(for: request(checker.url))
    #expect(response.status == .unauthorized)
    #expect(response.metrics.transactions.count == 4)
    // The engine keeps nothing of the exchange.
    _ = try await engine.response(for: request(checker.url))
    #expect(checker.seen.all[4].isEmpty)
  }

  @Test func `if a 401 response has several challenges, the first supported digest challenge is answered`() async throws {
    let checker = try Checker { _, answer in
      answer?["is-right"] == "yes" && answer?["algorithm"] == "SHA-256"
        ? nil : "Negotiate, Digest realm=r, nonce=a, algorithm=SHA-512, Digest realm=r, nonce=b, algorithm=SHA-256, qop=auth, NTLM"
    }
    #expect(try await engine.response(for: request(checker.url)).status == .ok)
    #expect(checker.seen.all.last?["nonce"] == "b")
  }

  // MARK: Content

  private func folder(_ size: Int) throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    return (folder, try folder.write("body", (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7 + 65) & 0x7F }))
  }

  /// The digest of the content must be known before it is sent, so files and streams are read
  /// twice.
  @Test func `for digest authentication with auth-int, the content of files and streams is hashed before it is sent`() async throws {
    let checker = try Checker.accepting("n", "algorithm=SHA-256, qop=auth-int")
    let (folder, path) = try folder(300_000)
    let file = try folder.read("body")
    var form = MultipartFormData(boundary: "b")
    form.append(file: path, name: "f")
    let stream = BodyStream {
      AsyncStream { continuation in
        continuation.yield(Array(file[..<100_000]))
        continuation.yield(Array(file[100_000...]))
        continuation.finish()
      }
    }
    for body in [TransferBody.bytes(file), .file(path: path), .file(path: path, offset: 10, length: 1000), .multipart(form)] {
      let response = try await engine.response(for: request(checker.url, method: .put, body: body))
      #expect(response.status == .ok, "\(body)")
    }
    var chunked = request(checker.url, method: .put, body: .stream(stream))
    let response = try await engine.response(for: chunked)
    #expect(response.status == .ok)
    #expect(response.bytes == file)
    chunked.compression = RequestCompression(.gzip)
    #expect(try await engine.response(for: chunked).status == .ok)
  }

  @Test func `a body that can be read only once is not read before the digest challenge`() async throws {
    let checker = try RawServer { connection in
      while true {
        let head = connection.readHead()
        if head.isEmpty { return }
        if head.contains("Authorization: Digest") {
          connection.send("HTTP/1.1 100 Continue\r\n\r\n")
          _ = connection.read(5)
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
          return
        }
        // The content is not sent, so that the server reads a header next.
        connection.send("HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=r, nonce=n, qop=auth\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let stream = BodyStream(length: 5, isRepeatable: false) {
      AsyncStream {
        $0.yield(Array("hello".utf8)); $0.finish()
      }
    }
    let response = try await engine.response(for: request(checker.url, method: .put, body: .stream(stream)))
    #expect(response.status == .ok)
    #expect(response.metrics.transactions.count == 2)
  }

  @Test func `if a body can be read only once, a 401 after the body was sent is an error`() async throws {
    let checker = try Checker.accepting("n")
    let stream = BodyStream(length: 5, isRepeatable: false) {
      AsyncStream {
        $0.yield(Array("hello".utf8)); $0.finish()
      }
    }
    var request = request(checker.url, method: .put, body: .stream(stream))
    request.settings.expectContinue = .never
    let error = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(error?.reason == .authentication(.bodyNotRepeatable))
    #expect(error?.partialResponse?.status == .unauthorized)

    let signing = try Checker.accepting("n", "qop=auth-int")
    request.url = signing.url
    request.body = .stream(stream)
    let other = await #expect(throws: NetworkingError.self) { try await engine.response(for: request) }
    #expect(other?.reason == .authentication(.bodyNotRepeatable))
  }

  // MARK: Where it goes

  @Test func `digest credentials are not sent after a redirect to another origin`() async throws {
    let other = try Checker.accepting("n")
    let target = other.url
    let first = try RawServer { connection in
      while let (head, _) = connection.readRequest() {
        if head.contains("Authorization: Digest") {
          connection.send("HTTP/1.1 307 Off\r\nLocation: \(target)/\r\nContent-Length: 0\r\n\r\n")
        } else {
          connection.send("HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=r, nonce=n, qop=auth\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }
    for handler in [nil, Redirector.follow] {
      let session = Session(.ephemeral)
      let sent = session.request(first.url).authenticate(Self.account)
      if let handler { sent.redirect(using: handler) }
      let response = await sent.response()
      #expect(response.status == 401)
      #expect(response.response?.url == target + "/")
    }
    #expect(other.seen.all == [[:], [:]])
  }

  @Test func `after a redirect, the Authorization field of response.request has the digest for the new URL`() async throws {
    let checker = try Checker { number, answer in
      guard answer?["is-right"] == "yes" else { return "Digest realm=r, nonce=n, qop=auth" }
      return nil
    }
    let target = checker.url
    let session = Session(.ephemeral)
    let first = await session.request(target + "/a").authenticate(Self.account).response()
    #expect(first.status == 200)
    #expect(first.response?.request.headerFields[.authorization]?.contains("uri=\"/a\"") == true)
    #expect(first.response?.request.credentialFields.contains(.authorization) == true)
  }

  @Test func `an Authorization field set by the caller is sent instead of a digest`() async throws {
    let checker = try Checker.accepting("n")
    var own = request(checker.url)
    own.headerFields[.authorization] = "Key own"
    #expect(try await engine.response(for: own).status == .unauthorized)
    #expect(checker.seen.all.count == 1)
  }

  @Test func `a stream with digest credentials yields the body of the final response, not of the 401`() async throws {
    let checker = try Checker { _, answer in answer == nil ? "Digest realm=r, nonce=n" : nil }
    let session = Session(.ephemeral)
    let stream = session.stream(checker.url, method: .put) { $0.body = .bytes(Array("lines\n".utf8)) }.authenticate(Self.account)
    var bytes: [UInt8] = []
    for try await piece in stream { bytes += piece }
    #expect(bytes == Array("lines\n".utf8))
  }

  @Test func `if a request is cancelled while its body is hashed for the digest, reading the body stops`() async throws {
    let checker = try Checker.accepting("n", "qop=auth-int")
    // The engine learns that the answer must cover the content.
    #expect(try await engine.response(for: request(checker.url)).status == .ok)
    let stream = BodyStream { AsyncStream<[UInt8]> { _ in } }
    let engine = engine
    let url = checker.url
    let task = Task { try await engine.response(for: request(url, method: .put, body: .stream(stream))) }
    task.cancel()
    let error = await #expect(throws: NetworkingError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
    var timed = request(url, method: .put, body: .stream(stream))
    timed.settings.deadline = .milliseconds(50)
    let late = await #expect(throws: NetworkingError.self) { try await engine.response(for: timed) }
    #expect(late?.reason.timeout?.limit == .deadline)
    #expect(checker.seen.all.count == 2)
  }
}
