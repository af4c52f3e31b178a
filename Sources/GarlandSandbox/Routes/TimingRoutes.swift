/// Routes whose responses are delayed or slow.
enum TimingRoutes {
  private static let longest = 10.0
  /// The maximum number of writes into which a slow response is divided. With more writes, the pauses between them would be too short for a
  /// client to notice.
  private static let dripLimit = 1_000

  static let routes = [
    Route("*", "/delay/{seconds}", "The whole request as JSON, after the given seconds (decimals allowed, up to 10)", delay),
    Route("GET", "/drip", "?bytes=10 spread over ?duration=2 seconds after ?delay=0 seconds; ?status=", drip),
  ]

  static let delay: Route.PureHandler = { request throws(Refusal) in
    var response = SandboxResponse.json(RequestEcho.json(request))
    response.delay = try SandboxRequest.seconds("the delay", request.parameter("seconds"), upTo: longest)
    return response
  }

  static let drip: Route.PureHandler = { request throws(Refusal) in
    let count = try request.queryInteger("bytes", default: 10, in: 0...(10 << 20))
    let duration = try request.querySeconds("duration", default: 2, upTo: longest)
    let drops = min(count, dripLimit)
    var steps: [WireStep] = []
    for drop in 0..<drops {
      let size = count * (drop + 1) / drops - count * drop / drops
      if drop > 0 { steps.append(.pause(duration / drops)) }
      steps.append(.write([UInt8](repeating: 0x2A, count: size)))
    }
    var response = SandboxResponse(
      try request.queryInteger("status", default: 200, in: 200...599), headers: [HeaderField("Content-Type", "application/octet-stream")],
      body: .paced(steps, length: count))
    response.delay = try request.querySeconds("delay", default: 0, upTo: longest)
    return response
  }
}
