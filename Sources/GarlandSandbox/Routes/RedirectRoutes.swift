import GarlandJSON

/// Routes for every kind of redirect that HTTP allows.
enum RedirectRoutes {
  private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

  static let routes = [
    Route("*", "/redirect/loop", "Redirects to itself; ?status=", loop),
    Route("*", "/redirect/{n}", "Redirects the given number of times, then to /anything; ?status=301|302|303|307|308 &absolute=1", chain),
    Route("*", "/redirect-to", "Redirects to ?url= with ?status= (302)", target),
    Route("*", "/relative-redirect/{n}", "Like /redirect/{n}, with Locations relative to the path", relative),
    Route("*", "/absolute-redirect/{n}", "Like /redirect/{n}, with whole URLs", absolute),
  ]

  static let loop: Route.PureHandler = { request throws(Refusal) in try redirect("/redirect/loop\(suffix(request))", request) }

  static let chain: Route.PureHandler = { request throws(Refusal) in
    let path = try next(request, "/redirect/") + suffix(request)
    return try redirect(request.flag("absolute") ? request.origin + path : path, request)
  }

  static let relative: Route.PureHandler = { request throws(Refusal) in
    let count = try request.integer("n", in: 0...1_000)
    return try redirect((count > 1 ? "\(count - 1)" : "../anything") + suffix(request), request)
  }

  static let absolute: Route.PureHandler = { request throws(Refusal) in
    try redirect(request.origin + next(request, "/absolute-redirect/") + suffix(request), request)
  }

  static let target: Route.PureHandler = { request throws(Refusal) in
    guard let url = request.query["url"] else { throw Refusal(400, "the query has no url") }
    return try redirect(url, request)
  }

  private static func next(_ request: SandboxRequest, _ prefix: String) throws(Refusal) -> String {
    let count = try request.integer("n", in: 0...1_000)
    return count > 1 ? "\(prefix)\(count - 1)" : "/anything"
  }

  /// Returns the query for the URL of the next redirect. The query stays the same, so that its `status` applies to every redirect.
  private static func suffix(_ request: SandboxRequest) -> String { request.rawQuery.map { "?\($0)" } ?? "" }

  private static func redirect(_ location: String, _ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
    let status = try request.queryInteger("status", default: 302, in: 300...399)
    guard statuses.contains(status) else { throw Refusal(400, "status has to be 301, 302, 303, 307 or 308") }
    return .json(["location": .string(location)], status: status, headers: [HeaderField("Location", location)])
  }
}
