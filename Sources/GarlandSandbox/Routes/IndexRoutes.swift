import GarlandJSON

/// The routes that list all routes, and that show the requests and state that the server has
/// recorded.
enum IndexRoutes {
  /// The prefix of paths whose requests are not recorded.
  static let controlPrefix = "/_sandbox/"

  static let routes = [
    Route("GET", "/", "This list", control: index),
    Route("GET", "/_sandbox/requests", "Every request received, with times: ?since=SEQUENCE &tenant=NAME", control: requests),
    Route("DELETE", "/_sandbox/requests", "Forgets the requests", control: clearRequests),
    Route("GET", "/_sandbox/state", "Connections, requests in flight, and the tenant's state", control: state),
    Route("DELETE", "/_sandbox/state", "Puts the tenant's world back to its beginning", control: resetState),
    Route("POST", "/_sandbox/clock", "?advance=SECONDS makes tokens older", control: clock),
  ]

  static let index: Route.ControlHandler = { (_, server) throws(Refusal) in
    let routes = server.routes.map { route -> JSONValue in
      [
        "methods": JSONValue(route.methods.isEmpty ? ["*"] : route.methods), "path": .string(route.pattern.path),
        "description": .string(route.summary),
      ]
    }
    return .json(["server": "garland-sandbox", "routes": .array(routes)])
  }

  static let requests: Route.ControlHandler = { (request, server) throws(Refusal) in
    let since = try request.queryInteger("since", default: 0, in: 0...Int.max)
    let tenant = request.query["tenant"]
    let records = server.recorder.records.filter { $0.sequence > since && (tenant == nil || $0.tenant == tenant) }
    return .json(["requests": .array(records.map(\.json))])
  }

  static let clearRequests: Route.ControlHandler = { (_, server) throws(Refusal) in
    server.recorder.clear()
    return .noContent()
  }

  static let state: Route.ControlHandler = { (request, server) throws(Refusal) in
    let connections = server.connections.counts
    let requests = server.recorder.counts
    let tenant = try server.withTenant(request.tenant) { tenant throws(Refusal) in tenant.json }
    return .json([
      "connections": [
        "open": JSONValue(connections.open), "peak": JSONValue(connections.peak), "accepted": JSONValue(connections.accepted),
        "refused": JSONValue(connections.refused),
      ],
      "requests": [
        "total": JSONValue(requests.total), "in_flight": JSONValue(requests.inFlight), "peak_in_flight": JSONValue(requests.peakInFlight),
      ],
      "now_ns": JSONValue(nanoseconds: server.now), "tenant": tenant,
    ])
  }

  static let resetState: Route.ControlHandler = { (request, server) throws(Refusal) in
    server.state.withLock { $0.reset(request.tenant) }
    return .noContent()
  }

  static let clock: Route.ControlHandler = { (request, server) throws(Refusal) in
    let advance = try request.querySeconds("advance", default: 0, upTo: 1e9)
    server.state.withLock { $0.advanceClock(by: advance) }
    return .noContent()
  }
}
