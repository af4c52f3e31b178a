import Foundation
import GarlandJSON
import GarlandNetworking
import Testing

/// Tests parameters as programs use them: variables, optionals, mixed values, and dictionaries from other code.
@Suite(.timeLimit(.minutes(15))) struct ParametersTests {
  private struct Form: Encodable {
    var name = "Ada"
    var nickname: String?
    var age: Int?
  }

  private class Base: Encodable {
    enum Keys: CodingKey { case tags }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(["a"], forKey: .tags)
    }
  }

  private final class Derived: Base {
    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(["b"], forKey: .tags)
    }
  }

  private func sent(_ make: (Session, String) -> DataRequest) async throws -> String? {
    try await withSandbox { (session, sandbox) async throws in
      try await make(session, sandbox.url + "/post").validate().json["body"]?["text"]?.stringValue
    }
  }

  @Test func `parameters that JSONSerialization has parsed are sent like parameters of Swift types`() throws {
    let text = #"{"big":12345678901,"id":7,"in":{"a":[1,2.5,"x",false]},"none":null,"ok":true,"price":1.5,"u":18446744073709551615}"#
    let values = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let session = Session(.stubbed { _ in .status(204) })
    func body(_ request: DataRequest) -> String? {
      guard case .bytes(let bytes) = request.request?.body else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(body(session.request("https://h/", method: .post, parameters: values, encoding: .json)) == text)
    #expect(session.request("https://h/", parameters: ["foo": NSNumber(value: 123)]).request?.url == "https://h/?foo=123")
    #expect(session.request("https://h/", parameters: ["foo": NSNumber(value: false)]).request?.url == "https://h/?foo=0")
    let others: Parameters = [
      "text": NSString("x"), "list": NSArray(array: [NSNumber(value: 2.5)]), "date": NSDate(timeIntervalSinceReferenceDate: 1),
      "price": NSDecimalNumber(string: "0.10"),
    ]
    #expect(
      body(session.request("https://h/", method: .post, parameters: others, encoding: .json))
        == #"{"text":"x","list":[2.5],"date":1.0,"price":0.1}"#)
  }

  @Test func `a request fails if a parameter is an NSNumber that is not finite`() async {
    let request = Session(.stubbed { _ in .status(204) }).request("https://h/", parameters: ["a": NSNumber(value: Double.nan)])
    #expect(await request.response().error?.reason == .parameters(.notFinite(path: "a")))
  }

  @Test func `a parameter of a request is set, replaced and removed by its name`() throws {
    var parameters: Parameters = ["b": 1]
    parameters["a"] = "x"
    parameters["c"] = [1, 2]
    parameters["b"] = 2.5
    parameters["c"] = nil
    #expect(parameters["a"] as? StructuredValue == "x" && parameters["c"] == nil)
    let request = Session(.ephemeral).request("https://h/", method: .post, parameters: parameters, encoding: .json).request
    guard case .bytes(let bytes)? = request?.body else {
      Issue.record("no body")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"b":2.5,"a":"x"}"#)
  }

  @Test func `parameters in a dictionary literal are sent in the order of the literal, even if their types differ`() async throws {
    let (name, score, tags) = ("Ada", 1.5, ["x", "y"])
    let nothing: Int? = nil
    let something: Int? = 3
    let body = try await sent { session, url in
      session.request(
        url, method: .post,
        parameters: [
          "name": name, "id": 7, "score": score, "tags": tags, "none": nothing, "some": something, "deep": ["z": name, "a": 1],
        ],
        encoding: .json)
    }
    #expect(
      body == #"{"name":"Ada","id":7,"score":1.5,"tags":["x","y"],"none":null,"some":3,"deep":{"a":1,"z":"Ada"}}"#)
  }

  @Test func `parameters in a dictionary literal keep the order of the literal, even if their values are String variables`() async throws {
    let (first, second) = ("1", "2")
    let body = try await sent { $0.request($1, method: .post, parameters: ["z": first, "a": second], encoding: .json) }
    #expect(body == #"{"z":"1","a":"2"}"#)
  }

  @Test func `parameters in a dictionary with values of type Any are sent in the order of their names`() async throws {
    let values: [String: Any] = ["name": "Ada", "id": 7, "list": [1, "a", true] as [Any], "date": ["at": Optional<Int>.none as Any]]
    let body = try await sent { $0.request($1, method: .post, parameters: values, encoding: .json) }
    #expect(body == #"{"date":{"at":null},"id":7,"list":[1,"a",true],"name":"Ada"}"#)
  }

  @Test func `a parameter that can't be encoded gives an error with its path and type`() async throws {
    struct Opaque {}
    let response = await Session(.ephemeral).request("http://127.0.0.1:9/", parameters: ["a": ["b": [Opaque()]]]).response()
    #expect(response.error?.reason == .parameters(.notEncodable(path: "a.b[0]", type: "Opaque")))
  }

  @Test func `the error for a parameter that is an infinite number contains the parameter's path`() async throws {
    let ratio = Double.infinity
    let response = await Session(.ephemeral).request("http://127.0.0.1:9/", parameters: ["a": 1, "ratio": ratio]).response()
    #expect(response.error?.reason == .parameters(.notFinite(path: "ratio")))
  }

  @Test func `if a class and its subclass encode the same key, the value of the subclass is sent`() throws {
    #expect(try StructuredEncoder().encode(Derived()) == ["tags": ["b"]])
  }

  @Test func `parameters that are nil are omitted from the JSON body of a request`() async throws {
    let body = try await sent { $0.request($1, method: .post, parameters: Form(), encoding: .json) }
    #expect(body == #"{"name":"Ada"}"#)
  }

  @Test func `with the option 'nullAsString', a form sends nil properties as the text 'null'`() async throws {
    let left = try await sent { $0.request($1, method: .post, parameters: Form(), encoding: .form) }
    #expect(left == "name=Ada")
    let kept = try await sent {
      $0.request($1, method: .post, parameters: Form(), encoding: URLEncodedParameters(destination: .body, nulls: .nullAsString))
    }
    #expect(kept == "age=null&name=Ada&nickname=null")
  }

  @Test func `a multipart form keeps its content type if the session sets another content type`() async throws {
    try await withSandbox { (_, sandbox) async throws in
      var configuration = SessionConfiguration.ephemeral
      configuration.headerFields[.contentType] = "application/json"
      let session = Session(configuration)
      let upload = session.upload(to: sandbox.url + "/post") { $0.append("1", name: "a") }
      let echo = try await upload.validate().json
      #expect(echo["header"]?["content-type"]?.stringValue?.hasPrefix("multipart/form-data; boundary=") == true)
    }
  }

  @Test func `the method 'validate' ignores the parameters of media types in the Accept field`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let request = session.request(sandbox.url + "/anything", headers: [.accept: "application/json; charset=utf-8"])
      #expect(await request.validate().response().error == nil)
    }
  }
}
