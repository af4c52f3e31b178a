import GarlandJSON
import GarlandSandbox
import TestSupport
import Testing

/// Tests that compare the keys of steps with the requests that the sandbox's `/anything` received.
@Suite("Requests, as the server sees them")
struct RequestEchoTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    /// The keys of the step, in flow style.
    var step: String
    /// The expected values in the response, by expressions like JSON pointers.
    var echo: [String: JSONValue]
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a path segment and a query value are encoded for their places",
      step: #"get: "/anything/${'a/b c?'}/${'x' | upper}?q=${'1&2 =ü'}""#,
      echo: ["target": "/anything/a%2Fb%20c%3F/X?q=1%262%20%3D%C3%BC"]),
    Case(name: "raw opts out", step: #"get: "/anything/${'a/b' | raw}""#, echo: ["target": "/anything/a/b"]),
    Case(
      name: "query keeps order, repeats names, joins what the URL has",
      step: "get: '/anything?z=1', query: { b: [1, 2], a: true, n: 1.50 }", echo: ["target": "/anything?z=1&b=1&b=2&a=true&n=1.50"]),
    Case(
      name: "params of a GET go into the query as Alamofire writes them",
      step: "get: /anything, params: { foo: [a, 1, true], bar: { baz: 1 } }",
      echo: ["target": "/anything?bar%5Bbaz%5D=1&foo%5B%5D=a&foo%5B%5D=1&foo%5B%5D=1"]),
    Case(
      name: "params of a POST go into the body", step: "post: /anything, params: { foo: 1, bar: 2 }",
      echo: ["body.text": "bar=2&foo=1", "header.content-type": "application/x-www-form-urlencoded; charset=utf-8"]),
    Case(
      name: "form", step: "post: /anything, form: { b: 'x y', a: [1, 2] }",
      echo: ["body.text": "b=x+y&a=1&a=2", "header.content-type": "application/x-www-form-urlencoded"]),
    Case(
      name: "json keeps types, digits and order",
      step: #"put: /anything, json: { b: 9.50, a: "${1 + 1}", t: "${1 + 1 | string}", l: [null, "${true}"] }"#,
      echo: ["body.text": #"{"b":9.50,"a":2,"t":"2","l":[null,true]}"#, "header.content-type": "application/json", "method": "PUT"]),
    Case(
      name: "a content type that is written stays",
      step: "post: /anything, json: {}, headers: { content-type: application/vnd.x+json }",
      echo: ["header.content-type": "application/vnd.x+json", "body.text": "{}"]),
    Case(
      name: "text", step: "post: /anything, body: 'hä'", echo: ["body.text": "hä", "header.content-type": "text/plain; charset=utf-8"]),
    Case(
      name: "base64", step: "post: /anything, body: { base64: AAEC }",
      echo: [
        "body.size": 3, "body.sha256": "ae4b3280e56e2faf83f414a6e3dabe9d5fbe18976544c05fed121accb85b53fc",
        "header.content-type": "application/octet-stream",
      ]),
    Case(
      name: "a file is streamed", step: "post: /anything, body: { file: data.json }",
      echo: ["body.text": "{\"from\": \"file\"}", "header.content-type": "application/json", "header.content-length": "16"]),
    Case(
      name: "graphql", step: "post: /anything, graphql: { query: 'query Q { a }', variables: { n: 1 } }",
      echo: ["json": ["query": "query Q { a }", "variables": ["n": 1]], "header.content-type": "application/json"]),
    Case(
      name: "multipart",
      step: #"post: /anything, multipart: { note: "n ${1 + 1}", doc: { file: data.json }, j: { json: { a: 1 } } }"#,
      echo: [
        "multipart.parts.0.name": "note", "multipart.parts.0.text": "n 2", "multipart.parts.0.type": .null,
        "multipart.parts.1.filename": "data.json", "multipart.parts.1.type": "application/json", "multipart.parts.1.size": 16,
        "multipart.parts.2.text": #"{"a":1}"#, "multipart.parts.2.type": "application/json", "multipart.fault": .null,
      ]),
    Case(
      name: "plist", step: "post: /anything, plist: { a: 1 }",
      echo: ["header.content-type": "application/x-plist"]),
    Case(
      name: "headers merge by name whatever the case, null removes",
      step: "get: /anything, headers: { x-default: mine, X-Gone: null, X-Two: [a, b] }",
      echo: ["header.x-default": "mine", "header.x-gone": .null, "header.x-two": ["a", "b"]]),
    Case(
      name: "an expression gives the method", step: "method: \"${'PUT'}\", url: /anything, body: x",
      echo: ["method": "PUT", "body.text": "x"]),
    Case(
      name: "params go where the method of an expression has them",
      step: "method: \"${vars.verb}\", url: /anything, params: { a: 1 }", echo: ["method": "DELETE", "target": "/anything?a=1"]),
    Case(
      name: "an expression gives the name of a header",
      step: "get: /anything, headers: { \"X-${vars.word}\": mine, \"${vars.field}\": own }",
      echo: ["header.x-word": "mine", "header.x-default": "own"]),
    Case(
      name: "a header whose name an expression gives is removed by null", step: "get: /anything, headers: { \"${vars.field}\": null }",
      echo: ["header.x-default": .null]),
    Case(
      name: "an expression gives the name of a cookie", step: "get: /anything, cookies: { \"${vars.word}\": '1' }",
      echo: ["header.cookie": "word=1"]),
    Case(
      name: "an expression gives the name of a part's header",
      step: "post: /anything, multipart: { a: { text: b, headers: { \"X-${vars.word}\": c } } }",
      echo: ["multipart.parts.0.name": "a", "multipart.parts.0.text": "b"]),
    Case(
      name: "a slice of a file is sent", step: "post: /anything, body: { file: data.json, offset: 2, length: 6 }",
      echo: ["body.text": "from\":", "header.content-length": "6"]),
    Case(
      name: "a slice without a length reaches to the end of the file",
      step: "post: /anything, body: { file: data.json, offset: \"${5 + 5}\" }",
      echo: ["body.text": "file\"}", "header.content-length": "6"]),
    Case(
      name: "a slice ends where the file ends", step: "post: /anything, body: { file: data.json, offset: 10, length: 5MiB }",
      echo: ["body.text": "file\"}", "header.content-length": "6"]),
    Case(
      name: "a slice of a file is a part", step: "post: /anything, multipart: { a: { file: data.json, offset: 2, length: 4 } }",
      echo: ["multipart.parts.0.text": "from", "multipart.parts.0.filename": "data.json"]),
    Case(name: "bearer", step: "get: /anything, bearer: t0k", echo: ["header.authorization": "Bearer t0k"]),
    Case(name: "basic", step: "get: /anything, basic: 'user:pass:word'", echo: ["header.authorization": "Basic dXNlcjpwYXNzOndvcmQ="]),
    Case(name: "cookies", step: "get: /anything, cookies: { a: '1', b: x }", echo: ["header.cookie": "a=1; b=x"]),
    Case(
      name: "a body is compressed", step: "post: /anything, body: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', compress: deflate",
      echo: ["header.content-encoding": "deflate", "body.size": 12]),
    Case(
      name: "a file is compressed while it is sent",
      step: "post: /anything, body: { file: data.json }, compress: \"${['gz', 'ip'] | join('')}\"",
      echo: ["header.content-encoding": "gzip", "header.content-length": .null, "header.transfer-encoding": "chunked"]),
    Case(
      name: "nothing is compressed where there is nothing", step: "get: /anything, digest: 'a:b'", echo: ["header.authorization": .null]),
    Case(name: "any method", step: "method: PURGE, url: /anything", echo: ["method": "PURGE"]),
    Case(name: "another version", step: "get: /anything, http: 1.1", echo: ["version": "1.1"]),
  ]

  static func lookUp(_ path: String, in echo: JSONValue) -> JSONValue? {
    path.split(separator: ".").reduce(Optional(echo)) { value, name in
      if let index = Int(name) { value?[index] } else { value?[String(name)] }
    }
  }

  @Test(arguments: cases)
  func `for each key that describes a request, a step with this key sends the expected request`(_ test: Case) async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("data.json", "{\"from\": \"file\"}")
      let text = """
        garland: 1
        vars: { verb: DELETE, word: word, field: x-default }
        defaults: { base_url: "${env.SANDBOX}", headers: { X-Default: "1", X-Gone: "1" } }
        steps:
          it: { \(test.step) }
        """
      let run = try await TestRun.carryOut(text, sandbox, folder: folder)
      let result = try run.result("it")
      try #require(result.outcome == .passed, "\(result.reason ?? "") \(result.failures.map(\.message))")
      let body = try #require(result.exchanges.first?.responseBody?.bytes)
      let echo = try JSONValue(parsing: body)
      for (path, expected) in test.echo {
        #expect((Self.lookUp(path, in: echo) ?? .null) == expected, "\(path) is \(Self.lookUp(path, in: echo)?.jsonText() ?? "not there")")
      }
    }
  }

  @Test(arguments: [
    ("get: \"/anything/${vars.list}\"", "a list"), ("url: \"${env.FTP}\", method: GET", "only http and https"),
    ("get: /anything, headers: { X: \"${env.LINES}\" }", "line break"),
    ("post: /anything, body: { base64: \"${env.LINES}\" }", "not base64"),
    ("post: /anything, params: { a: 1 }, timeout: \"${env.LINES}\"", "duration"),
    ("method: \"${env.LINES}\", url: /anything", "not a valid HTTP method"),
    ("method: \"${env.POST}\", url: /anything, params: { a: 1 }, json: 1", "also has the body"),
    ("method: \"${env.POST}\", url: /anything, download: { to: x, resume: true }", "needs the method GET"),
    ("get: /anything, headers: { \"${env.LINES}\": x }", "not a valid header name"),
    ("get: /anything, headers: { \"${env.POST}\": x, Post: y }", "the name of another header"),
    ("get: /anything, headers: { \"Content-${'Length'}\": 5 }", "it is computed from the body"),
    ("get: /anything, bearer: x, headers: { \"Auth${'orization'}\": y }", "another kind of credentials"),
    ("get: /anything, cookies: { \"${env.LINES}\": x }", "not a valid cookie name"),
    ("post: /anything, body: { base64: YQ== }, headers: { X: \"${env.LINES}\" }", "line break"),
  ])
  func `if an expression gives an invalid value for a part of a request, the step fails and sends no request`(step: String, words: String)
    async throws
  {
    try await withSandbox { sandbox in
      let text = """
        garland: 1
        vars: { list: "${[env.LINES]}" }
        defaults: { base_url: "${env.SANDBOX}" }
        steps:
          it: { \(step) }
        """
      let run = try await TestRun.carryOut(text, sandbox) {
        $0.environment["LINES"] = "a\nb"
        $0.environment["POST"] = "post"
        $0.environment["FTP"] = "ftp://x/y"
      }
      let result = try run.result("it")
      #expect(result.outcome == .failed)
      #expect(result.failures.contains { $0.message.contains(words) && $0.range != nil }, "\(result.failures.map(\.message))")
      #expect(sandbox.records.isEmpty)
    }
  }

  @Test func `a step fails with an error if the slice of a file begins after the end of the file`() async throws {
    try await withSandbox { sandbox in
      let folder = try TemporaryFolder()
      try folder.write("data.json", "12345")
      let run = try await TestRun.carryOut(
        prelude + "  it: { post: /anything, body: { file: data.json, offset: 6 } }\n", sandbox, folder: folder)
      let result = try run.result("it")
      #expect(result.outcome == .error)
      #expect(result.failures.first?.message.hasPrefix("the slice begins at byte 6") == true, "\(result.failures.map(\.message))")
      #expect(sandbox.records.isEmpty)
    }
  }

  @Test func `the steps of a document share their cookies`() async throws {
    try await withSandbox { sandbox in
      let run = try await TestRun.carryOut(
        prelude + """
            set: { get: "/cookies/set/a/1" }
            get: { get: /anything, after: set, expect: { json: { $.header.cookie: "a=1" } } }
            none: { get: /anything, after: set, cookies: none, expect: { json: { $.header.cookie: { exists: false } } } }
            file: { get: "/cookies/set/kept/2", cookies: jar.txt }
          """, sandbox)
      #expect(run.summary.exitStatus == 0, "\(run.results.flatMap(\.failures).map(\.message))")
    }
  }
}
