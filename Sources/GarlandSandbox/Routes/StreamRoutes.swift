/// Answers that are streams.
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
