import TestSupport
import Testing

@testable import GarlandRunner

struct RequestParserTests {
  typealias Action = RequestParser.Action

  private static func parse(_ text: String, limits: RequestParser.Limits = .init()) -> [Action] {
    var parser = RequestParser(limits: limits)
    return parser.receive(Array(text.utf8))
  }

  private static func request(
    _ method: String, _ target: String, version: String = "1.1", _ fields: [(String, String)] = [("Host", "h")], _ body: String = ""
  ) -> Action {
    .received(
      IncomingRequest(
        method: method, target: target, version: version, fields: fields.map { .init(name: $0.0, value: $0.1) }, body: Array(body.utf8)))
  }

  /// Valid requests, with the resulting actions.
  static let taken: [(String, [Action])] = [
    ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", [request("GET", "/")]),
    ("GET /a?b=c HTTP/1.1\nHost: h\n\n", [request("GET", "/a?b=c")]),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost:h\r\n\r\nGET /again", [request("GET", "/")]),
    ("GET / HTTP/1.0\r\n\r\n", [request("GET", "/", version: "1.0", [])]),
    ("GET http://h:80/a?b HTTP/1.1\r\nHost: h\r\n\r\n", [request("GET", "/a?b")]),
    ("GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", [request("GET", "/")]),
    ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", [request("OPTIONS", "*")]),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhix", [request("POST", "/", [("Host", "h"), ("Content-Length", "2")], "hi")]),
    ("POST / HTTP/1.1\r\nHost: h\r\nX: \t a  b \t\r\n\r\n", [request("POST", "/", [("Host", "h"), ("X", "a  b")])]),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nhi\r\n3;x=\"y\"\r\n th\r\n0\r\nTrailer: x\r\n\r\n",
      [request("POST", "/", [("Host", "h"), ("Transfer-Encoding", "Chunked")], "hi th")]
    ),
    (
      "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
      [.proceed, request("POST", "/", [("Host", "h"), ("Expect", "100-continue"), ("Content-Length", "1")], "x")]
    ),
    (
      "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1, 1\r\n\r\nx", [request("PUT", "/", [("Host", "h"), ("Content-Length", "1, 1")], "x")]
    ),
  ]

  @Test(arguments: taken)
  func `the server for callbacks parses a valid request in the same way, whatever the size of the pieces in which it arrives`(
    text: String, actions: [Action]
  ) {
    #expect(Self.parse(text) == actions)
    // The result does not depend on the pieces in which the request arrives.
    for size in [1, 2, 3, 7] {
      var parser = RequestParser()
      var found: [Action] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        found += parser.receive(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(found == actions, "in pieces of \(size)")
    }
  }

  static let refused: [(String, Int)] = [
    ("GARBAGE\r\n", 400), ("GET  / HTTP/1.1\r\n", 400), ("G(T / HTTP/1.1\r\n", 400), ("GET / HTTP/1.1 \r\n", 400),
    ("GET / http/1.1\r\n", 400), ("PRI * HTTP/2.0\r\n", 505), ("GET /a#b HTTP/1.1\r\n", 400), ("GET a HTTP/1.1\r\n", 400),
    ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400), ("GET / HTTP/1.1\r\nno field\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\u{0}\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: 1\r\n\r\n", 417),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhiho\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1,\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", 400), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\n", 413),
    ("GET /" + String(repeating: "a", count: 300) + " HTTP/1.1\r\n", 431),
    ("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 300), 431),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;" + String(repeating: "a", count: 300), 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: "T: a\r\n", count: 60), 400),
  ]

  @Test(arguments: refused)
  func `the server for callbacks refuses an invalid or too large request with the HTTP status for this kind of mistake`(
    text: String, status: Int
  ) {
    var limits = RequestParser.Limits()
    limits.head = 200
    limits.body = 10
    let actions = Self.parse(text, limits: limits)
    guard case .refuse(let found, let reason)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(found == status && !reason.isEmpty)
  }

  @Test func `the chunk-size lines of a chunked body do not count towards the size limit of the header`() {
    var limits = RequestParser.Limits()
    limits.head = 200
    limits.body = 10_000
    let chunks = String(repeating: "5\r\nabcde\r\n", count: 500) + "0\r\n\r\n"
    let actions = Self.parse("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, limits: limits)
    guard case .received(let request)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(request.body.count == 2_500)
  }

  @Test func `if the client stops sending before a callback request is complete, the request is refused with status 400`() {
    var parser = RequestParser()
    #expect(parser.close() == nil)
    _ = parser.receive(Array("GET / HT".utf8))
    guard case .refuse(400, _)? = parser.close() else {
      Issue.record("nothing")
      return
    }
    #expect(parser.close() == nil)
  }

  /// For any bytes, parsing ends with at most one result, which does not depend on the pieces.
  @Test func `a randomly changed callback request is parsed in the same way, however its bytes are split into pieces`() {
    var chance = SeededRandom(seed: 4711)
    let seeds = Self.taken.map(\.0) + Self.refused.map(\.0)
    var limits = RequestParser.Limits()
    limits.head = 400
    limits.body = 64
    for round in 0..<20_000 {
      var bytes = Array(seeds[Int.random(in: 0..<seeds.count, using: &chance)].utf8)
      for _ in 0..<Int.random(in: 0...4, using: &chance) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &chance)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert([0x0D, 0x0A, 0x20, 0x3A, 0x30, 0xFF].randomElement(using: &chance) ?? 0, at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(Int.random(in: 0..<40, using: &chance)), at: place)
        }
      }
      var whole = RequestParser(limits: limits)
      let expected = whole.receive(bytes)
      var pieces = RequestParser(limits: limits)
      var found: [Action] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let size = Int.random(in: 1...9, using: &chance)
        found += pieces.receive(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      let ends = expected.filter { $0 != .proceed }.count
      // More bytes than each limit end a request that has not ended, and are dropped after the end of a request.
      let more = whole.receive([UInt8](repeating: UInt8(ascii: "x"), count: 1_000)).filter { $0 != .proceed }.count
      guard found == expected, ends + more == 1 else {
        Issue.record("round \(round): \(expected) and \(found) of \(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }

  @Test func `the query of a callback request is decoded into names and values`() {
    let request = IncomingRequest(method: "GET", target: "/x?a=1&b=%C3%A9+%2B&a=2&c&=d&&e=%zz%4", version: "1.1")
    #expect(request.path == "/x")
    #expect(request.query.map { "\($0.name)=\($0.value)" } == ["a=1", "b=é +", "a=2", "c=", "=d", "e=%zz%4"])
    #expect(IncomingRequest(method: "GET", target: "/x", version: "1.1").query.isEmpty)
  }

  @Test(
    arguments: [
      ("/hook", nil, "/hook", 0), ("/hook", nil, "/hook/", nil), ("/hook", nil, "/Hook", nil), ("/a%20b", nil, "/a%20b", 0),
      ("/a%2db", nil, "/a-b", 0), ("/hook", 3, "/hook/2", 2), ("/hook", 3, "/hook/3", nil), ("/hook", 3, "/hook/02", nil),
      ("/hook", 3, "/hook", nil), ("/hook", 3, "/hook2", nil), ("/", 3, "/1", 1), ("/", nil, "/", 0), ("/hook", 3, "/hook/-1", nil),
    ] as [(String, Int?, String, Int?)])
  func `each item of a listening step's loop receives requests at the path of the step followed by the item's index`(
    path: String, count: Int?, asked: String, item: Int?
  ) {
    let path = ListenPath(text: path, itemCount: count)
    #expect(path.item(for: asked[...]) == item)
    if let item { #expect(path.item(for: path.path(of: item)[...]) == item) }
  }
}
