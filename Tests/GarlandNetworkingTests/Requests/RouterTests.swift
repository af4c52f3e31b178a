import FoundationEssentials
import GarlandNetworking
import TestSupport
import Testing

/// Tests custom types that represent URLs and requests, and base URLs.
@Suite(.timeLimit(.minutes(15))) struct RouterTests {
  private struct Refused: Error {}

  private enum Endpoint: URLConvertible {
    case user(Int)
    case broken

    func asURL() throws -> String {
      switch self {
      case .user(let id): "https://api.example.com/users/\(id)"
      case .broken: throw Refused()
      }
    }
  }

  private enum Router: URLRequestConvertible {
    case create(name: String)
    case broken

    func asURLRequest() throws -> TransferRequest {
      switch self {
      case .create(let name):
        var request = TransferRequest(url: "https://api.example.com/users", method: .post)
        try JSONParameters().encode(["name": .string(name)], into: &request)
        return request
      case .broken: throw Refused()
      }
    }
  }

  private func echo() -> (Session, StubTransport) {
    let stubs = StubTransport { request in
      .text("\(request.method.rawValue) \(request.url) \(String(decoding: try await request.content(), as: UTF8.self))")
    }
    return (Session(.stubbed(by: stubs)), stubs)
  }

  @Test func `the URL of a request can be a value of a custom type`() async throws {
    #expect(try await echo().0.request(Endpoint.user(7)).string == "GET https://api.example.com/users/7 ")
  }

  @Test func `the URL of a request can be a URL or URLComponents value of Foundation`() async throws {
    let url = try #require(URL(string: "https://api.example.com/a?b=c"))
    #expect(try await echo().0.request(url).string == "GET https://api.example.com/a?b=c ")
    var components = URLComponents()
    components.scheme = "https"
    components.host = "api.example.com"
    components.path = "/d"
    #expect(try await echo().0.request(components).string == "GET https://api.example.com/d ")
  }

  @Test func `if the method 'asURL' of a custom type throws an error, the request fails with this error`() async throws {
    #expect(await echo().0.request(Endpoint.broken).response().error?.reason == .adaptation(.init(Refused())))
  }

  @Test func `a request made by a URLRequestConvertible enum is sent with its method and content`() async throws {
    let sent = try await echo().0.request(Router.create(name: "Ada")).string
    #expect(sent == #"POST https://api.example.com/users {"name":"Ada"}"#)
  }

  @Test func `parameters with values from Swift variables are encoded into the URL of a request`() throws {
    let (name, page) = ("Ada", 2)
    var request = TransferRequest(url: "https://h/")
    try URLEncodedParameters().encode(["name": name, "page": page], into: &request)
    #expect(request.url == "https://h/?name=Ada&page=2")
  }

  @Test func `a request made by a URLRequestConvertible enum is sent with the cookies of the session`() async throws {
    let (session, stubs) = echo()
    session.cookies?.insert(Cookie(name: "id", value: "1", domain: "api.example.com"))
    _ = await session.request(Router.create(name: "Ada")).response()
    #expect(stubs.requests.first?.headerFields[.cookie] == "id=1")
  }

  @Test func `an error thrown by a URLRequestConvertible enum fails the request`() async throws {
    #expect(await echo().0.request(Router.broken).response().error?.reason == .adaptation(.init(Refused())))
  }

  @Test func `the response to a request made by a URLRequestConvertible enum can be downloaded and streamed`() async throws {
    let folder = try TemporaryFolder()
    let download = echo().0.download(Router.create(name: "Ada"), to: DownloadTarget(path: folder.path + "/x"))
    #expect(try await download.string.hasPrefix("POST "))
    var text = ""
    for try await piece in echo().0.stream(Router.create(name: "Ada")).values(with: .string) { text += piece }
    #expect(text.hasPrefix("POST "))
  }

  @Test(arguments: [
    ("https://h/v1", "users/1", "https://h/v1/users/1"), ("https://h/v1/", "users?a=b", "https://h/v1/users?a=b"),
    ("https://h/v1", "/users", "https://h/users"), ("https://h", "users", "https://h/users"), ("https://h/v1", "", "https://h/v1/"),
    ("https://h/v1", "http://other/x", "http://other/x"), ("https://h/v1", "../v2", "https://h/v2"),
  ])
  func `a relative URL is resolved against the session's base URL`(_ base: String, _ url: String, _ expected: String) async throws {
    let stubs = StubTransport { _ in .status(204) }
    var configuration = SessionConfiguration.stubbed(by: stubs)
    configuration.baseURL = base
    let session = Session(configuration)
    _ = await session.request(url).response()
    _ = await session.request(TransferRequest(url: url)).response()
    #expect(stubs.requests.map(\.url) == [expected, expected])
  }

  @Test func `a download without a target is written to a new temporary file`() async throws {
    let session = Session(.stubbed { _ in .text("x") })
    let first = try await session.download("https://h/a").file
    let second = try await session.download("https://h/a").file
    #expect(first != second)
    #expect(try String(contentsOfFile: first, encoding: .utf8) == "x")
    for path in [first, second] { try FileManager.default.removeItem(atPath: path) }
  }
}
