import FoundationEssentials
import GarlandNetworking
import Synchronization
import TestSupport
import Testing

/// Tests sessions whose responses come from a table or a closure.
@Suite(.timeLimit(.minutes(15))) struct StubTransportTests {
  private struct User: Codable, Equatable {
    var id: Int
    var name: String
  }

  private static let base = "https://api.example.com"

  // MARK: Answers

  @Test func `a table of stubs returns the response for the method and URL of a request`() async throws {
    let stubs: StubTransport = [
      "GET \(Self.base)/users/1": .json(["id": 1, "name": "Ada"]), "POST \(Self.base)/users/1": .status(405),
    ]
    let session = Session(.stubbed(by: stubs))
    #expect(try await session.request(Self.base + "/users/1").validate().response(of: User.self).value == User(id: 1, name: "Ada"))
    #expect(await session.request(Self.base + "/users/1", method: .post).response().status == 405)
    #expect(stubs.requests.map(\.method) == [.get, .post])
  }

  @Test func `the stubbed responses of a networking session can be written as a dictionary literal with URLs as keys`() async throws {
    let session = Session(.stubbed(by: ["\(Self.base)/items": .json([["id": 1]])]))
    #expect(try await session.request(Self.base + "/items").json == [["id": 1]])
  }

  @Test func `if no stub matches the query of a request, the stub for the URL without a query is used`() async throws {
    let session = Session(.stubbed(by: StubTransport(["\(Self.base)/search": .text("any"), "\(Self.base)/search?q=a": .text("a")])))
    #expect(try await session.request(Self.base + "/search", parameters: ["q": "b"]).string == "any")
    #expect(try await session.request(Self.base + "/search", parameters: ["q": "a"]).string == "a")
  }

  @Test func `a request without a stub fails, and the error names the request`() async throws {
    let response = await Session(.stubbed(by: StubTransport([:]))).request(Self.base + "/none").response()
    #expect(response.error?.reason == .unsupported("no answer is stubbed for GET \(Self.base)/none"))
  }

  @Test func `a stub closure receives the request with its header and content`() async throws {
    let session = Session(
      .stubbed { request in
        .text("\(request.headerFields[.accept] ?? "") \(String(decoding: try await request.content(), as: UTF8.self))")
      })
    let request = session.request(
      Self.base, method: .post, parameters: ["name": "Ada"], encoding: .json, headers: [.accept: "text/plain"])
    #expect(try await request.string == #"text/plain {"name":"Ada"}"#)
  }

  @Test func `a stub receives the content of a form as a server would`() async throws {
    let stubs = StubTransport { _ in .status(204) }
    let upload = Session(.stubbed(by: stubs)).upload(to: Self.base) { $0.append("1", name: "a") }
    #expect(await upload.response().status == 204)
    let content = String(decoding: try #require(try await stubs.requests.first?.content()), as: UTF8.self)
    #expect(content.contains("Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"))
    #expect(stubs.requests.first?.headerFields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
  }

  @Test func `if the stub for a URL is a failure, a request to this URL gets this failure as its error`() async throws {
    let session = Session(.stubbed(by: StubTransport(["\(Self.base)/": .failure(.refused(host: "api.example.com", port: 443))])))
    #expect(await session.request(Self.base + "/").response().error?.reason == .refused(host: "api.example.com", port: 443))
  }

  @Test func `if a stub closure throws an error other than NetworkingError, the request fails with 'connectionLost'`()
    async throws
  {
    struct Unplugged: Error {}
    let response = await Session(.stubbed { _ in throw Unplugged() }).request(Self.base).response()
    #expect(response.error?.reason == .connectionLost(detail: "Unplugged()"))
  }

  @Test func `a custom transport can respond to requests`() async throws {
    struct Teapot: RequestTransport {
      func response(to request: TransferRequest) -> TransferResponse {
        TransferResponse(to: request, status: 418, headerFields: [.server: "pot"], body: Array("short".utf8))
      }
    }
    let response = await Session(.stubbed(by: Teapot())).request(Self.base).response(.string)
    #expect(response.status == 418)
    #expect(response.response?.headerFields[.server] == "pot")
    #expect(try response.value == "short")
  }

  @Test func `a stubbed file is returned with the media type of its extension`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("user.json", Array(#"{"id":1,"name":"Ada"}"#.utf8))
    let answer = try StubbedResponse.file(folder.path + "/user.json")
    let response = await Session(.stubbed { _ in answer }).request(Self.base, headers: [.accept: "application/json"]).validate().response(
      of: User.self)
    #expect(try response.value.name == "Ada")
    #expect(throws: NetworkingError.self) { try StubbedResponse.file(folder.path + "/none") }
  }

  // MARK: The session's work with answers

  @Test func `a stubbed redirect is followed to the next stub`() async throws {
    let stubs: StubTransport = ["\(Self.base)/old": .redirect(to: "/new"), "\(Self.base)/new": .text("here")]
    let response = await Session(.stubbed(by: stubs)).request(Self.base + "/old").response(.string)
    #expect(try response.value == "here")
    #expect(response.response?.url == Self.base + "/new")
    #expect(response.response?.redirects.map(\.target) == [Self.base + "/new"])
    #expect(stubs.requests.map(\.url) == [Self.base + "/old", Self.base + "/new"])
  }

  @Test func `a redirect handler is called for a stubbed redirect`() async throws {
    let stubs: StubTransport = ["\(Self.base)/old": .redirect(to: "/new")]
    let request = Session(.stubbed(by: stubs)).request(Self.base + "/old").redirect(using: .doNotFollow)
    #expect(await request.response().status == 302)
  }

  @Test func `a cookie that a stubbed response sets is sent with the next request`() async throws {
    let stubs: StubTransport = ["\(Self.base)/login": .status(204).with(.setCookie, "id=7; Path=/"), "\(Self.base)/me": .text("me")]
    let session = Session(.stubbed(by: stubs))
    _ = await session.request(Self.base + "/login").response()
    _ = await session.request(Self.base + "/me").response()
    #expect(stubs.requests.last?.headerFields[.cookie] == "id=7")
  }

  @Test func `a request with a credential answers a stubbed digest challenge`() async throws {
    let stubs = StubTransport { request in
      guard let answer = request.headerFields[.authorization] else {
        return .status(401, headerFields: [.wwwAuthenticate: #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256"#])
      }
      return .text(answer)
    }
    let answer = try await Session(.stubbed(by: stubs)).request(Self.base).authenticate(user: "u", password: "p").string
    #expect(answer.hasPrefix(#"Digest username="u", realm="r""#))
    #expect(stubs.requests.count == 2)
  }

  @Test func `a stubbed failure is retried by the retry policy`() async throws {
    let count = Mutex(0)
    let session = Session(
      .stubbed { _ in
        let number = count.withLock { count in
          count += 1
          return count
        }
        return number < 3 ? .status(503) : .text("up")
      })
    let request = session.request(Self.base, interceptor: .retryPolicy(limit: 3, delay: .zero))
    #expect(try await request.string == "up")
    #expect(request.retryCount == 2)
  }

  @Test func `if the status of a stubbed response fails validation, the error is a validation error`() async throws {
    let response = await Session(.stubbed { _ in .status(500) }).request(Self.base).validate().response()
    #expect(response.error?.reason == .validation(.unacceptableStatus(500)))
  }

  @Test func `if a download has a stubbed response, the body is written to the download's target file`() async throws {
    let folder = try TemporaryFolder()
    let session = Session(.stubbed { _ in .bytes([UInt8](repeating: 7, count: 300_000)) })
    let request = session.download(Self.base + "/big", to: DownloadTarget(path: folder.path + "/big"))
    #expect(try await request.validate().file == folder.path + "/big")
    #expect(try await request.data.count == 300_000)
    #expect(folder.names == ["big"])
  }

  @Test func `the stream of a stubbed response is read in pieces`() async throws {
    let text = (0..<20_000).map { "line \($0)\n" }.joined()
    var lines: [String] = []
    for try await line in Session(.stubbed { _ in .text(text) }).stream(Self.base).validate().lines { lines.append(line) }
    #expect(lines.count == 20_000)
    #expect(lines.last == "line 19999")
  }

  @Test func `a stubbed body over the size limit is an error`() async throws {
    var configuration = SessionConfiguration.stubbed { _ in .bytes([1, 2, 3]) }
    configuration.settings.maximumBodyBytes = 2
    #expect(await Session(configuration).request(Self.base).response().error?.reason == .bodyTooLarge(limit: 2))
  }

  @Test func `a stub that takes longer than the idle timeout causes an idle timeout`() async throws {
    var configuration = SessionConfiguration.stubbed { _ in StubbedResponse.text("late").delayed(by: .seconds(3600)) }
    configuration.settings.idleTimeout = .milliseconds(20)
    #expect(await Session(configuration).request(Self.base).response().error?.reason.timeout?.limit == .idle)
  }

  @Test func `cancelling a request ends the wait for a stubbed response with a delay`() async throws {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let session = Session(
      .stubbed { _ in
        begin.yield()
        return StubbedResponse.text("late").delayed(by: .seconds(3600))
      })
    let request = session.request(Self.base).resume()
    for await _ in begun { break }
    request.cancel()
    #expect(await request.response().error?.reason == .cancelled)
  }

  @Test func `the metrics of a stubbed response contain one HTTP transaction with the size of the body`() async throws {
    let response = await Session(.stubbed { _ in .text("four") }).request(Self.base).response()
    #expect(response.metrics.flatMap(\.transactions).map(\.responseBodyBytes) == [4])
  }

  @Test func `a TCP stream is refused in a stubbed session`() async throws {
    let stream = Session(.stubbed { _ in .text("") }).stream(toHost: "127.0.0.1", port: 9)
    await #expect(throws: NetworkingError.self) { try await stream.read(atMost: 1) }
  }

  @Test func `a session with a stub transport fetches OAuth tokens through the stub transport`() async throws {
    let stubs = StubTransport { _ in .text("token") }
    let transport = SessionTransport(Session(.stubbed(by: stubs)))
    #expect(try await transport.send(TransferRequest(url: Self.base + "/token"), for: .token).bytes == Array("token".utf8))
    #expect(stubs.requests.count == 1)
  }

  @Test func `a stubbed response has the header fields whose names were given as strings`() async {
    let stubs: StubTransport = ["https://api.test/": .status(418).with(headers: ["X-Pot": "1"])]
    let response = await Session(.stubbed(by: stubs)).request("https://api.test/").response()
    #expect(response.response?.headerFields.map { "\($0.name): \($0.value)" } == ["X-Pot: 1"])
  }

  @Test func `a request whose stub has an invalid header field name fails`() async {
    let stubs: StubTransport = ["https://api.test/": .status(200).with(headers: ["X Pot": "1"])]
    let response = await Session(.stubbed(by: stubs)).request("https://api.test/").response()
    #expect(response.error?.reason == .invalidRequest("`X Pot` is not a valid header name"))
  }
}
