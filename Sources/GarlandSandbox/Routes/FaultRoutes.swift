/// Routes with faulty responses: connection resets, truncated bodies, invalid framing.
enum FaultRoutes {
  private static let json = "Content-Type: application/json\r\n"
  private static let start = "HTTP/1.1 200 OK\r\n"
  private static let beginning = "{\"items\": [1, 2, 3, "

  static let routes = [
    fault("reset", "A TCP reset in the middle of the body", [.text(start + json + "Content-Length: 1000\r\n\r\n" + beginning), .reset]),
    fault("reset-before-headers", "A TCP reset instead of an answer", [.reset]),
    fault("close", "The connection is closed without an answer", [.close]),
    fault(
      "truncate", "A body shorter than its Content-Length, then the end",
      [.text(start + json + "Content-Length: 1000\r\n\r\n" + beginning), .close]),
    fault(
      "lying-length", "More bytes than the Content-Length says",
      [.text(start + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello and more than that"), .close]),
    fault(
      "bad-chunk", "A chunk whose size is not a number",
      [.text(start + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\nworld\r\n0\r\n\r\n"), .close]),
    fault(
      "truncated-chunk", "The end in the middle of a chunk",
      [.text(start + "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\nwor"), .close]),
    Route("*", "/fault/invalid-json", "Half a JSON document as application/json") { _ throws(Refusal) in
      .text(beginning, type: "application/json")
    },
    Route("*", "/fault/invalid-utf8", "JSON with bytes that are not UTF-8") { _ throws(Refusal) in
      SandboxResponse(
        200, headers: [HeaderField("Content-Type", "application/json; charset=utf-8")],
        body: .bytes(Array("{\"name\": \"".utf8) + [0xC3, 0x28, 0xFF] + Array("\"}".utf8)))
    },
    fault(
      "endless-headers", "Header fields without end",
      [.text(start), .repeated(Array("X-Endless: \(String(repeating: "a", count: 1_000))\r\n".utf8), times: nil)]),
    Route("*", "/fault/huge-header", "One header field of ?size=1048576 bytes", hugeHeader),
    fault("garbage", "Bytes that are not HTTP", [.write([0x16, 0x03, 0x01, 0x00, 0xFF]), .text("this is not HTTP\r\n\r\n"), .close]),
    fault("hang", "Accepts the request and never answers", [.hang]),
    fault("hang-mid-body", "Stops in the middle of the body", [.text(start + json + "Content-Length: 1000\r\n\r\n" + beginning), .hang]),
    Route("*", "/fault/gzip-bomb", "A small gzip body that unpacks to ?size=1073741824 zeros", gzipBomb),
    Route("*", "/fault/bad-gzip", "A body that claims gzip coding; ?kind=garbage|checksum|truncated", badGzip),
    Route("*", "/fault/slow-headers", "A header section sent byte by byte, every ?interval=0.05 seconds", slowHeaders),
    fault(
      "endless-body", "A chunked body without end",
      [
        .text(start + "Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .pattern(PatternBytes(seed: 1), range: 0..<UInt64.max, chunked: true),
      ]),
    Route("*", "/fault/status-line", "A status line that is not valid: ?line=TEXT", statusLine),
  ]

  static let hugeHeader: Route.PureHandler = { request throws(Refusal) in
    let size = try request.queryInteger("size", default: 1 << 20, in: 0...(1 << 30))
    return .raw([
      .text(start + "Content-Length: 0\r\nX-Huge: "), .repeated([UInt8](repeating: 0x61, count: 1_024), times: size / 1_024),
      .text(String(repeating: "a", count: size % 1_024) + "\r\n\r\n"), .close,
    ])
  }

  static let gzipBomb: Route.PureHandler = { request throws(Refusal) in
    let size = try request.queryInteger("size", default: 1 << 30, in: 0...(1 << 40))
    let bomb = Deflate.gzipBomb(UInt64(size))
    return SandboxResponse(
      200, headers: [HeaderField("Content-Type", "application/octet-stream"), HeaderField("Content-Encoding", "gzip")],
      body: .paced(bomb.steps, length: Int(bomb.length)))
  }

  static let badGzip: Route.PureHandler = { request throws(Refusal) in
    var bytes = Deflate.gzip(Array("{\"message\": \"this was packed\"}".utf8))
    switch request.query["kind"] ?? "garbage" {
    case "garbage": bytes = Array("this was never packed".utf8)
    case "checksum": bytes[bytes.count - 8] ^= 0xFF
    case "truncated": bytes.removeLast(12)
    default: throw Refusal(400, "kind has to be garbage, checksum or truncated")
    }
    return SandboxResponse(
      200, headers: [HeaderField("Content-Type", "application/json"), HeaderField("Content-Encoding", "gzip")], body: .bytes(bytes))
  }

  static let slowHeaders: Route.PureHandler = { request throws(Refusal) in
    let interval = try request.querySeconds("interval", default: 0.05, upTo: 10)
    let head = Array((start + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\n").utf8)
    return .raw(head.flatMap { [.write([$0]), .pause(interval)] } + [.text("slow\n"), .close])
  }

  static let statusLine: Route.PureHandler = { request throws(Refusal) in
    .raw([.text("\(request.query["line"] ?? "HTTP/1.1 OK")\r\nContent-Length: 0\r\n\r\n"), .close])
  }

  private static func fault(_ name: String, _ summary: String, _ steps: [WireStep]) -> Route {
    Route("*", "/fault/\(name)", summary) { _ throws(Refusal) in .raw(steps) }
  }
}
