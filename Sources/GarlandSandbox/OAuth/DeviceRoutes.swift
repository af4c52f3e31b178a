import GarlandJSON

/// The routes of the device authorization grant, for devices without a browser (RFC 8628).
enum DeviceRoutes {
  static let routes = [
    Route("POST", "/oauth/device_authorization", "Gives a device its device_code and the user_code to show", stateful: authorize),
    Route("GET", "/oauth/device", "The page where a user lets a device in, with the form \"device\"; ?user_code=", stateful: page),
    Route("POST", "/oauth/device", "Decides: user_code, username, password, decision=allow|deny", stateful: decide),
  ]

  static let authorize: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    tenant.provider.count("device_authorization")
    do throws(OAuthError) {
      return try issue(request, &tenant)
    } catch {
      tenant.provider.count("error \(error.code)")
      throw Refusal(error.response)
    }
  }

  static let page: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    form(request.query["user_code"] ?? "", problem: nil).response()
  }

  static let decide: Route.StatefulHandler = { (request, tenant) throws(Refusal) in
    guard let form = request.form else { throw Refusal(415, "the body has to be application/x-www-form-urlencoded") }
    let code = form["user_code"] ?? ""
    guard let user = form["username"], let password = form["password"], Users.accepts(user, password) else {
      return Self.form(code, problem: "No user has this name and password.").response(403)
    }
    let now = tenant.now
    guard let device = tenant.provider.devices.first(where: { $0.value.userCode == code && $0.value.expires > now })?.key else {
      return Self.form(code, problem: "No device shows this code.").response(400)
    }
    switch form["decision"] {
    case "allow"?: tenant.provider.update(device: device) { $0.decision = .allowed(user: user) }
    case "deny"?: tenant.provider.update(device: device) { $0.decision = .denied }
    default: throw Refusal(400, "decision has to be allow or deny")
    }
    var page = Page("Done")
    page.text("You can go back to your device.")
    return page.response()
  }

  private static func issue(_ request: SandboxRequest, _ tenant: inout TenantState) throws(OAuthError) -> SandboxResponse {
    guard let form = request.form else { throw OAuthError("invalid_request", "the body has to be application/x-www-form-urlencoded") }
    guard let client = try ClientAuthentication.client(of: request, form, &tenant) else {
      throw OAuthError("invalid_client", "client_id is needed")
    }
    guard client.grants.contains(GrantType.device) else {
      throw OAuthError("unauthorized_client", "the client \(client.id) may not use devices")
    }
    let settings = tenant.provider.settings
    let code = tenant.secret("device")
    let userCode = Self.userCode(&tenant)
    var device = ProviderState.Device(
      client: client.id, scope: try TokenEndpoint.scope(form["scope"], within: TokenEndpoint.scopes), userCode: userCode,
      expires: tenant.now + .seconds(settings.deviceLifetime), interval: settings.deviceInterval)
    if !settings.deviceUser.isEmpty { device.decision = .allowed(user: settings.deviceUser) }
    do throws(Refusal) {
      try tenant.provider.add(code, device)
    } catch {
      throw OAuthError("server_error", "there are too many devices")
    }
    return .json(
      [
        "device_code": .string(code), "user_code": .string(userCode), "verification_uri": .string("\(request.origin)/oauth/device"),
        "verification_uri_complete": .string("\(request.origin)/oauth/device?user_code=\(userCode)"),
        "expires_in": JSONValue(settings.deviceLifetime), "interval": JSONValue(settings.deviceInterval),
      ], headers: [HeaderField("Cache-Control", "no-store")])
  }

  /// Returns a code of eight consonants, which form no words (RFC 8628, section 6.1).
  private static func userCode(_ tenant: inout TenantState) -> String {
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    var code = ""
    for index in 0..<8 {
      if index == 4 { code.append("-") }
      code.append(letters[Int.random(in: 0..<letters.count, using: &tenant.generator)])
    }
    return code
  }

  private static func form(_ code: String, problem: String?) -> Page {
    var page = Page("Let a device in")
    if let problem { page.text(problem, id: "problem") }
    page.form(
      "device", action: "/oauth/device", hidden: [],
      [
        Page.field("Code", "user_code", value: code), Page.field("Name", "username"),
        Page.field("Password", "password", type: "password"), Page.button("Allow", "decision", value: "allow"),
        Page.button("Deny", "decision", value: "deny"),
      ])
    return page
  }
}
