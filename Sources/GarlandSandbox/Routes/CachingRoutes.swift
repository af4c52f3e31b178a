import GarlandJSON

/// Routes whose responses have validators and a freshness lifetime.
enum CachingRoutes {
  private static let lastModified = "Wed, 01 Jan 2025 00:00:00 GMT"

  static let routes = [
    Route("GET PUT DELETE", "/etag/{etag}", "Has this ETag: If-None-Match gives 304, If-Match may give 412", etag),
    Route("GET", "/cache", "304 to a conditional request, otherwise the request as JSON with validators", cache),
    Route("GET", "/cache/{seconds}", "Fresh for the given seconds; ?vary=FIELD &directives=TEXT", freshness),
  ]

  static let etag: Route.PureHandler = { request throws(Refusal) in
    let etag = "\"\(request.parameter("etag"))\""
    let headers = [HeaderField("ETag", etag)]
    if let refusal = Preconditions(etag: etag).evaluate(request, headers: headers) { throw refusal }
    return .json(["etag": .string(etag), "method": .string(request.method)], headers: headers)
  }

  static let cache: Route.PureHandler = { request throws(Refusal) in
    let headers = [HeaderField("ETag", "\"sandbox-cache\""), HeaderField("Last-Modified", lastModified)]
    if let refusal = Preconditions(etag: "\"sandbox-cache\"", lastModified: lastModified).evaluate(request, headers: headers) {
      throw refusal
    }
    return .json(RequestEcho.json(request), headers: headers)
  }

  static let freshness: Route.PureHandler = { request throws(Refusal) in
    let seconds = try request.integer("seconds", in: 0...(10 * 365 * 86_400))
    let etag = "\"cache-\(seconds)\""
    var headers = [
      HeaderField("Cache-Control", request.query["directives"] ?? "public, max-age=\(seconds)"), HeaderField("ETag", etag),
      HeaderField("Last-Modified", lastModified),
    ]
    if let vary = request.query["vary"] { headers.append(HeaderField("Vary", vary)) }
    if let refusal = Preconditions(etag: etag, lastModified: lastModified).evaluate(request, headers: headers) { throw refusal }
    return .json(["sequence": JSONValue(request.sequence), "max_age": JSONValue(seconds)], headers: headers)
  }
}
