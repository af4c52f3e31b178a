import FoundationEssentials
import GarlandJSON
import GarlandNetworking
import GarlandText
import HTTPTypes
import Testing

/// Tests that the results equal those of Alamofire.
@Suite(.timeLimit(.minutes(15))) struct ParameterEncodingTests {
  @Test(
    arguments: [
      (["foo": ["a", 1, true]], "foo%5B%5D=a&foo%5B%5D=1&foo%5B%5D=1"),
      (["foo": ["bar": ["baz": 1]]], "foo%5Bbar%5D%5Bbaz%5D=1"),
      ([" foo ": " bar "], "%20foo%20=%20bar%20"),
      (["percent": "%25"], "percent=%2525"),
      (["foo": 1, "bar": 2], "bar=2&foo=1"),
      (["foo": "bar"], "foo=bar"), (["foo": "bar", "baz": "qux"], "baz=qux&foo=bar"), (["foo": 1.1], "foo=1.1"),
      (["foo": true, "bar": false], "bar=0&foo=1"), (["foo": ["bar": 1]], "foo%5Bbar%5D=1"),
      (["foo": ["bar": ["baz": ["a", 1]]]], "foo%5Bbar%5D%5Bbaz%5D%5B%5D=a&foo%5Bbar%5D%5Bbaz%5D%5B%5D=1"),
      (["reserved": ":#[]@!$&'()*+,;=?/"], "reserved=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D?/"),
      (["null": .null, "empty": "", "list": []], "empty="),
    ] as [(JSONValue, String)])
  func `URL-encoded parameters equal those that Alamofire encodes`(_ value: JSONValue, _ expected: String) throws {
    #expect(try URLEncodedParameters().encode(value) == expected)
  }

  @Test func `if a JSON number is written into URL-encoded parameters, all its digits are unchanged`() throws {
    #expect(try URLEncodedParameters().encode(JSONValue(parsing: #"{"d":1.0,"n":12345678901234567890}"#)) == "d=1.0&n=12345678901234567890")
  }

  @Test func `each option of URLEncodedParameters changes the encoded parameters as documented`() throws {
    #expect(try URLEncodedParameters(arrays: .noBrackets).encode(["a": [1, 2]]) == "a=1&a=2")
    #expect(try URLEncodedParameters(arrays: .indexInBrackets).encode(["a": [1, 2]]) == "a%5B0%5D=1&a%5B1%5D=2")
    #expect(try URLEncodedParameters(arrays: .custom { "\($0).\($1)" }).encode(["a": [1]]) == "a.0=1")
    #expect(try URLEncodedParameters(booleans: .literal).encode(["a": true, "b": false]) == "a=true&b=false")
    #expect(try URLEncodedParameters(spaces: .plusReplaced).encode(["a b": "c d+"]) == "a+b=c+d%2B")
    #expect(try URLEncodedParameters(nulls: .dropValue).encode(["a": .null]) == "a=")
    #expect(try URLEncodedParameters(nulls: .nullAsString).encode(["a": .null]) == "a=null")
    #expect(try URLEncodedParameters(keys: .snakeCase).encode(["oneTwo": 1, "myURLProperty": 2]) == "my_url_property=2&one_two=1")
    #expect(try URLEncodedParameters(keys: .kebabCase).encode(["oneTwo": 1]) == "one-two=1")
    #expect(try URLEncodedParameters(sortsKeys: false).encode(["b": 1, "a": 2]) == "b=1&a=2")
    #expect(throws: ParameterEncodingError.notAnObject) { try URLEncodedParameters().encode([1]) }
  }

  @Test func `the names of nested URL-encoded parameters use brackets or dots, or are made by the caller's closure`() throws {
    let nested: JSONValue = ["a": ["b": ["c": 1]]]
    #expect(try URLEncodedParameters(keyPaths: .brackets).encode(nested) == "a%5Bb%5D%5Bc%5D=1")
    #expect(try URLEncodedParameters(keyPaths: .dots).encode(nested) == "a.b.c=1")
    #expect(try URLEncodedParameters(keyPaths: .custom { "-\($0)" }).encode(nested) == "a-b-c=1")
  }

  @Test func `the caller can choose which bytes of a form are not percent-encoded`() throws {
    let allowed = PercentEncoding.unreserved.union(.init("[]:"))
    #expect(try URLEncodedParameters(allowedBytes: allowed).encode(["a": ["b:/c"]]) == "a[]=b:%2Fc")
  }

  @Test func `if the closure that encodes dates or binary data in parameters throws, the request fails`() async throws {
    struct Late: Error {}
    let session = Session(.stubbed { _ in .status(204) })
    let late = ParameterEncodingError.failed(.init(Late()))
    for encoding in [JSONParameters(dates: .formatted { _ in throw Late() }), JSONParameters(data: .custom { _ in throw Late() })] {
      let request = session.request("https://h/", method: .post, parameters: ["d": .date(.now), "b": .data([1])], encoding: encoding)
      #expect(await request.response().error?.reason == .parameters(late))
    }
    let form = URLEncodedParameters(dates: .formatted { _ in throw Late() })
    #expect(
      await session.request("https://h/", parameters: ["d": .date(.now)], encoding: form).response().error?.reason == .parameters(late))
  }

  @Test func `a custom parameter encoding can set the body of a request or throw its own error`() async throws {
    struct Lines: ParameterEncoding {
      func encode(_ parameters: StructuredValue, into request: inout TransferRequest) throws(ParameterEncodingError) {
        guard case .object(let members) = parameters else { throw .notAnObject }
        request.body = .bytes(Array(members.map { "\($0.key)=\($0.value.json())\n" }.joined().utf8))
        request.headerFields[.contentType] = "text/x-lines"
      }
    }
    try await withSandbox { (session, sandbox) async throws in
      let echo = try await session.request(sandbox.url + "/post", method: .post, parameters: ["b": 1, "a": "x"], encoding: Lines()).json
      #expect(echo["body"]?["text"] == "b=1\na=\"x\"\n")
      #expect(echo["header"]?["content-type"] == "text/x-lines")
      let refused = await session.request(sandbox.url, parameters: [1], encoding: Lines()).response()
      #expect(refused.error?.reason == .parameters(.notAnObject))
    }
  }

  @Test func `parameters are sent in the order of their dictionary literal`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let url = sandbox.url + "/anything?x=1"
      let unsorted = try await session.request(url, parameters: ["b": 1, "a": "x"], encoding: URLEncodedParameters(sortsKeys: false)).json
      #expect(unsorted["query"]?["raw"] == "x=1&b=1&a=x")
      let same = try await session.request(url, parameters: ["b": 1, "a": 2], encoding: URLEncodedParameters(sortsKeys: false)).json
      #expect(same["query"]?["raw"] == "x=1&b=1&a=2")
      let json = try await session.request(url, method: .put, parameters: ["b": 1, "a": 2], encoding: .json).json
      #expect(json["body"]?["text"] == #"{"b":1,"a":2}"#)
      let received: JSONValue = ["b": 1, "a": 2]
      let sent = try await session.request(url, method: .put, parameters: received, encoding: .json).json
      #expect(sent["body"]?["text"] == #"{"b":1,"a":2}"#)
      #expect(try await session.request(url, parameters: StructuredValue?.none).json["query"]?["raw"] == "x=1")
      struct Named: Encodable { var b = 1, a = 2 }
      let named = try await session.request(url, method: .put, parameters: Named(), encoding: .json).json
      #expect(named["body"]?["text"] == #"{"b":1,"a":2}"#)
    }
  }

  @Test func `the method or the configured destination decides whether parameters are sent in the query or the body`() throws {
    var get = TransferRequest(url: "http://h/p?x=1#f")
    try URLEncodedParameters().apply(["foo": 1], to: &get)
    #expect(get.url == "http://h/p?x=1&foo=1#f")
    #expect(get.body.isEmpty)
    var post = TransferRequest(url: "http://h/p", method: .post)
    try URLEncodedParameters().apply(["foo": 1, "bar": 2], to: &post)
    #expect(post.url == "http://h/p")
    #expect(post.headerFields[.contentType] == "application/x-www-form-urlencoded; charset=utf-8")
    guard case .bytes(let bytes) = post.body else {
      Issue.record("no body")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "bar=2&foo=1")
    // The destination overrides the method.
    var query = TransferRequest(url: "http://h/p", method: .post)
    try URLEncodedParameters(destination: .query).apply(["foo": 1], to: &query)
    #expect(query.url == "http://h/p?foo=1")
    #expect(query.body.isEmpty)
    #expect(query.headerFields[.contentType] == nil)
    var body = TransferRequest(url: "http://h/p?x=1", method: .delete)
    try URLEncodedParameters(destination: .body).apply(["foo": 1], to: &body)
    #expect(body.url == "http://h/p?x=1")
    guard case .bytes(let content) = body.body else {
      Issue.record("no body")
      return
    }
    #expect(String(decoding: content, as: UTF8.self) == "foo=1")
  }

  @Test func `parameters are sent as an XML property list, and a null value is refused`() throws {
    let bytes = try PropertyListParameters().encode(["b": [1, 1.5, true], "a": "<&>"])
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>a</key>
        \t<string>&lt;&amp;&gt;</string>
        \t<key>b</key>
        \t<array>
        \t\t<integer>1</integer>
        \t\t<real>1.5</real>
        \t\t<true/>
        \t</array>
        </dict>
        </plist>

        """)
    #expect(throws: ParameterEncodingError.null(path: "a[0]")) { try PropertyListParameters().encode(["a": [.null]]) }
  }
}
