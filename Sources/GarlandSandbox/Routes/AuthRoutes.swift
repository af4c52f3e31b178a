import GarlandCrypto
import GarlandJSON
import GarlandText

/// Routes that check the credentials in the `Authorization` field.
enum AuthRoutes {
  static let routes = [
    Route("*", "/basic-auth/{user}/{password}", "Wants these by basic authentication", basic),
    Route("*", "/hidden-basic-auth/{user}/{password}", "The same, but answers 404 without a challenge", hiddenBasic),
    Route("*", "/digest-auth/{user}/{password}", "Wants these by digest authentication (RFC 7616, SHA-256)", digest),
    Route("*", "/bearer", "Wants some bearer token", anyBearer),
    Route("*", "/bearer/{token}", "Wants this bearer token", bearer),
  ]

  static let basic: Route.PureHandler = { request throws(Refusal) in
    guard isAuthenticated(request) else {
      throw Refusal(
        401, "these are not the expected credentials",
        headers: [HeaderField("WWW-Authenticate", "Basic realm=\"sandbox\", charset=\"UTF-8\"")])
    }
    return .json(["authenticated": true, "user": .string(request.parameter("user"))])
  }

  static let hiddenBasic: Route.PureHandler = { request throws(Refusal) in
    guard isAuthenticated(request) else { throw Refusal.notFound("such page") }
    return .json(["authenticated": true, "user": .string(request.parameter("user"))])
  }

  static let digest: Route.PureHandler = { request throws(Refusal) in
    let user = request.parameter("user")
    guard let answer = credentials(request, scheme: "Digest"),
      DigestAnswer(answer).isRight(method: request.method, target: request.target, user: user, password: request.parameter("password"))
    else {
      throw Refusal(
        401, "these are not the expected credentials", headers: [HeaderField("WWW-Authenticate", DigestAnswer.challenge)])
    }
    return .json(["authenticated": true, "user": .string(user)])
  }

  static let anyBearer: Route.PureHandler = { request throws(Refusal) in
    guard let token = bearerToken(request) else { throw unauthorized() }
    return .json(["authenticated": true, "token": .string(token)])
  }

  static let bearer: Route.PureHandler = { request throws(Refusal) in
    guard let token = bearerToken(request) else { throw unauthorized() }
    guard constantTimeEqual(token.utf8, request.parameter("token").utf8) else { throw unauthorized("the token is another") }
    return .json(["authenticated": true, "token": .string(token)])
  }

  /// Returns the user and password of a basic `Authorization` field (RFC 7617); nil if there is no such field.
  static func basicCredentials(_ request: SandboxRequest) -> (user: String, password: String)? {
    guard let credentials = credentials(request, scheme: "Basic"), let bytes = try? Base64.decode(credentials),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  static func bearerToken(_ request: SandboxRequest) -> String? { credentials(request, scheme: "Bearer") }

  /// Returns a response with the status 401 and a challenge (RFC 6750, section 3). `problem` describes what is wrong with the token. If the
  /// request contained no token, `problem` is nil and the challenge has no error code.
  static func unauthorized(_ problem: String? = nil, realm: String = "sandbox") -> Refusal {
    let error = problem.map { ", error=\"invalid_token\", error_description=\"\($0)\"" } ?? ""
    return Refusal(
      401, problem ?? "a bearer token is needed", headers: [HeaderField("WWW-Authenticate", "Bearer realm=\"\(realm)\"\(error)")])
  }

  private static func isAuthenticated(_ request: SandboxRequest) -> Bool {
    guard let (user, password) = basicCredentials(request) else { return false }
    return constantTimeEqual(user.utf8, request.parameter("user").utf8)
      && constantTimeEqual(password.utf8, request.parameter("password").utf8)
  }

  private static func credentials(_ request: SandboxRequest, scheme: String) -> String? {
    guard let value = request.headers.first("Authorization"), let space = value.firstIndex(of: " "),
      String(value[..<space]).equalsIgnoringCase(scheme)
    else { return nil }
    let rest = value[space...].withoutBlanks
    return rest.isEmpty ? nil : String(rest)
  }
}
