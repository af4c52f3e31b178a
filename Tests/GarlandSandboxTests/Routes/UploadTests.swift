import GarlandCrypto
import GarlandJSON
import Testing

@testable import GarlandSandbox

@Suite struct UploadTests {
  @Test func `the response to a large upload, chunked or not, contains the digest of the uploaded body`() async throws {
    try await withSandbox { sandbox in
      let body = PatternBytes(seed: 5).bytes(0..<5_000_000)
      let expected = try Digest(of: body, using: .sha256).hex
      let response = try sandbox.request("POST", "/upload", body: body)
      #expect(response.json["size"] == 5_000_000)
      #expect(response.json["sha256"]?.stringValue == expected)

      let client = try RawClient(port: sandbox.port)
      try client.send("PUT /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      for start in stride(from: 0, to: body.count, by: 100_000) {
        try client.send("186A0\r\n")
        try client.send(Array(body[start..<start + 100_000]) + [0x0D, 0x0A])
      }
      try client.send("0\r\nX-Trailer: t\r\n\r\n")
      let chunked = try client.response()
      #expect(chunked.json["sha256"]?.stringValue == expected)
      #expect(chunked.json["chunked"] == true)
      #expect(sandbox.records.map(\.body.sha256) == [expected, expected])
    }
  }

  @Test func `the echo route of the sandbox shows only the size of a request body that is above the size limit`() async throws {
    var options = SandboxOptions()
    options.keptBodyLimit = 100
    try await withSandbox(options) { sandbox in
      let response = try sandbox.request("POST", "/anything", body: [UInt8](repeating: 0x61, count: 101))
      #expect(response.json["body"]?["size"] == 101)
      #expect(response.json["body"]?["text"] == .null)
      #expect(response.json["body"]?["base64"] == .null)
      #expect(try sandbox.request("POST", "/anything", body: [UInt8](repeating: 0x61, count: 100)).json["body"]?["text"] != .null)
    }
  }

  @Test func `if a request expects status 100, the sandbox can refuse it before the body arrives`() async throws {
    try await withSandbox { sandbox in
      for (target, status) in [
        ("/upload?limit=10", 413), ("/upload?refuse=417", 417), ("/expect-continue?answer=401", 401), ("/nowhere", 404),
      ] {
        let client = try RawClient(port: sandbox.port)
        try client.send("POST \(target) HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n")
        let response = try client.singleResponse()
        #expect(response.status == status)
        #expect(response.first("Connection") == "close")
      }
    }
  }

  @Test func `a chunked body above the size limit is refused with status 413`() async throws {
    try await withSandbox { sandbox in
      let client = try RawClient(port: sandbox.port)
      try client.send("POST /upload?limit=1000 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<20 { try client.send("64\r\n\(String(repeating: "a", count: 100))\r\n") }
      #expect(try client.response().status == 413)
      #expect(try sandbox.request("POST", "/upload?limit=1000", body: [UInt8](repeating: 1, count: 1_000)).status == 200)
    }
  }

  @Test func `status 100 is sent only to a request that expects it`() async throws {
    try await withSandbox { sandbox in
      let client = try RawClient(port: sandbox.port)
      try client.send("POST /expect-continue HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.singleResponse().status == 100)
      try client.send("hello")
      let response = try client.singleResponse()
      #expect(response.json["expected"] == true)
      #expect(response.json["continued"] == true)
      #expect(response.json["size"] == 5)

      try client.send("POST /expect-continue?answer=never HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello")
      let never = try client.singleResponse()
      #expect(never.status == 200)
      #expect(never.json["continued"] == false)

      #expect(try sandbox.request("POST", "/expect-continue", body: [1]).json["expected"] == false)
      #expect(try sandbox.request("POST", "/anything", ["Expect: 200-ok"], body: [1]).status == 417)
      #expect(try sandbox.request("POST", "/expect-continue?answer=maybe", body: [1]).status == 400)
    }
  }

  @Test func `the sandbox decodes a form and responds with 400 or 415 to a body that is not a valid form`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.request("POST", "/form", form: "a=1+2&a=%2B").json["values"] == ["a": ["1 2", "+"]])
      #expect(try sandbox.request("POST", "/form", json: "{}").status == 415)
      let type = "Content-Type: multipart/form-data; boundary=b"
      let file = PatternBytes(seed: 9).bytes(0..<300_000)
      let body = Array("--b\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n".utf8) + file + Array("\r\n--b--\r\n".utf8)
      let response = try sandbox.request("POST", "/multipart", [type], body: body)
      #expect(response.json["parts"]?[0]?["size"] == 300_000)
      #expect(response.json["parts"]?[0]?["sha256"]?.stringValue == (try Digest(of: file, using: .sha256).hex))
      #expect(try sandbox.request("POST", "/multipart", [type], body: Array(body.dropLast(4))).status == 400)
      #expect(try sandbox.request("POST", "/multipart", ["Content-Type: multipart/form-data"], body: body).status == 400)
      #expect(try sandbox.request("POST", "/multipart", body: body).status == 415)
    }
  }
}
