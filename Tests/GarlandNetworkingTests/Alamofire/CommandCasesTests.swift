import FoundationEssentials
import GarlandNetworking
import Testing

/// Tests JSON and property-list bodies, and curl commands, as Alamofire's tests do.
@Suite struct CommandCasesTests {
  private struct Value: Encodable { var property = "property" }

  private let session = Session(.stubbed { _ in .text("ok") })

  private func body(_ request: DataRequest) -> String {
    guard case .bytes(let bytes) = request.request?.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `a JSON body sets its content type unless the request sets one`() {
    let request = session.request("https://h/", method: .post, parameters: Value(), encoding: .json)
    #expect(body(request) == #"{"property":"property"}"#)
    #expect(request.request?.headerFields[.contentType] == "application/json")
    let typed = session.request("https://h/", method: .post, parameters: Value(), encoding: .json, headers: [.contentType: "type"])
    #expect(typed.request?.headerFields[.contentType] == "type")
  }

  @Test func `an option of the JSON encoder sorts the keys, and another option indents the JSON`() {
    let sorted = JSONParameters(options: .init(sortsKeys: true))
    let parameters = ["z": "z", "a": "a", "p": "p"]
    #expect(
      body(session.request("https://h/", method: .post, parameters: parameters, encoding: sorted)) == #"{"a":"a","p":"p","z":"z"}"#)
    let pretty = session.request("https://h/", method: .post, parameters: Value(), encoding: JSONParameters(options: .pretty))
    #expect(body(pretty) == "{\n  \"property\": \"property\"\n}")
  }

  @Test func `in Swift, a parameter encoding can be written with a leading dot instead of its type name`() {
    #expect(session.request("https://h/", parameters: Value(), encoding: .url).request?.url == "https://h/?property=property")
    let query = session.request("https://h/", method: .post, parameters: Value(), encoding: .query)
    #expect(query.request?.url == "https://h/?property=property")
    #expect(body(session.request("https://h/", parameters: Value(), encoding: .form)) == "property=property")
    #expect(body(session.request("https://h/", method: .post, parameters: Value(), encoding: .json)) == #"{"property":"property"}"#)
  }

  @Test func `the curl command of a multipart form does not contain the content type that the session sets`() {
    var configuration = SessionConfiguration.ephemeral
    configuration.headerFields[.contentType] = "application/json"
    let upload = Session(configuration).upload(to: "https://h/") { $0.append("1", name: "a") }
    #expect(upload.cURLDescription.contains("a=1"))
    #expect(!upload.cURLDescription.contains("application/json"))
  }

  @Test func `if the caller sets a multipart content type without a boundary, the content type of the form is sent instead`() async {
    let stubs = StubTransport { _ in .text("ok") }
    let session = Session(.stubbed(by: stubs))
    let upload = session.upload(to: "https://h/", headers: ["Content-Type": "multipart/form-data"]) { $0.append("1", name: "a") }
    #expect(!upload.cURLDescription.contains("Content-Type"))
    _ = await upload.response()
    #expect(stubs.requests.last?.headerFields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    var form = MultipartFormData(boundary: "b")
    form.append("1", name: "a")
    _ = await session.upload(.multipart(form), to: "https://h/", headers: ["Content-Type": "multipart/own; boundary=b"]).response()
    #expect(stubs.requests.last?.headerFields[.contentType] == "multipart/own; boundary=b")
  }

  @Test func `a list can be sent as a JSON body`() {
    let request = session.request("https://h/", method: .post, parameters: ["foo", "bar"], encoding: .json)
    #expect(body(request) == #"["foo","bar"]"#)
    #expect(request.request?.headerFields[.contentType] == "application/json")
  }

  @Test func `a request without parameters has neither query nor body`() {
    let request = session.request("https://h/")
    #expect(request.request?.url == "https://h/")
    #expect(request.request?.body.isEmpty == true)
    #expect(session.request("https://h/", parameters: [:]).request?.url == "https://h/")
    for made in [
      session.request("https://h/", method: .post, parameters: nil, encoding: .json),
      session.request("https://h/", method: .post, parameters: nil, encoding: .propertyList),
    ] {
      #expect(made.request?.url == "https://h/" && made.request?.body.isEmpty == true)
      #expect(made.request?.headerFields[.contentType] == nil)
    }
  }

  @Test func `parameters are appended to the query of the URL, and the query is percent-encoded`() async {
    #expect(session.request("https://h/?baz=qux", parameters: ["foo": "bar"]).request?.url == "https://h/?baz=qux&foo=bar")
    let stubs = StubTransport { _ in .text("ok") }
    _ = await Session(.stubbed(by: stubs)).request("https://h/movies?hd=[1]", parameters: ["+page+": "+0+"]).response()
    #expect(stubs.requests.first?.url == "https://h/movies?hd=%5B1%5D&%2Bpage%2B=%2B0%2B")
  }

  @Test func `a property list body can contain dates and data`() {
    let parameters: Parameters = ["date": Date(timeIntervalSince1970: 0), "data": Data("data".utf8)]
    let request = session.request("https://h/", method: .post, parameters: parameters, encoding: .propertyList)
    #expect(body(request).contains("<date>1970-01-01T00:00:00Z</date>"))
    #expect(body(request).contains("ZGF0YQ=="))
    #expect(request.request?.headerFields[.contentType] == "application/x-plist")
    let typed = session.request(
      "https://h/", method: .post, parameters: parameters, encoding: .propertyList, headers: [.contentType: "application/custom+plist"])
    #expect(typed.request?.headerFields[.contentType] == "application/custom+plist")
  }

  // MARK: curl

  @Test func `if a request replaces a header field of its session, the curl command of the request contains only the new value`() {
    var configuration = SessionConfiguration.ephemeral
    configuration.headerFields[.acceptLanguage] = "en-US"
    let command = Session(configuration).request("https://h/", headers: ["Accept-Language": "en-GB"]).cURLDescription
    #expect(command.contains("Accept-Language: en-GB"))
    #expect(!command.contains("en-US"))
  }

  @Test func `the curl command of a request quotes the characters that a shell would change`() {
    let parameters: Parameters = ["foo": "bar", "fo\"o": "b\"ar", "f'oo": "ba'r"]
    let command = session.request("https://h/", method: .post, parameters: parameters, encoding: .json).cURLDescription
    #expect(command.contains(#"f'\''oo"#))
    #expect(command.contains("Content-Type: application/json"))
    let headers: HTTPHeaders = ["X-Custom-Header": #"{"key": "value"}"#]
    #expect(session.request("https://h/", headers: headers).cURLDescription.contains(#"X-Custom-Header: {"key": "value"}"#))
  }

  @Test func `the curl command of a request contains the cookies of the session`() async throws {
    let first = StubTransport { _ in .status(200, headerFields: [.setCookie: "foo=bar"]) }
    let session = Session(.stubbed(by: first))
    _ = await session.request("https://h.example/").response()
    #expect(session.request("https://h.example/").cURLDescription.contains("foo=bar"))
    var configuration = SessionConfiguration.stubbed(by: first)
    configuration.cookies = .none
    let without = Session(configuration)
    _ = await without.request("https://h.example/").response()
    #expect(!without.request("https://h.example/").cURLDescription.contains("foo=bar"))
  }

  @Test func `description and cURLDescription are not empty for a request whose URL is invalid`() {
    let request = session.request("https://exa mple.com/")
    #expect(!request.description.isEmpty)
    #expect(!request.cURLDescription.isEmpty)
  }
}
