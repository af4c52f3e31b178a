import GarlandCrypto
import GarlandText

/// The pages that a browser visits: authorization, login, consent, and the redirect back to the client.
enum AuthorizeRoutes {
  static let cookie = "sandbox_session"

  static let routes = [
    Route(
      "GET POST", "/oauth/authorize", "Asks the user for an authorization code: response_type=code with PKCE (S256), state, nonce, prompt",
      stateful: authorize),
    Route("GET", "/oauth/login", "The login page, with the form \"login\": username, password", stateful: loginPage),
    Route("POST", "/oauth/login", "Logs in: users alice/wonderland, bob/builder, admin/letmein", stateful: login),
    Route("GET", "/oauth/consent", "The consent page, with the form \"consent\": scope, decision=allow|deny", stateful: consentPage),
    Route("POST", "/oauth/consent", "Decides, and redirects to the client with code and state, or error", stateful: consent),
  ]

  static let authorize: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    tenant.provider.count("authorize")
    let query = request.method == "POST" ? request.form ?? FormPairs("") : request.query
    let authorization: AuthorizationRequest
    do throws(AuthorizationRequest.Untrusted) {
      switch try AuthorizationRequest.read(query) {
      case .refused(let redirect, let state, let error): return back(request, redirect, state, error: error, &tenant)
      case .valid(let valid): authorization = valid
      }
    } catch {
      var page = Page("This cannot be authorized")
      page.text(error.reason, id: "problem")
      return page.response(400)
    }
    let session = session(of: request, tenant)
    if authorization.prompt == "none" {
      guard let session else {
        return back(
          request, authorization.redirect, authorization.state, error: OAuthError("login_required", "no user has logged in"), &tenant)
      }
      guard session.value.consents.contains(authorization.grant) else {
        return back(
          request, authorization.redirect, authorization.state, error: OAuthError("consent_required", "the user has not consented"), &tenant
        )
      }
    }
    let id = tenant.secret("request")
    try tenant.provider.add(id, authorization)
    guard let session, authorization.prompt != "login" else { return redirect("/oauth/login?request=\(id)") }
    if session.value.consents.contains(authorization.grant), authorization.prompt != "consent" {
      return try finish(request, id, authorization, session.value, scope: authorization.scope, &tenant)
    }
    return redirect("/oauth/consent?request=\(id)")
  }

  static let loginPage: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let (id, _) = try pending(request.query, tenant)
    return loginForm(id, problem: nil).response()
  }

  static let login: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    guard let form = request.form else { throw Refusal(415, "the body has to be application/x-www-form-urlencoded") }
    let (id, _) = try pending(form, tenant)
    tenant.provider.count("login")
    guard let user = form["username"], let password = form["password"], Users.accepts(user, password) else {
      return loginForm(id, problem: "No user has this name and password.").response(403)
    }
    let session = tenant.secret("session")
    try tenant.provider.add(session, ProviderState.Session(user: user, since: tenant.date))
    return redirect(
      "/oauth/consent?request=\(id)",
      headers: [HeaderField("Set-Cookie", "\(cookie)=\(session); Path=/oauth; HttpOnly; SameSite=Lax")])
  }

  static let consentPage: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    let (id, authorization) = try pending(request.query, tenant)
    guard let session = session(of: request, tenant) else { return redirect("/oauth/login?request=\(id)") }
    var page = Page("May \(authorization.client) do this?")
    page.text("You are \(session.value.user).", id: "user")
    let boxes = authorization.scope.map { Page.box($0, "scope", value: $0) }
    page.form(
      "consent", action: "/oauth/consent", hidden: [("request", id), ("csrf", token(session.id, id))],
      boxes + [Page.button("Allow", "decision", value: "allow"), Page.button("Deny", "decision", value: "deny")])
    return page.response()
  }

  static let consent: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    guard let form = request.form else { throw Refusal(415, "the body has to be application/x-www-form-urlencoded") }
    let (id, authorization) = try pending(form, tenant)
    guard let session = session(of: request, tenant) else { throw Refusal(403, "no user has logged in: the session's cookie is missing") }
    guard let csrf = form["csrf"], constantTimeEqual(csrf.utf8, token(session.id, id).utf8) else {
      throw Refusal(403, "the form is not from this session's consent page")
    }
    switch form["decision"] {
    case "allow"?:
      let scope = form.all("scope").filter { authorization.scope.contains($0) }
      tenant.provider.count("consent")
      if scope == authorization.scope { tenant.provider.consent(session.id, to: authorization.grant) }
      return try finish(request, id, authorization, session.value, scope: scope, &tenant)
    case "deny"?:
      tenant.provider.finish(request: id)
      return back(
        request, authorization.redirect, authorization.state, error: OAuthError("access_denied", "the user has denied the request"), &tenant
      )
    default: throw Refusal(400, "decision has to be allow or deny")
    }
  }

  private static func finish(
    _ request: SandboxRequest, _ id: String, _ authorization: AuthorizationRequest, _ session: ProviderState.Session, scope: [String],
    _ tenant: inout TenantState
  ) throws(Refusal) -> SandboxResponse {
    tenant.provider.finish(request: id)
    let code = tenant.secret("code")
    try tenant.provider.add(
      code,
      AuthorizationCode(
        client: authorization.client, redirect: authorization.redirect, challenge: authorization.challenge, user: session.user,
        authenticated: session.since, scope: scope, audience: authorization.audience, nonce: authorization.nonce,
        expires: tenant.now + .seconds(tenant.provider.settings.codeLifetime)))
    return back(request, authorization.redirect, authorization.state, [("code", code)], &tenant)
  }

  private static func back(
    _ request: SandboxRequest, _ target: String, _ state: String?, error: OAuthError, _ tenant: inout TenantState
  ) -> SandboxResponse {
    tenant.provider.count("error \(error.code)")
    return back(request, target, state, [("error", error.code), ("error_description", error.description)], &tenant)
  }

  /// Returns a redirect to the client. Its query contains the issuer (RFC 9207).
  private static func back(
    _ request: SandboxRequest, _ target: String, _ state: String?, _ pairs: [(String, String)], _ tenant: inout TenantState
  ) -> SandboxResponse {
    let fault = tenant.provider.settings.redirectFault
    var pairs = pairs
    if let state, fault != .noState { pairs.append(("state", fault == .state ? "another" : state)) }
    pairs.append(("iss", fault == .issuer ? "https://other.example" : request.origin))
    let query = pairs.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    return redirect("\(target)\(target.contains("?") ? "&" : "?")\(query)")
  }

  private static func loginForm(_ id: String, problem: String?) -> Page {
    var page = Page("Log in")
    if let problem { page.text(problem, id: "problem") }
    page.form(
      "login", action: "/oauth/login", hidden: [("request", id)],
      [
        Page.field("Name", "username"), Page.field("Password", "password", type: "password"),
        Page.button("Log in", "action", value: "login"),
      ])
    return page
  }

  private static func redirect(_ target: String, headers: [HeaderField] = []) -> SandboxResponse {
    SandboxResponse(303, headers: [HeaderField("Location", target), HeaderField("Cache-Control", "no-store")] + headers)
  }

  private static func pending(
    _ form: FormPairs, _ tenant: TenantState
  ) throws(Refusal) -> (id: String, request: AuthorizationRequest) {
    guard let id = form["request"], let request = tenant.provider.requests[id] else {
      throw Refusal(400, "there is no such authorization under way: begin at /oauth/authorize")
    }
    return (id, request)
  }

  private static func session(of request: SandboxRequest, _ tenant: TenantState) -> (id: String, value: ProviderState.Session)? {
    for (name, value) in request.cookies where name == cookie {
      if let session = tenant.provider.sessions[value] { return (value, session) }
    }
    return nil
  }

  /// Returns a token for a hidden form field. The token proves that the server created the form for this session and this request.
  private static func token(_ session: String, _ request: String) -> String {
    (try? Digest(of: "\(session) \(request)".utf8, using: .sha256).hex) ?? ""
  }
}
