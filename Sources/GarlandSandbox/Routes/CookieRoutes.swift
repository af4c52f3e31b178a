import GarlandJSON

/// Routes that set and delete cookies.
enum CookieRoutes {
  static let routes = [
    Route("GET", "/cookies", "The cookies of the request", cookies),
    Route("GET", "/cookies/set", "Sets the pairs of the query, then redirects to /cookies; ?attributes=Path=/;HttpOnly &redirect=0", set),
    Route("GET", "/cookies/set/{name}/{value}", "Sets one cookie, then redirects to /cookies", setOne),
    Route("GET", "/cookies/delete", "Deletes the cookies that the query names, then redirects to /cookies; ?redirect=0", delete),
  ]

  static let cookies: Route.PureHandler = { request throws(Refusal) in
    .json([
      "cookies": RequestEcho.multimap(request.cookies), "pairs": .array(request.cookies.map { [.string($0.name), .string($0.value)] }),
    ])
  }

  static let set: Route.PureHandler = { request throws(Refusal) in
    let attributes = request.query["attributes"].map { "; \($0)" } ?? "; Path=/"
    let pairs = request.query.pairs.filter { $0.name != "attributes" && $0.name != "redirect" }
    return answer(request, pairs.map { "\($0.name)=\($0.value)\(attributes)" })
  }

  static let setOne: Route.PureHandler = { request throws(Refusal) in
    answer(request, ["\(request.parameter("name"))=\(request.parameter("value")); Path=/"])
  }

  static let delete: Route.PureHandler = { request throws(Refusal) in
    let names = request.query.pairs.map(\.name).filter { $0 != "redirect" }
    return answer(request, names.map { "\($0)=; Path=/; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT" })
  }

  private static func answer(_ request: SandboxRequest, _ cookies: [String]) -> SandboxResponse {
    let fields = cookies.map { HeaderField("Set-Cookie", $0) }
    if request.query["redirect"] == "0" { return .json(["set": JSONValue(cookies)], headers: fields) }
    return SandboxResponse(302, headers: [HeaderField("Location", "/cookies")] + fields)
  }
}
