import GarlandJSON
import GarlandText

/// Routes whose responses have the status and header fields that the request specifies.
enum StatusRoutes {
  static let routes = [
    Route("*", "/status/{codes}", "That status, or one of a list like 200,500 by chance; ?retry_after=SECONDS", stateful: status),
    Route("GET POST", "/response-headers", "Sends the pairs of the query as header fields, repeated ones too", responseHeaders),
  ]

  static let status: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let codes = request.parameter("codes").split(separator: ",").map { Int($0) }
    var choices: [Int] = []
    for code in codes {
      guard let code, (200...599).contains(code) else { throw Refusal(400, "a status is a number from 200 to 599, or several with commas") }
      choices.append(code)
    }
    guard let code = choices.randomElement(using: &tenant.generator) else { throw Refusal(400, "no status is given") }
    var response = SandboxResponse(code)
    switch code {
    case 204, 304: response.body = .none
    case 301, 302, 303, 307, 308: response.headers = [HeaderField("Location", "/redirect/1")]
    case 401: response.headers = [HeaderField("WWW-Authenticate", "Basic realm=\"sandbox\"")]
    case 405: response.headers = [HeaderField("Allow", "GET")]
    case 407: response.headers = [HeaderField("Proxy-Authenticate", "Basic realm=\"sandbox\"")]
    case 205: break
    default: response = .json(["status": JSONValue(code), "reason": .string(StatusPhrase.of(code) ?? "")], status: code)
    }
    if let after = request.query["retry_after"] { response = response.adding("Retry-After", after) }
    return response
  }

  static let responseHeaders: Route.PureHandler = { request throws(Refusal) in
    var response = SandboxResponse.json(["sent": .array(request.query.pairs.map { [.string($0.name), .string($0.value)] })])
    for (name, value) in request.query.pairs {
      guard HTTPToken.isToken(name) else { throw Refusal(400, "'\(name)' cannot be the name of a field") }
      let framing = ["content-length", "transfer-encoding", "connection"]
      guard !framing.contains(name.asciiLowercased) else { throw Refusal(400, "\(name) is the server's own; /fault/… sends wrong ones") }
      if name.equalsIgnoringCase("Content-Type") { response.headers.removeAll { $0.name == "Content-Type" } }
      response.headers.append(HeaderField(name, value))
    }
    return response
  }
}
