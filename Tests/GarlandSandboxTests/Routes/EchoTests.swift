import GarlandCrypto
import GarlandJSON
import Testing

@Suite struct EchoTests {
  @Test func `an echo route of the sandbox shows target, headers, cookies and body as received`() async throws {
    try await withSandbox { sandbox in
      let response = try sandbox.request(
        "POST", "/anything/a%20b?x=1&y=two+words&x=%C3%A9&flag",
        ["X-Twice: one", "accept: a/b", "X-TWICE: two", "Cookie: a=1; b=\"2\"", "Cookie: a=3"],
        json: #"{"n": 9.50}"#)
      let json = response.json
      #expect(response.status == 200)
      #expect(response.first("Content-Type") == "application/json")
      #expect(json["method"] == "POST")
      #expect(json["target"] == "/anything/a%20b?x=1&y=two+words&x=%C3%A9&flag")
      #expect(json["path"] == "/anything/a%20b")
      #expect(json["query"]?["raw"] == "x=1&y=two+words&x=%C3%A9&flag")
      #expect(json["query"]?["pairs"] == [["x", "1"], ["y", "two words"], ["x", "é"], ["flag", ""]])
      #expect(json["query"]?["values"] == ["x": ["1", "é"], "y": "two words", "flag": ""])
      #expect(
        json["headers"] == [
          ["Host", .string("127.0.0.1:\(sandbox.port)")], ["X-Twice", "one"], ["accept", "a/b"], ["X-TWICE", "two"],
          ["Cookie", "a=1; b=\"2\""],
          ["Cookie", "a=3"], ["Content-Type", "application/json"], ["Content-Length", "11"],
        ])
      #expect(json["header"]?["x-twice"] == ["one", "two"])
      #expect(json["cookies"] == ["a": ["1", "3"], "b": "\"2\""])
      #expect(json["body"]?["text"] == #"{"n": 9.50}"#)
      #expect(json["body"]?["size"] == 11)
      #expect(json["body"]?["sha256"]?.stringValue == (try Digest(of: Array(#"{"n": 9.50}"#.utf8), using: .sha256).hex))
      #expect(json["json"]?["n"]?.numberValue?.text == "9.50")
      #expect(json["connection"]?["id"] == 1)
      #expect(json["connection"]?["request"] == 1)
    }
  }

  @Test func `an echo route of the sandbox shows the fields of a form and the base64 of a binary body`() async throws {
    try await withSandbox { sandbox in
      let form = try sandbox.request("PUT", "/put", form: "a=1&b=x%26y&a=2")
      #expect(form.json["form"]?["pairs"] == [["a", "1"], ["b", "x&y"], ["a", "2"]])
      #expect(form.json["form"]?["values"] == ["a": ["1", "2"], "b": "x&y"])
      let binary = try sandbox.request("PATCH", "/patch", body: [0xFF, 0x00, 0xFE])
      #expect(binary.json["body"]?["base64"] == "/wD+")
      #expect(binary.json["body"]?["text"] == .null)
      let malformed = try sandbox.request("POST", "/post", json: "{")
      #expect(malformed.json["json"] == .null)
      #expect(malformed.json["body"]?["text"] == "{")
    }
  }

  @Test func `an echo route of the sandbox shows each part of a multipart body`() async throws {
    try await withSandbox { sandbox in
      let body = """
        preamble\r\n--XyZ\r\nContent-Disposition: form-data; name="caption"\r\n\r\nFront cover\r\n--XyZ\r\n\
        Content-Disposition: form-data; name="image"; filename="a \\"b\\".png"\r\nContent-Type: image/png\r\nX-Extra: 1\r\n\r\n\
        \r\n--X not a boundary\r\n\r\n--XyZ--\r\nepilogue
        """
      let response = try sandbox.request(
        "POST", "/anything", ["Content-Type: multipart/form-data; boundary=\"XyZ\""], body: Array(body.utf8))
      let parts = response.json["multipart"]?["parts"]
      #expect(response.json["multipart"]?["fault"] == .null)
      #expect(parts?.arrayValue?.count == 2)
      #expect(parts?[0]?["name"] == "caption")
      #expect(parts?[0]?["text"] == "Front cover")
      #expect(parts?[0]?["filename"] == .null)
      #expect(parts?[1]?["filename"] == "a \"b\".png")
      #expect(parts?[1]?["type"] == "image/png")
      #expect(parts?[1]?["text"] == "\r\n--X not a boundary\r\n")
      #expect(parts?[1]?["size"] == 22)
      #expect(parts?[1]?["headers"]?[2] == ["X-Extra", "1"])
      let recorded = try #require(sandbox.records.last)
      #expect(recorded.body.parts.map(\.name) == ["caption", "image"])
    }
  }

  @Test func `a sandbox route for one part of a request, such as /user-agent, returns only this part`() async throws {
    try await withSandbox { sandbox in
      let headers = try sandbox.get("/headers", ["b: 2", "A: 1"])
      #expect(headers.json["headers"]?[1] == ["b", "2"])
      #expect(try sandbox.get("/ip").json["address"] == "127.0.0.1")
      #expect(try sandbox.get("/user-agent", ["User-Agent: me/1"]).json == ["user_agent": "me/1"])
      #expect(try sandbox.request("DELETE", "/delete").json["method"] == "DELETE")
      #expect(try sandbox.get("/get").json["body"]?["size"] == 0)
    }
  }

  @Test func `the GraphQL route of the sandbox echoes a query and refuses a malformed one`() async throws {
    try await withSandbox { sandbox in
      let posted = try sandbox.request("POST", "/graphql", json: #"{"query": "{ books { title } }", "variables": {"a": [1]}}"#)
      #expect(posted.json["data"]?["echo"] == ["query": "{ books { title } }", "operationName": .null, "variables": ["a": [1]]])
      #expect(try sandbox.get("/graphql?query=%7Ba%7D&operationName=b").json["data"]?["echo"]?["operationName"] == "b")
      #expect(try sandbox.request("POST", "/graphql", json: #"{"query": "{ fail }"}"#).json["errors"]?[0]?["path"] == ["fail"])
      #expect(try sandbox.request("POST", "/graphql", json: "{}").status == 400)
      #expect(try sandbox.request("POST", "/graphql", json: "[]").status == 422)
    }
  }

  @Test func `the sandbox answers HEAD, OPTIONS and TRACE requests with the status and headers that the method requires`() async throws {
    try await withSandbox { sandbox in
      let head = try sandbox.request("HEAD", "/get")
      #expect(head.status == 200)
      #expect((head.first("Content-Length").flatMap { Int($0) } ?? 0) > 100)
      #expect(try sandbox.request("PURGE", "/anything").json["method"] == "PURGE")
      #expect(try sandbox.request("OPTIONS", "/anything").json["method"] == "OPTIONS")
      let options = try sandbox.request("OPTIONS", "/get")
      #expect(options.status == 204)
      #expect(options.first("Allow") == "GET, HEAD, OPTIONS")
      #expect(try sandbox.request("OPTIONS", "*").status == 204)
      let trace = try sandbox.request("TRACE", "/anything")
      #expect(trace.status == 405)
      #expect(trace.first("Allow") == "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS")
      #expect(try sandbox.request("CONNECT", "example.com:443").status == 501)
      #expect(try sandbox.request("POST", "/get", body: [1]).status == 405)
      #expect(try sandbox.get("/nowhere").status == 404)
      #expect(try sandbox.get("http://example.com:80/anything?x=1").json["query"]?["raw"] == "x=1", "the absolute form, as for a proxy")
      #expect(try sandbox.request("FROB", "/anything").status == 501)
    }
  }
}
