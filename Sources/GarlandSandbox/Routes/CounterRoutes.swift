import GarlandJSON

/// Routes that count how often they were called.
enum CounterRoutes {
  static let routes = [
    Route(
      "*", "/flaky/{key}", "Fails ?fails=2 times with ?status=503, then answers 200; ?retry_after=SECONDS &fault=reset|close",
      stateful: flaky),
    Route("GET POST", "/counter/{key}", "Counts its calls", stateful: count),
    Route("DELETE", "/counter/{key}", "Starts a count anew", stateful: restart),
    Route("*", "/once/{key}", "200 the first time, 410 ever after; ?status=", stateful: once),
  ]

  static let flaky: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let fails = try request.queryInteger("fails", default: 2, in: 0...1_000_000)
    let status = try request.queryInteger("status", default: 503, in: 400...599)
    let fault = request.query["fault"]
    if let fault, fault != "reset", fault != "close" { throw Refusal(400, "fault has to be reset or close") }
    let attempt = try tenant.counters.increment("flaky/\(request.parameter("key"))")
    guard attempt <= fails else { return .json(["attempt": JSONValue(attempt)]) }
    if let fault { return .raw([fault == "reset" ? .reset : .close]) }
    let after = request.query["retry_after"].map { [HeaderField("Retry-After", $0)] } ?? []
    return .json(["attempt": JSONValue(attempt), "error": "not yet"], status: status, headers: after)
  }

  static let count: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    .json(["count": JSONValue(try tenant.counters.increment("counter/\(request.parameter("key"))"))])
  }

  static let restart: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    tenant.counters.remove("counter/\(request.parameter("key"))")
    return .noContent()
  }

  static let once: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let status = try request.queryInteger("status", default: 410, in: 400...599)
    let call = try tenant.counters.increment("once/\(request.parameter("key"))")
    guard call == 1 else { throw Refusal(status, "this worked once") }
    return .json(["call": 1])
  }
}
