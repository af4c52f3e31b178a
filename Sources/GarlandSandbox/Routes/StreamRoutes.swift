/// Routes whose responses are streams.
enum StreamRoutes {
  private static let longest = 10.0
  private static let most = 10_000_000
  private static let eventStream = "Content-Type: text/event-stream\r\n"

  static let routes = [
    Route(
      "*", "/events",
      "Server-sent events `{\"number\": N, \"last\": N}` with IDs from 1, after `Last-Event-ID`: ?count=10 in all, ?interval=0 seconds apart; then an event `[DONE]`, or the end of the connection after ?cut=N events, or, with ?endless=true, nothing more",
      events),
    Route("*", "/lines", "JSON lines `{\"number\": N, \"last\": N}`: ?count=10 of them, ?interval=0 seconds apart", lines),
    Route(
      "*", "/frames",
      "A `multipart/x-mixed-replace` response as of a camera: JPEG pictures with `X-Frame`, or with ?json=true parts `{\"number\": N, \"last\": N}`: ?count=10 of them, ?interval=0 seconds apart, with ?length=true with `Content-Length`; then the last boundary, or, with ?endless=true, nothing more",
      frames),
    Route(
      "*", "/frames/{fault}", "A multipart response that is wrong: `half`, `long`, `silent`, `unnamed`, `plain`, `head`, `length`",
      faultyFrames),
    Route(
      "GET", "/ws",
      "A WebSocket with the subprotocol `chat.v2`: echoes messages; answers `{\"type\": \"hello\", \"user\": …}` with a welcome, `{\"type\": \"count\", \"to\": N}` with N messages, and `{\"type\": \"close\", \"code\": N, \"reason\": …}` with a close frame"
    ) { _ throws(Refusal) in throw Refusal(426, "this path is for WebSocket connections") },
    Route("*", "/events/{fault}", "An event stream that is wrong: `half`, `long`, `silent`, `html`, `none`", faultyEvents),
  ]

  static let events: Route.PureHandler = { request throws(Refusal) in
    let count = try request.queryInteger("count", default: 10, in: 0...most)
    let interval = try request.querySeconds("interval", default: 0, upTo: longest)
    let cut = try request.queryInteger("cut", default: most, in: 0...most)
    let isEndless = request.flag("endless")
    let after = min(max(0, request.headers.first("Last-Event-ID").flatMap { Int($0) } ?? 0), most)
    var steps: [WireStep] = [
      .text("HTTP/1.1 200 OK\r\n" + eventStream + "Cache-Control: no-store\r\nConnection: close\r\n\r\nretry: 10\n\n")
    ]
    // Events without a pause between them are written together.
    var batch = ""
    for number in after..<max(after, min(count, after + cut)) {
      batch += "id: \(number + 1)\ndata: {\"number\": \(number + 1), \"last\": \(count)}\n\n"
      guard interval > .zero || batch.utf8.count > 60_000 else { continue }
      steps.append(.text(batch))
      batch = ""
      if interval > .zero { steps.append(.pause(interval)) }
    }
    if after + cut >= count { batch += "data: [DONE]\n\n" }
    steps.append(.text(batch))
    steps.append(isEndless ? .hang : .close)
    return .raw(steps)
  }

  static let lines: Route.PureHandler = { request throws(Refusal) in
    let count = try request.queryInteger("count", default: 10, in: 0...most)
    let interval = try request.querySeconds("interval", default: 0, upTo: longest)
    var steps: [WireStep] = [.text("HTTP/1.1 200 OK\r\nContent-Type: application/jsonl\r\nConnection: close\r\n\r\n")]
    var batch = ""
    for number in 0..<count {
      batch += "{\"number\": \(number + 1), \"last\": \(count)}\n"
      guard interval > .zero || batch.utf8.count > 60_000 else { continue }
      steps.append(.text(batch))
      batch = ""
      if interval > .zero { steps.append(.pause(interval)) }
    }
    return .raw(steps + [.text(batch), .close])
  }

  /// Returns the first and the last bytes of a JPEG picture, with `number` between them. The number
  /// shows which picture of a stream arrived.
  private static func picture(_ number: Int) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number), 0xFF, 0xD9]
  }

  private static let multipart = "Content-Type: multipart/x-mixed-replace; boundary=frame\r\n"

  static let frames: Route.PureHandler = { request throws(Refusal) in
    let count = try request.queryInteger("count", default: 10, in: 0...most)
    let interval = try request.querySeconds("interval", default: 0, upTo: longest)
    let (isJSON, hasLength) = (request.flag("json"), request.flag("length"))
    var steps: [WireStep] = [
      .text("HTTP/1.1 200 OK\r\n" + multipart + "Cache-Control: no-store\r\nConnection: close\r\n\r\n--frame\r\n")
    ]
    var batch: [UInt8] = []
    for number in 1..<count + 1 {
      let body = isJSON ? Array("{\"number\": \(number), \"last\": \(count)}".utf8) : picture(number)
      batch += "Content-Type: \(isJSON ? "application/json" : "image/jpeg")\r\nX-Frame: \(number)\r\n".utf8
      if hasLength { batch += "Content-Length: \(body.count)\r\n".utf8 }
      batch += "\r\n".utf8 + body + "\r\n--frame".utf8
      let isLast = number == count && !request.flag("endless")
      batch += (isLast ? "--\r\n" : "\r\n").utf8
      guard interval > .zero || batch.count > 60_000 else { continue }
      steps.append(.write(batch))
      batch = []
      if interval > .zero { steps.append(.pause(interval)) }
    }
    return .raw(steps + [.write(batch), request.flag("endless") ? .hang : .close])
  }

  static let faultyFrames: Route.PureHandler = { request throws(Refusal) in
    let start = "HTTP/1.1 200 OK\r\n" + multipart + "Connection: close\r\n\r\n"
    let first = "--frame\r\nContent-Type: application/json\r\n\r\n{\"number\": 1}\r\n--frame\r\n"
    switch request.parameter("fault") {
    case "half": return .raw([.text(start + first + "Content-Type: application/json\r\n\r\n{\"numb"), .close])
    case "long": return .raw([.text(start + first + "\r\n"), .repeated(Array(repeating: UInt8(ascii: "x"), count: 1024), times: nil)])
    case "silent": return .raw([.text(start + first), .hang])
    case "unnamed":
      return .raw([.text("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace\r\nConnection: close\r\n\r\n" + first), .close])
    case "plain": return .raw([.text(start + "one\r\ntwo\r\n"), .close])
    case "head": return .raw([.text(start + first + "Content-Type\r\n\r\n{}\r\n--frame--\r\n"), .close])
    case "length": return .raw([.text(start + "--frame\r\nContent-Length: 3\r\n\r\n{\"number\": 1}\r\n--frame--\r\n"), .close])
    default: throw Refusal(404, "fault has to be half, long, silent, unnamed, plain, head or length")
    }
  }

  static let faultyEvents: Route.PureHandler = { request throws(Refusal) in
    let start = "HTTP/1.1 200 OK\r\n" + eventStream + "Connection: close\r\n\r\ndata: {\"number\": 1}\n\n"
    switch request.parameter("fault") {
    case "half": return .raw([.text(start + "data: {\"numb"), .close])
    case "long": return .raw([.text(start + "data: "), .repeated(Array(repeating: UInt8(ascii: "x"), count: 1024), times: nil)])
    case "silent": return .raw([.text(start), .hang])
    case "html": return .text("<p>events</p>", type: "text/html")
    case "none": return .noContent()
    default: throw Refusal(404, "fault has to be half, long, silent, html or none")
    }
  }
}
