import GarlandJSON

/// Routes whose responses describe the request.
enum EchoRoutes {
  static let routes = [
    Route("*", "/anything", "The whole request as JSON, for any method", echo),
    Route("*", "/anything/{rest...}", "The same, for any path below", echo),
    Route("GET", "/get", "The whole request as JSON, GET only", echo),
    Route("POST", "/post", "The same, POST only", echo),
    Route("PUT", "/put", "The same, PUT only", echo),
    Route("PATCH", "/patch", "The same, PATCH only", echo),
    Route("DELETE", "/delete", "The same, DELETE only", echo),
    Route("GET", "/headers", "The header fields in the order and case in which they were received", headers),
    Route("GET", "/ip", "Where the request comes from", address),
    Route("GET", "/user-agent", "The User-Agent field", userAgent),
    Route("GET POST", "/graphql", "A GraphQL request taken apart: query, operation, variables", graphQL),
  ]

  static let echo: Route.PureHandler = { request throws(Refusal) in .json(RequestEcho.json(request)) }

  static let headers: Route.PureHandler = { request throws(Refusal) in
    .json([
      "headers": .array(request.headers.map { [.string($0.name), .string($0.value)] }),
      "header": RequestEcho.multimap(request.headers.map { ($0.name.asciiLowercased, $0.value) }),
    ])
  }

  static let address: Route.PureHandler = { request throws(Refusal) in
    .json(["address": .string(request.connection.peerAddress), "port": JSONValue(request.connection.peerPort)])
  }

  static let userAgent: Route.PureHandler = { request throws(Refusal) in
    .json(["user_agent": JSONValue(request.headers.first("User-Agent"))])
  }

  /// Handles GraphQL over HTTP, by POST as JSON and by GET in the query. The response to a query for `fail` has an `errors` member and the
  /// status 200, as GraphQL servers send it.
  static let graphQL: Route.PureHandler = { request throws(Refusal) in
    var query = request.query["query"]
    var operation = JSONValue(request.query["operationName"])
    var variables = request.query["variables"].flatMap { JSONText.decode(Array($0.utf8)) } ?? .null
    if request.method == "POST" {
      let body = try request.jsonObject()
      query = body["query"]?.stringValue
      operation = body["operationName"] ?? .null
      variables = body["variables"] ?? .null
    }
    guard let query, !query.isEmpty else {
      return .json(["errors": [["message": "the request has no query"]]], status: 400)
    }
    if query.split(whereSeparator: { !$0.isLetter }).contains("fail") {
      return .json(["data": .null, "errors": [["message": "asked to fail", "path": ["fail"]]]])
    }
    return .json(["data": ["echo": ["query": .string(query), "operationName": operation, "variables": variables]]])
  }
}
