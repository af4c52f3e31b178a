import GarlandNetworking
import TestSupport
import Testing

/// Tests header fields whose names are strings.
@Suite(.timeLimit(.minutes(15))) struct HTTPHeadersTests {
  private func sent(_ make: (Session) -> DataRequest) async throws -> HTTPFields {
    let stubs = StubTransport { _ in .status(204) }
    _ = await make(Session(.stubbed(by: stubs))).response()
    return stubs.requests.first?.headerFields ?? [:]
  }

  @Test func `header fields from a dictionary literal with string keys are sent`() async throws {
    let fields = try await sent { $0.request("https://h/", headers: ["X-Request-ID": "1", "Accept": "text/plain"]) }
    #expect(fields[.accept] == "text/plain")
    #expect(fields.contains { $0.name.rawName == "X-Request-ID" && $0.value == "1" })
  }

  @Test func `header fields can be given as a dictionary literal with HTTPField.Name values as keys`() async throws {
    #expect(try await sent { $0.request("https://h/", headers: [.accept: "text/plain"]) }[.accept] == "text/plain")
  }

  @Test func `header fields from a dictionary literal with string keys are sent together with parameters`() async throws {
    let name = "Ada"
    let fields = try await sent {
      $0.request("https://h/", method: .post, parameters: ["name": name, "id": 7], encoding: .json, headers: ["X-Request-ID": "1"])
    }
    #expect(fields.contains { $0.name.rawName == "X-Request-ID" })
    #expect(fields[.contentType] == "application/json")
  }

  @Test func `header fields that are given as HTTPHeaders are sent`() async throws {
    let headers: HTTPHeaders = [.authorization(bearerToken: "t"), .accept("text/html")]
    let fields = try await sent { $0.request("https://h/", headers: headers) }
    #expect(fields[.authorization] == "Bearer t")
    #expect(fields[.accept] == "text/html")
  }

  @Test func `each predefined function for a header field, such as contentType, gives the right name and value`() {
    let headers: HTTPHeaders = [
      .accept("a/b"), .acceptCharset("utf-8"), .acceptEncoding("br"), .acceptLanguage("de"),
      .authorization(username: "Ada", password: "pw"), .contentDisposition("inline"), .contentEncoding("gzip"),
      .contentType("text/plain"), .userAgent("me/1"),
    ]
    #expect(
      headers.description
        == """
        Accept: a/b
        Accept-Charset: utf-8
        Accept-Encoding: br
        Accept-Language: de
        Authorization: Basic QWRhOnB3
        Content-Disposition: inline
        Content-Encoding: gzip
        Content-Type: text/plain
        User-Agent: me/1
        """)
  }

  @Test func `in HTTPHeaders, a field replaces an earlier field whose name differs only in letter case`() {
    var headers: HTTPHeaders = ["a": "1", "B": "2", "A": "3"]
    #expect(headers.dictionary == ["A": "3", "B": "2"])
    headers["b"] = nil
    headers.add(name: "C", value: "4")
    #expect(headers.description == "A: 3\nC: 4")
    #expect(headers.value(for: "c") == "4")
  }

  @Test func `header fields are sorted by name only if the caller asks for it`() {
    let headers: HTTPHeaders = ["c": "", "a": "", "B": ""]
    #expect(headers.map(\.name) == ["c", "a", "B"])
    #expect(headers.description == "c: \na: \nB: ")
    #expect(headers.sorted().map(\.name) == ["a", "B", "c"])
  }

  @Test func `every method that creates a request accepts header fields whose names are given as strings`()
    async throws
  {
    let stubs = StubTransport { _ in .status(200) }
    let session = Session(.stubbed(by: stubs))
    let any: [String: Any] = ["a": 1, "b": "c"]
    _ = await session.request("https://h/1", parameters: any, headers: ["X-A": "b"]).response()
    _ = await session.request("https://h/2", parameters: ["a": 1] as [String: Int], headers: ["X-A": "b"]).response()
    _ = await session.download("https://h/3", parameters: any, headers: ["X-A": "b"]).response()
    _ = await session.download("https://h/4", parameters: ["b": "c", "a": 1], headers: ["X-A": "b"]).response()
    for try await _ in session.stream("https://h/5", method: .post, parameters: any, encoding: .json, headers: ["X-A": "b"]) {}
    for try await _ in session.stream("https://h/6", parameters: ["b": "c", "a": 1], headers: ["X-A": "b"]) {}
    let folder = try TemporaryFolder()
    _ = await session.upload(file: try folder.write("a.txt", "a"), to: "https://h/7", headers: ["X-A": "b"]).response()
    _ = await session.request("https://h/8", parameters: nil, headers: nil).response()
    let sent = stubs.requests
    #expect(sent.map(\.url).map { $0.dropFirst(10) } == ["1?a=1&b=c", "2?a=1", "3?a=1&b=c", "4?a=1&b=c", "5", "6?a=1&b=c", "7", "8"])
    #expect(sent.dropLast().allSatisfy { $0.headerFields.contains { $0.name.rawName == "X-A" } })
  }

  @Test func `an invalid header name fails the request`() async throws {
    let response = await Session(.stubbed { _ in .status(204) }).request("https://h/", headers: ["X Y": "1"]).response()
    #expect(response.error?.reason == .invalidRequest("`X Y` is not a valid header name"))
  }
}
