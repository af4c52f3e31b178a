import GarlandDiagnostics
import GarlandTransfer
import GarlandWorkflow

/// Converts requests to nodes of the script.
extension ScriptBuilder {
  mutating func send(_ request: RequestTemplate, _ step: Step, _ scope: Scope) -> ScriptNode {
    refuseTransport(of: request, step)
    var method = ScriptNode.text(request.method.value)
    if let template = request.methodTemplate { method = text(template, scope) }
    var url = url(request.url, scope)
    if let base = request.baseURL { url = .call("join", [self.url(base, scope), url]) }
    var headers: [(ScriptNode, ScriptNode)] = []
    var options: [(String, ScriptNode)] = []
    addHeaders(of: request, &headers, scope)
    var cookies = cookies(of: request, scope)
    addCredentials(of: request, &url, &headers, &cookies, &options, scope)
    if let query = request.query { url = .call("query", [url, parameters(query, scope)]) }
    if let params = request.params { addParams(params, of: request, &url, &options, scope) }
    if let body = request.body { addBody(body, &options, scope) }
    if !headers.isEmpty { options.append(("headers", .list(headers.map { .list([$0.0, $0.1]) }))) }
    if !cookies.isEmpty { options.append(("cookies", .object(cookies.map { (name: $0.0, value: $0.1) }))) }
    if let timeout = request.transport.timeout { options.append(("timeout", seconds(timeout, scope))) }
    if let deadline = request.transport.deadline { options.append(("deadline", seconds(deadline, scope))) }
    if !follows(request, step) { options.append(("follow", .flag(false))) }
    return .call("send", [method, url, .members(options)])
  }

  private mutating func addHeaders(of request: RequestTemplate, _ headers: inout [(ScriptNode, ScriptNode)], _ scope: Scope) {
    for header in request.headers {
      guard header.values.count == 1 else {
        refuse(
          header.values.isEmpty ? "a header that is removed" : "a header with several values", at: header.name.range)
        continue
      }
      if header.isDefault, header.usesSecrets { requireBase(of: request, for: "a secret header of `defaults`", at: header.name.range) }
      let name = header.nameTemplate.map { text($0, scope) } ?? .text(header.name.value)
      headers.append((name, text(header.values[0], scope)))
    }
  }

  private mutating func cookies(of request: RequestTemplate, _ scope: Scope) -> [(ScriptNode, ScriptNode)] {
    var cookies: [(ScriptNode, ScriptNode)] = []
    for cookie in request.cookies {
      guard let value = cookie.value else { continue }
      if cookie.isDefault { requireBase(of: request, for: "a cookie of `defaults`", at: cookie.name.range) }
      cookies.append((cookie.nameTemplate.map { text($0, scope) } ?? .text(cookie.name.value), text(value, scope)))
    }
    return cookies
  }

  /// Reports an error for credentials in `defaults` if the URL of the step is not relative to `base_url`. These credentials must be sent
  /// only to the origin (scheme, host and port) of `base_url`, and the script cannot ensure this.
  ///
  /// - Parameter what: the kind of credentials, for the message.
  private mutating func requireBase(of request: RequestTemplate, for what: String, at range: SourceRange) {
    guard request.baseURL != nil, case .literal(let start)? = request.url.pieces.first, start.hasPrefix("/") || start.hasPrefix("?") else {
      guard !request.url.pieces.isEmpty else { return }
      return refuse("\(what) for a step with a URL of its own", at: range, help: "write it in the step, or a URL that begins with `/`")
    }
  }

  // MARK: Credentials

  private mutating func addCredentials(
    of request: RequestTemplate, _ url: inout ScriptNode, _ headers: inout [(ScriptNode, ScriptNode)],
    _ cookies: inout [(ScriptNode, ScriptNode)], _ options: inout [(String, ScriptNode)], _ scope: Scope
  ) {
    guard let auth = request.auth, !isNone(auth) else { return }
    if auth.isDefault { requireBase(of: request, for: "a credential of `defaults`", at: auth.range) }
    func bearer(_ template: Template, _ scope: Scope, _ builder: inout ScriptBuilder) {
      headers.append((.text("Authorization"), .call("text", [.text("Bearer "), builder.text(template, scope)])))
    }
    func basic(_ template: Template, _ scope: Scope, _ builder: inout ScriptBuilder) {
      let encoded = ScriptNode.call("base64", [builder.text(template, scope)])
      headers.append((.text("Authorization"), .call("text", [.text("Basic "), encoded])))
    }
    switch auth.kind {
    case .none: break
    case .bearer(let template): bearer(template, scope, &self)
    case .basic(let template): basic(template, scope, &self)
    case .digest(let template): options.append(("digest", text(template, scope)))
    case .named(let index):
      let definition = scope.workflow.authentications[index]
      let home = definition.origin.map { Scope(workflow: $0.workflow) } ?? scope
      switch definition.kind {
      case .bearer(let template): bearer(template, home, &self)
      case .basic(let template): basic(template, home, &self)
      case .digest(let template): options.append(("digest", text(template, home)))
      case .apiKey(let key):
        let value = text(key.value, home)
        switch key.place {
        case .header(let name): headers.append((.text(name), value))
        case .query(let name): url = .call("query", [url, .call("text", [.text(name + "="), .call("encode", [value])])])
        case .cookie(let name): cookies.append((.text(name), value))
        }
      case .ntlm, .negotiate, .aws, .oauth1, .oauth2:
        refuse(
          "`\(definition.keyword)`", at: definition.name.range,
          help: definition.oauth2 == nil ? nil : "get the token in a step, and send it with `bearer`")
      }
    }
  }

