/// Finds the route of a request.
struct Router: Sendable {
  struct Match: Sendable {
    let route: Route
    let parameters: [String: String]
  }

  /// The routes by the first segment of their path, in the order of declaration. The first match is used, so literal paths must precede
  /// paths with placeholders.
  private let routes: [String: [Route]]

  init(_ routes: [Route]) {
    var table: [String: [Route]] = [:]
    for route in routes {
      guard case .literal(let first)? = route.pattern.pieces.first else { continue }
      table[first, default: []].append(route)
    }
    self.routes = table
  }

  /// Returns the route for a request. Throws a response with the status 404, 405 or 501 if no route matches. For OPTIONS, throws a response
  /// with the status 204 and the allowed methods.
  func match(_ request: SandboxRequest) throws(Refusal) -> Match {
    if request.method == "CONNECT" { throw Refusal(501, "this server is no proxy") }
    if request.method == "OPTIONS", request.path == "*" {
      throw Refusal(.noContent(headers: [HeaderField("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")]))
    }
    var allowed: [String] = []
    for route in routes[request.segments.first ?? ""] ?? [] {
      guard let parameters = route.pattern.match(request.segments) else { continue }
      // A response to TRACE would contain fields that proxies and browsers have added to the request (RFC 9110 section 17.10).
      if request.method != "TRACE", route.takes(request.method) { return Match(route: route, parameters: parameters) }
      allowed += route.methods.isEmpty ? ["GET", "POST", "PUT", "PATCH", "DELETE"] : route.methods
    }
    guard !allowed.isEmpty else { throw Refusal(404, "there is no route for \(request.path); GET / lists all of them") }
    if allowed.contains("GET") { allowed.append("HEAD") }
    allowed.append("OPTIONS")
    var unique: [String] = []
    for method in allowed where !unique.contains(method) { unique.append(method) }
    let allow = HeaderField("Allow", unique.joined(separator: ", "))
    if request.method == "OPTIONS" { throw Refusal(.noContent(headers: [allow])) }
    throw Refusal(405, "\(request.path) does not take \(request.method)", headers: [allow])
  }
}
