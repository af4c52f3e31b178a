import GarlandJSON
import GarlandNetworking
import GarlandSandbox
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct SerializerTests {
  private func server(_ type: String?, _ body: [UInt8]) throws -> RawServer {
    try RawServer { connection in
      while connection.readRequest() != nil {
        connection.send("HTTP/1.1 200 OK\r\n\(type.map { "Content-Type: \($0)\r\n" } ?? "")Content-Length: \(body.count)\r\n\r\n")
        connection.send(body)
      }
    }
  }

  @Test(
    arguments: [
      (nil, [0x47, 0xFC], nil, "Gü"), ("text/plain", [0xFC], nil, "ü"), ("text/plain; charset=utf-8", [0xC3, 0xBC], nil, "ü"),
      ("text/plain; charset=\"UTF-8\"", [0xEF, 0xBB, 0xBF, 0xC3, 0xBC], nil, "ü"), ("text/plain; charset=utf-8", [0xFC], "latin1", "ü"),
      ("text/plain; charset=windows-1252", [0x80], nil, "€"), ("text/plain; charset=UTF-16", [0xFE, 0xFF, 0x20, 0xAC], nil, "€"),
      ("text/plain; charset=koi8-r", [0xF0, 0xD2], nil, "Пр"), ("text/plain; charset=utf-8", [0xFC], nil, nil),
      ("text/plain; charset=us-ascii", [0xFC], nil, nil), ("text/plain; charset=no-such-set", [0x41], nil, nil),
      ("text/plain; charset=shift_jis", [0x93, 0xFA], nil, "日"), ("text/plain; charset=shift_jis", [0x93], nil, nil),
    ] as [(String?, [UInt8], String?, String?)])
  func `text is decoded with the charset of the response, or with the charset that the caller sets`(
    _ type: String?, _ body: [UInt8], _ given: String?, _ expected: String?
  ) async throws {
    let server = try server(type, body)
    let response = await Session(.ephemeral).request(server.url).response(with: StringResponseSerializer(charset: given))
    if let expected { #expect(try response.value == expected) } else { #expect(response.error?.reason.kind == .serialization) }
  }

  @Test func `a response body that is a single JSON value, such as 5, is parsed`() async throws {
    for (text, value) in [("5", 5), ("\"x\"", "x"), (" null ", .null), ("true", true)] as [(String, JSONValue)] {
      let server = try server("application/json", Array(text.utf8))
      #expect(try await Session(.ephemeral).request(server.url).json == value)
    }
    let broken = try server("application/json", Array("{\"a\": 1,}".utf8))
    let error = await Session(.ephemeral).request(broken.url).response(with: JSONResponseSerializer()).error
    guard case .serialization(.json(let reason)) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.column == 8)
    #expect(error?.partialResponse?.status == .ok)
  }

  @Test func `the sandbox's Latin-1, UTF-8 and gzip responses are decoded`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      #expect(try await session.request(sandbox.url + "/encoding/latin1").string.hasPrefix("Grüße aus Köln"))
      #expect(try await session.request(sandbox.url + "/encoding/utf8").string.hasPrefix("Grüße, Ωμέγα"))
      #expect(try await session.request(sandbox.url + "/gzip").json["method"] == "GET")
      #expect(
        await session.request(sandbox.url + "/fault/invalid-json").response(with: JSONResponseSerializer()).error?.reason.kind
          == .serialization)
    }
  }

  @Test func `a CompoundResponseSerializer returns the result of the first serializer that succeeds, or the errors of all`() async throws {
    enum Reply: Sendable, Equatable {
      case number(Int)
      case text(String)
    }
    let either = CompoundResponseSerializer<Reply>([
      DecodableResponseSerializer(of: Int.self).map { .number($0) }, StringResponseSerializer(charset: "us-ascii").map { .text($0) },
    ])
    let session = Session(.ephemeral)
    let servers = try [Array("5".utf8), Array("five".utf8), [0xFF]].map { try server(nil, $0) }
    #expect(try await session.request(servers[0].url).response(with: either).value == .number(5))
    #expect(try await session.request(servers[1].url).response(with: either).value == .text("five"))
    let none = await session.request(servers[2].url).response(with: either)
    guard case .serialization(.noneFits(let failures)) = none.error?.reason else {
      Issue.record("\(none)")
      return
    }
    #expect(failures.count == 2)
  }

  @Test func `a custom serializer returns its value, or its error if it throws`() async throws {
    struct Lines: ResponseSerializer {
      struct TooMany: Error {}
      func serialize(_ content: ResponseContent) throws -> [Substring] {
        let lines = String(decoding: content.bytes, as: UTF8.self).split(separator: "\n")
        if lines.count > 2 { throw TooMany() }
        return lines
      }
    }
    let session = Session(.ephemeral)
    let servers = try ["a\nb", "a\nb\nc"].map { try server(nil, Array($0.utf8)) }
    #expect(try await session.request(servers[0].url).response(with: Lines()).value == ["a", "b"])
    let error = await session.request(servers[1].url).response(with: Lines()).error
    #expect(error?.reason == .serialization(.custom(.init(Lines.TooMany()))))
  }

  @Test func `if the closure of 'tryMap' throws an error, the result is a serialization error`() async throws {
    struct Odd: Error {}
    try await withSandbox { (session, sandbox) async throws in
      let response = await session.request(sandbox.url + "/bytes/3").response()
      #expect(try response.map(\.count).value == 3)
      #expect(response.description.hasPrefix("GET \(sandbox.url)/bytes/3 (200): ["))
      #expect(response.tryMap { (_: [UInt8]) throws -> Int in throw Odd() }.error?.reason == .serialization(.custom(.init(Odd()))))
    }
  }

  @Test func `HTML and XML responses can be queried with XPath`() async throws {
    try await withSandbox { (session, sandbox) async throws in
      let page = try await session.request(sandbox.url + "/html").validate(contentTypes: ["text/html"]).html
      #expect(try page.select("//li[@class='book']").nodes.map(\.text) == ["Dune", "Emma"])
      #expect(try page.select("string(//h1)").text == "Welcome & bienvenue")
      let catalog = try await session.request(sandbox.url + "/xml").xml
      #expect(try catalog.select("count(//book)").text == "2")
      #expect(
        try catalog.select("//book[p:price > 8]/title", namespaces: ["p": "urn:example:price"]).nodes.map(\.text) == ["Dune"])
      let wrong = await session.request(sandbox.url + "/json").response(with: MarkupResponseSerializer(.xml))
      #expect(wrong.error?.reason.kind == .serialization)
    }
  }
}