  private func isNone(_ auth: AuthTemplate) -> Bool { if case .none = auth.kind { true } else { false } }

  // MARK: Bodies

  private mutating func addParams(
    _ params: ParametersTemplate, of request: RequestTemplate, _ url: inout ScriptNode, _ options: inout [(String, ScriptNode)],
    _ scope: Scope
  ) {
    switch params.options.encoding {
    case .json: options.append(("json", node(params.value, scope)))
    case .plist: refuse("`encoding: plist`", at: params.range)
    case .url:
      if request.methodTemplate != nil, params.options.destination == .method {
        return refuse("`params` for a method that an expression gives", at: params.range)
      }
      let isInQuery =
        params.options.destination == .query
        || (params.options.destination == .method && ["GET", "HEAD", "DELETE"].contains(request.method.value))
      if isInQuery {
        url = .call("query", [url, parameters(params, scope)])
      } else {
        options.append(("form", parameters(params, scope)))
        options.append(("type", .text("application/x-www-form-urlencoded; charset=utf-8")))
      }
    }
  }

  private mutating func addBody(_ body: BodyTemplate, _ options: inout [(String, ScriptNode)], _ scope: Scope) {
    switch body.kind {
    case .json(let value): options.append(("json", node(value, scope)))
    case .form(let parameters): options.append(("form", self.parameters(parameters, scope)))
    case .text(let template): options.append(("text", text(template, scope)))
    case .file(let file, nil) where file.resolved != nil:
      let path = file.resolved ?? ""
      options.append(("file", self.path(of: path, isText: false)))
      options.append(("type", .text(MediaTypes.type(forPath: path))))
    case .graphql(let query, let variables, let operationName, _):
      var members: [(String, ScriptNode)] = [("query", text(query, scope))]
      if let variables { members.append(("variables", node(variables, scope))) }
      if let operationName { members.append(("operationName", text(operationName, scope))) }
      options.append(("json", .members(members)))
    case .multipart(let parts): addParts(parts, body, &options, scope)
    case .plist, .file, .base64: refuse("`\(body.key.value)` in this form", at: body.key.range)
    }
  }

  private mutating func addParts(_ parts: [PartTemplate], _ body: BodyTemplate, _ options: inout [(String, ScriptNode)], _ scope: Scope) {
    if target == .k6 {
      // k6 stores the parts in a mapping, and sends a body without a file as a simple form.
      let names = parts.compactMap(\.name.constantText)
      let hasFile = parts.contains { if case .file = $0.content { true } else { false } }
      if !hasFile || names.count < parts.count || Set(names).count < names.count {
        return refuse("`multipart` without a file, or with computed or repeated names,", at: body.key.range)
      }
    }
    options.append(("parts", .list(parts.map { part($0, scope) })))
  }

  private mutating func part(_ part: PartTemplate, _ scope: Scope) -> ScriptNode {
    var members: [(String, ScriptNode)] = [("name", text(part.name, scope))]
    var isPlain = false
    if !part.headers.isEmpty { refuse("a part with `headers`", at: part.range) }
    switch part.content {
    case .text(let template):
      isPlain = true
      members.append(("text", text(template, scope)))
    case .json(let value):
      isPlain = true
      members.append(("json", node(value, scope)))
      if target == .k6 { refuse("a part with `json`", at: part.range) }
    case .file(let file, nil) where file.resolved != nil:
      let path = file.resolved ?? ""
      members.append(("file", self.path(of: path, isText: false)))
      let written = file.path.constantText ?? path
      let name = written.split(separator: "/").last.map(String.init) ?? written
      members.append(("filename", part.filename.map { text($0, scope) } ?? .text(name)))
      members.append(("type", part.type.map { text($0, scope) } ?? .text(MediaTypes.type(forPath: name))))
    case .file, .base64: refuse("this part", at: part.range)
    }
    if isPlain {
      if target == .k6, part.filename != nil || part.type != nil { refuse("a text with `filename` or `type`", at: part.range) }
      if let filename = part.filename { members.append(("filename", text(filename, scope))) }
      if let type = part.type { members.append(("type", text(type, scope))) }
    }
    return .members(members)
  }

  private mutating func parameters(_ parameters: ParametersTemplate, _ scope: Scope) -> ScriptNode {
    let options = parameters.options
    let how: [(String, ScriptNode)] = [
      ("arrays", .text(options.arrays.rawValue)), ("bools", .text(options.booleans.rawValue)), ("nulls", .text(options.nulls.rawValue)),
      ("sorted", .flag(options.sortsKeys)), ("plus", .flag(options.spaces == .plus)),
    ]
    return .call("parameters", [node(parameters.value, scope), .members(how)])
  }

  /// Returns whether the script follows redirects. The step's own setting decides. Without a setting, the result is false if the step
  /// expects a status 3xx, and otherwise true.
  private mutating func follows(_ request: RequestTemplate, _ step: Step) -> Bool {
    if let setting = request.transport.followRedirects {
      guard let follows = setting.constant else {
        refuse("`redirect` with an expression", at: setting.range)
        return true
      }
      return follows
    }
    return !step.expectations.contains { expectation in
      guard case .status(let patterns) = expectation.check else { return false }
      return patterns.contains { $0.constant?.admitsRedirects ?? false }
    }
  }
}
