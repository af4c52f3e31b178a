import GarlandJSON
import GarlandSandbox
import Testing

@Suite struct AnswerTests {
  @Test func `the sandbox's status route sends the requested status and its header fields, such as Location for 302`() async throws {
    try await withSandbox { sandbox in
      for status in [200, 204, 205, 304, 401, 404, 405, 407, 418, 500, 599] {
        let response = try sandbox.get("/status/\(status)")
        #expect(response.status == status)
        #expect(status == 599 || !response.statusLine.hasSuffix(" "))
      }
      #expect(try sandbox.get("/status/401").first("WWW-Authenticate") != nil)
      #expect(try sandbox.get("/status/302").first("Location") == "/redirect/1")
      #expect(try sandbox.get("/status/503?retry_after=7").first("Retry-After") == "7")
      for wrong in ["99", "100", "600", "abc", "200,", "200,x"] {
        #expect(try sandbox.get("/status/\(wrong)").status == (wrong == "200," ? 200 : 400))
      }
      let seen = Set(try (0..<60).map { _ in try sandbox.request("POST", "/status/200,500").status })
      #expect(seen == [200, 500])
    }
  }

  @Test func `the sandbox sends the response headers that a query names, and a line break in the query adds no other header`() async throws
  {
    try await withSandbox { sandbox in
      let response = try sandbox.get("/response-headers?X-A=1&x-b=2&X-A=3&Content-Type=text/x")
      #expect(response.all("X-A") == ["1", "3"])
      #expect(response.headers.map(\.name).filter { $0.lowercased().hasPrefix("x-") } == ["X-A", "x-b", "X-A"])
      #expect(response.all("Content-Type") == ["text/x"])
      let smuggled = try sandbox.get("/response-headers?X-A=1%0d%0aX-Evil:%202")
      #expect(smuggled.first("X-Evil") == nil)
      #expect(smuggled.first("X-A") == "1  X-Evil: 2")
      #expect(try sandbox.get("/response-headers?a%20b=1").status == 400)
      #expect(try sandbox.get("/response-headers?Content-Length=1").status == 400)
    }
  }

  @Test func `the cookie routes of the sandbox echo, set and delete cookies`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.get("/cookies", ["Cookie: a=1; b=2"]).json["cookies"] == ["a": "1", "b": "2"])
      let set = try sandbox.get("/cookies/set?a=1&b=2&attributes=Path=/x;%20HttpOnly")
      #expect(set.status == 302)
      #expect(set.first("Location") == "/cookies")
      #expect(set.all("Set-Cookie") == ["a=1; Path=/x; HttpOnly", "b=2; Path=/x; HttpOnly"])
      #expect(try sandbox.get("/cookies/set?a=1&redirect=0").status == 200)
      #expect(try sandbox.get("/cookies/set/k/v").all("Set-Cookie") == ["k=v; Path=/"])
      #expect(try sandbox.get("/cookies/delete?a").first("Set-Cookie")?.contains("Max-Age=0") == true)
    }
  }

  @Test func `a redirect route of the sandbox redirects the requested number of times, with relative or absolute URLs`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.get("/redirect/3").first("Location") == "/redirect/2")
      #expect(try sandbox.get("/redirect/1").first("Location") == "/anything")
      for status in [301, 302, 303, 307, 308] {
        let response = try sandbox.request("POST", "/redirect/2?status=\(status)", body: [1])
        #expect(response.status == status)
        #expect(response.first("Location") == "/redirect/1?status=\(status)")
      }
      #expect(try sandbox.get("/redirect/2?absolute=1").first("Location") == "\(sandbox.url)/redirect/1?absolute=1")
      #expect(try sandbox.get("/absolute-redirect/2").first("Location") == "\(sandbox.url)/absolute-redirect/1")
      #expect(try sandbox.get("/relative-redirect/2").first("Location") == "1")
      #expect(try sandbox.get("/relative-redirect/1").first("Location") == "../anything")
      #expect(try sandbox.get("/redirect/loop").first("Location") == "/redirect/loop")
      let target = try sandbox.get("/redirect-to?url=http%3A%2F%2Fexample.com%2F%3Fa%3Db&status=308")
      #expect(target.first("Location") == "http://example.com/?a=b")
      #expect(target.status == 308)
      #expect(try sandbox.get("/redirect-to").status == 400)
      #expect(try sandbox.get("/redirect/1?status=304").status == 400)
      #expect(try sandbox.get("/redirect/x").status == 400)
    }
  }

  @Test func `each sandbox route for a content format, such as '/xml', sends the right media type and encoding`() async throws {
    try await withSandbox { sandbox in
      #expect(try sandbox.get("/encoding/utf8").text.contains("你好"))
      let latin1 = try sandbox.get("/encoding/latin1")
      #expect(latin1.body.starts(with: [0x47, 0x72, 0xFC, 0xDF, 0x65]))
      #expect(latin1.first("Content-Type") == "text/plain; charset=iso-8859-1")
      #expect(try sandbox.get("/html").text.contains("<form"))
      #expect(try sandbox.get("/xml").first("Content-Type") == "application/xml")
      #expect(try sandbox.get("/json").json["catalog"]?["books"]?[0]?["price"]?.numberValue?.text == "9.50")
      #expect(try sandbox.get("/image/png?size=4").body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(try sandbox.get("/image/png?size=0").status == 400)
    }
  }

  @Test func `the UUID route of the sandbox gives the same UUID for the same seed and the same value of X-Sandbox-Tenant`() async throws {
    var options = SandboxOptions()
    options.seed = 7
    let first = try await withSandbox(options) { try $0.get("/uuid").json["uuid"]?.stringValue }
    let second = try await withSandbox(options) { try $0.get("/uuid").json["uuid"]?.stringValue }
    let other = try await withSandbox(options) { try $0.get("/uuid", ["X-Sandbox-Tenant: other"]).json["uuid"]?.stringValue }
    #expect(first == second)
    #expect(first != other)
    let characters = Array(first ?? "")
    #expect(characters.count == 36)
    #expect(characters[14] == "4")
    #expect("89ab".contains(characters[19]))
  }
}
