/// Collects the references to steps and inputs in requests.
extension ReferenceCollector {
  mutating func add(_ request: RequestTemplate, _ settings: StepSettings, methodKey: String) {
    add(request.url, methodKey, isDefault: false)
    if let method = request.methodTemplate { add(method, "method", isDefault: false) }
    if let base = request.baseURL, base.hasExpression { add(base, "base_url", isDefault: settings.isBaseURLDefault) }
    if let parameters = request.params { add(parameters.value, "params", isDefault: parameters.isDefault) }
    if let parameters = request.query { add(parameters.value, "query", isDefault: parameters.isDefault) }
    for header in request.headers { add(header, "headers.\(header.name.value)", isDefault: header.isDefault) }
    for cookie in request.cookies {
      if let name = cookie.nameTemplate { add(name, "cookies.\(cookie.name.value)", isDefault: cookie.isDefault) }
      if let value = cookie.value { add(value, "cookies.\(cookie.name.value)", isDefault: cookie.isDefault) }
    }
    if let auth = request.auth { add(auth) }
    if let body = request.body { add(body) }
    if let download = request.download {
      add(download.to, "download", isDefault: false)
      add(download.replace, "download", isDefault: false)
      add(download.createDirs, "download", isDefault: false)
      add(download.resume, "download", isDefault: false)
    }
    if let stream = request.stream { add(stream) }
    add(request.sharedTransport)
  }

  private mutating func add(_ stream: StreamTemplate) {
    let key = stream.format.rawValue
    add(stream.until, key, isDefault: false)
    add(stream.count, key, isDefault: false)
    add(stream.within, key, isDefault: false)
    add(stream.keep, key, isDefault: false)
    add(stream.reconnect, key, isDefault: false)
    // An item is not part of the response that is kept.
    let needs = ownNeeds
    for expectation in stream.each { add(expectation, key: "\(key).each") }
    ownNeeds = needs
  }

  /// Adds the references in transport settings. Settings that are the same for all requests have no references, so they are not searched.
  private mutating func add(_ transport: SharedTransportSettings) {
    if !transport.isFixed { add(transport.settings) }
  }

  private mutating func add(_ auth: AuthTemplate) {
    switch auth.kind {
    case .bearer(let token): add(token, "bearer", isDefault: auth.isDefault)
    case .basic(let credentials): add(credentials, "basic", isDefault: auth.isDefault)
    case .digest(let credentials): add(credentials, "digest", isDefault: auth.isDefault)
    case .named(let index): add(InputReference(target: .authentication(index), range: auth.range, isOptional: false))
    case .none: break
    }
  }

  /// Adds the references of `submit:`. These are references to the text and URL of the page with the form, which an earlier step received,
  /// and the references in the form fields.
  mutating func add(_ submit: SubmitTemplate) {
    let place = places.shared(.init(key: "submit", isDefault: false))
    for member in [ResponseMember.text, .url] {
      steps.append(
        StepReference(
          ExpressionStepUse(
            target: submit.from, member: .response(member), name: member.rawValue, range: submit.fromID.range, isOptional: false),
          at: place))
    }
    for field in submit.fields {
      add(field.name, "submit.fields", isDefault: false)
      switch field.value {
      case .value(let value): add(value, "submit.fields", isDefault: false)
      case .file(let part): add(part, "submit.fields", isDefault: false)
      }
    }
  }

  private mutating func add(_ part: PartTemplate, _ key: String, isDefault: Bool) {
    add(part.name, key, isDefault: isDefault)
    switch part.content {
    case .text(let template), .base64(let template): add(template, key, isDefault: isDefault)
    case .file(let file, let slice): add(file, slice, key, isDefault: isDefault)
    case .json(let value): add(value, key, isDefault: isDefault)
    }
    if let filename = part.filename { add(filename, key, isDefault: isDefault) }
    if let type = part.type { add(type, key, isDefault: isDefault) }
    for header in part.headers { add(header, key, isDefault: isDefault) }
  }

  private mutating func add(_ file: FileTemplate, _ slice: SliceTemplate?, _ key: String, isDefault: Bool) {
    add(file, key, isDefault: isDefault)
    add(slice?.offset, key, isDefault: isDefault)
    add(slice?.length, key, isDefault: isDefault)
  }

  private mutating func add(_ body: BodyTemplate) {
    let key = body.key.value
    switch body.kind {
    case .json(let value), .plist(let value): add(value, key, isDefault: body.isDefault)
    case .form(let parameters): add(parameters.value, key, isDefault: body.isDefault)
    case .text(let template), .base64(let template): add(template, key, isDefault: body.isDefault)
    case .file(let file, let slice): add(file, slice, key, isDefault: body.isDefault)
    case .graphql(let query, let variables, let operation, let allowsErrors):
      if !allowsErrors { ownNeeds.insert(.json) }
      add(query, key, isDefault: body.isDefault)
      if let variables { add(variables, key, isDefault: body.isDefault) }
      if let operation { add(operation, key, isDefault: body.isDefault) }
    case .multipart(let parts):
      for part in parts { add(part, key, isDefault: body.isDefault) }
    }
  }

  private mutating func add(_ transport: TransportSettings) {
    var settings = transport
    settings.visit(&self)
    for mapping in transport.resolve { add(mapping.to, "resolve", isDefault: false) }
    for mapping in transport.connectTo { add(mapping.to, "connect_to", isDefault: false) }
    add(transport.tls.ca, "tls", isDefault: false)
    add(transport.tls.cert, "tls", isDefault: false)
    add(transport.tls.key, "tls", isDefault: false)
    if let password = transport.tls.password { add(password, "tls", isDefault: false) }
    for pin in transport.tls.pins { add(pin, "tls", isDefault: false) }
  }
}

extension ReferenceCollector: TransportVisitor {
  mutating func visit<Value: SettingValue>(
    _ key: String, _ effect: SettingEffect, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?
  ) {
    add(setting, String(key.prefix { $0 != "." }), isDefault: false)
  }
}
