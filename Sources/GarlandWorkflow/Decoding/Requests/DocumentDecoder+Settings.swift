import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandYAML

extension DocumentDecoder {
  /// Decodes those keys that both a step and `defaults` can have, such as headers, the body or expectations.
  func decodeSettings(
    _ reader: MappingReader<StepKey>, _ scope: ExpressionScope, isDefault: Bool, into settings: inout StepSettings
  ) {
    var transport: TransportDraft?
    var body: Int?
    var credentials: Int?
    if reader.has(oneOf: StepKey.parameterOptions) { settings.parameterOptions = decodeParameterOptions(reader) }
    for index in reader.entries.indices
    where StepKey.settings.contains(reader.key(at: index)) || reader.isNull(at: index) || (isDefault && reader.key(at: index) == .trace) {
      let (key, entry) = reader.entries[index]
      let node = entry.value
      if node.isNull, key != .json, key != .plist {
        settings.nulls.insert(key)
        refuseNull(key, entry)
        if StepKey.credentials.contains(key), settings.auth == nil {
          settings.auth = AuthTemplate(kind: .none, range: node.range, isDefault: isDefault)
        }
        continue
      }
      if StepKey.bodies.contains(key) {
        if let body {
          refuseSecond(entry, besides: reader.entries[body].entry, .twoBodies, "body")
        } else {
          body = index
          settings.body = decodeBody(key, entry, scope, isDefault: isDefault)
        }
        continue
      }
      switch key {
      case .auth, .bearer, .basic, .digest:
        if let credentials {
          refuseSecond(entry, besides: reader.entries[credentials].entry, .twoCredentials, "kind of credentials")
        } else {
          credentials = index
          settings.auth = decodeAuth(key, entry, scope, isDefault: isDefault)
        }
      case .baseURL: settings.baseURL = Shared(decodeBaseURL(node, scope))
      case .headers: settings.headers = decodeHeaders(node, scope, isDefault: isDefault, allowsNull: true)
      case .cookies where node.scalar == nil: settings.cookies = decodeCookies(node, scope, isDefault: isDefault)
      case .params: settings.params = decodeNamed(node, settings.parameterOptions.options, scope, isDefault: isDefault, "params")
      case .query: settings.query = decodeNamed(node, .query, scope, isDefault: isDefault, "query")
      case .expect: decodeExpectations(node, scope, isDefault: isDefault, into: &settings)
      case .allowFailure: settings.allowFailure = plainBool(node)
      case .tags: settings.tags = decodeTags(node)
      case .uses: settings.uses = decodeUses(node)
      case .exclusive: settings.exclusive = plainBool(node)
      // The defaults have no method, so `trace` is always a setting there.
      case _ where key == .trace || StepKey.transport.contains(key):
        let draft = transport ?? TransportDraft()
        decodeTransport(key, node, scope, &draft.settings)
        transport = draft
      default: break
      }
    }
    if let transport { settings.transport = SharedTransportSettings(transport.settings) }
    if let credentials { checkHeaders(settings, besides: reader.entries[credentials].entry) }
    if settings.params == nil, !isDefault, reader.has(oneOf: StepKey.parameterOptions) { checkStrayOptions(reader) }
  }

  /// Transport settings while they are being decoded. An object is created only for a step that has such settings, since most steps have
  /// none.
  private final class TransportDraft {
    var settings = TransportSettings()
  }

  private func decodeExpectations(_ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool, into settings: inout StepSettings) {
    let (groups, shared) = expectations(node, scope.withResponse, isDefault: isDefault)
    settings.expected = StepSettings.Expected(
      groups: groups, shared: shared, shift: shared.map { node.range.offsets.lowerBound - $0.start } ?? 0,
      concernsRequest: groups.contains { Self.ofRequests.contains($0.key) },
      concernsStream: groups.contains { ExpectKey.ofStreams.contains($0.key) })
  }

  /// Reports a key that sets the same thing as another key of the same mapping.
  ///
  /// - Parameters:
  ///   - entry: the entry that is reported.
  ///   - first: the entry of the other key.
  ///   - thing: the thing that both keys set, in words.
  private func refuseSecond(_ entry: YAMLMapping.Entry, besides first: YAMLMapping.Entry, _ code: DiagnosticCode, _ thing: String) {
    diagnostics.report(
      Diagnostic(code, "a request can have only one \(thing), found `\(entry.name)` and `\(first.name)`", at: entry.key.range)
        .note("`\(first.name)` is here", at: first.key.range))
  }

  /// Reports a header field that contains credentials, in a step that also sets credentials with a key such as `bearer`.
  private func checkHeaders(_ settings: StepSettings, besides credentials: YAMLMapping.Entry) {
    guard !settings.headers.isEmpty, let auth = settings.auth, !auth.sendsNothing,
      let field = settings.headers.first(where: { $0.name.value.lowercased() == "authorization" && !$0.values.isEmpty })
    else { return }
    diagnostics.report(
      Diagnostic(
        .conflict, "a request can have only one kind of credentials, found the header `\(field.name.value)` and `\(credentials.name)`",
        at: field.name.range
      )
      .note("`\(credentials.name)` is here", at: credentials.key.range).help("remove one of them"))
  }

  /// Reports a null value of a key that can't have a default. For any other key, null switches the default off.
  private func refuseNull(_ key: StepKey, _ entry: YAMLMapping.Entry) {
    switch key {
    case .forEach, .rows, .matrix, .limit, .label: report(.wrongType, "`\(entry.name)` has no value", at: entry.key.range)
    case .extract, .after, .when, .always, .cleanup, .download, .encoding, .destination, .arrays, .bools, .spaces, .nulls, .description:
      report(.wrongType, "`\(entry.name)` has no value", at: entry.key.range)
    case .method, .url, .submit, .trace: report(.wrongType, "`\(entry.name)` has no value", at: entry.key.range)
    case _ where StepKey.ofKinds.contains(key): report(.wrongType, "`\(entry.name)` has no value", at: entry.key.range)
    case _ where StepKey.methods.contains(key): report(.badURL, "`\(entry.name)` has no URL", at: entry.key.range)
    default: break
    }
  }

  /// Reports encoding options for parameters, such as `arrays`, in a step that has no parameters. The options have no effect there.
  private func checkStrayOptions(_ reader: MappingReader<StepKey>) {
    for (key, entry) in reader.entries where StepKey.parameterOptions.contains(key) {
      report(.conflict, "`\(entry.name)` sets how `params` are encoded, but the request has no `params`", at: entry.key.range)
    }
  }

  private func decodeTags(_ node: YAMLNode) -> [String] {
    if case .sequence(let items) = node.content { return items.compactMap { plainText($0, "a tag") } }
    return plainText(node, "a tag or a list of tags").map { [$0] } ?? []
  }

  // MARK: Credentials

  private func decodeAuth(_ key: StepKey, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope, isDefault: Bool) -> AuthTemplate? {
    let node = entry.value
    switch key {
    case .bearer:
      if let mapping = node.mapping {
        let token = mapping.count == 1 ? mapping["token"] : nil
        let isPlain = token.map { $0.isScalar && !$0.isNull && !$0.isAlias && !node.isAlias } ?? false
        report(
          .wrongType, "expected a token, found a mapping", at: node.range, help: "write the token itself: `bearer: TOKEN`",
          replacement: isPlain ? token?.range.text : nil)
        return nil
      }
      checkScheme(node)
      return template(node, scope, "a token").map { AuthTemplate(kind: .bearer($0), range: node.range, isDefault: isDefault) }
    case .basic, .digest:
      guard node.mapping == nil else {
        report(
          .wrongType, "expected `user:password`, found a mapping", at: node.range,
          help: "write `\(key.rawValue): alice:${secrets.PASSWORD}`")
        return nil
      }
      if let items = node.sequence, items.count == 2, items.allSatisfy({ $0.isScalar && !$0.isNull }) {
        let texts = items.map { $0.scalar?.text ?? "" }
        report(
          .wrongType, "expected `user:password`, found a list", at: node.range, help: "write one text, with a colon between the two",
          replacement: node.isAlias || texts[0].contains(":") ? nil : YAMLQuoting.quoted(texts.joined(separator: ":")))
        return nil
      }
      guard let credentials = template(node, scope, "`user:password`") else { return nil }
      checkPassword(credentials, node)
      return AuthTemplate(kind: key == .digest ? .digest(credentials) : .basic(credentials), range: node.range, isDefault: isDefault)
    default:
      if let mapping = node.mapping {
        reportInlineAuth(entry, mapping)
        return nil
      }
      guard let name = plainText(node, "the name of an `auth` entry, or `none`") else { return nil }
      if name == "none" { return AuthTemplate(kind: .none, range: node.range, isDefault: isDefault) }
      // The steps of an `authorize` obtain the token, so credentials of the document's defaults that need the token do not apply to them.
      if isNested, isDefault { return nil }
      return authentication(node, needsToken: false).map { AuthTemplate(kind: .named($0), range: node.range, isDefault: isDefault) }
    }
  }

  /// Reports credentials that are written under `auth` of a step, such as `auth: { bearer: TOKEN }`. In Garland, `bearer` is a key of the
  /// step itself.
  private func reportInlineAuth(_ entry: YAMLMapping.Entry, _ mapping: YAMLMapping) {
    let only = mapping.count == 1 ? mapping.entries.first : nil
    let key = only.flatMap { StepKey(rawValue: $0.name) }.flatMap { [StepKey.basic, .bearer, .digest].contains($0) ? $0 : nil }
    let whole = SourceRange(entry.key.range.file, entry.key.range.offsets.lowerBound..<entry.value.range.offsets.upperBound)
    let isPlain =
      only.map { $0.value.isScalar && !$0.value.isNull && !$0.value.isAlias && !$0.value.range.text.contains("\n") } ?? false
      && !whole.text.contains(" #")
    let fix = key.flatMap { key in
      only.map { "\(YAMLQuoting.key(key.rawValue, inPlaceOf: entry.key.range.text)): \($0.value.range.text)" }
    }
    report(
      .wrongType, "expected the name of an `auth` entry, or `none`, found a mapping", at: entry.value.range,
      help: key.map { "write `\($0.rawValue): …` in place of `auth`" }
        ?? "define the credential under the document's `auth:`, and write the name of its entry here: `auth: NAME`; "
        + "a password is `basic: USER:PASSWORD` in place of `auth`, a token is `bearer: TOKEN`",
      replacement: isPlain && !entry.value.isAlias ? fix : nil, fixRange: whole)
  }

  // MARK: Fields

  func decodeHeaders(_ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool, allowsNull: Bool) -> [HeaderTemplate] {
    if let items = node.sequence {
      let fields = items.map(Self.field)
      let written = fields.compactMap { $0 }.map { "\(YAMLQuoting.scalar($0.name)): \(YAMLQuoting.quoted($0.value))" }.joined(
        separator: ", ")
      report(
        .wrongType, "expected a mapping of header names to values, found a list", at: node.range,
        help: "write `headers: { \(written.isEmpty ? "Accept: text/plain" : Words.excerpt(written)) }`",
        replacement: fields.contains { $0 == nil } || fields.isEmpty || node.isAlias ? nil : "{ \(written) }")
      return []
    }
    guard let mapping = mapping(node, "a mapping of header names to values") else { return [] }
    var headers: [HeaderTemplate] = []
    headers.reserveCapacity(mapping.count)
    for entry in mapping.entries {
      let name = expressionName(entry, scope, "the name of a header")
      guard name != nil || HTTPToken.isToken(entry.name) else {
        report(
          .badHeader, "`\(Words.excerpt(entry.name))` is not a valid header name", at: entry.key.range,
          help: entry.name.hasSuffix(":")
            ? "leave the `:` out" : entry.name.contains(" ") ? "did you mean `\(Self.token(entry.name))`?" : nil,
          replacement: HTTPToken.isToken(Self.token(entry.name)) ? Self.token(entry.name) : nil)
        continue
      }
      if headers.contains(where: { $0.name.value.count == entry.name.count && $0.name.value.lowercased() == entry.name.lowercased() }) {
        report(
          .badHeader, "the header `\(entry.name)` appears twice: names are case-insensitive", at: entry.key.range,
          help: "for a header with several values, write a list")
      }
      if allowsNull, !entry.value.isNull, ["content-length", "transfer-encoding"].contains(entry.name.lowercased()) {
        report(
          .badHeader, "`\(entry.name)` is computed from the body; another value would break the connection for the next request",
          at: entry.key.range, help: "remove it: it is written automatically")
      }
      var values: [Template] = []
      if entry.value.isNull, allowsNull {
        values = []
      } else if case .sequence(let items) = entry.value.content {
        values = items.compactMap { headerValue($0, scope) }
      } else if let value = headerValue(entry.value, scope) {
        values = [value]
      } else {
        continue
      }
      headers.append(
        HeaderTemplate(
          name: Located(entry.name, at: entry.key.range), sharedNameTemplate: Shared(name), values: values, isDefault: isDefault,
          usesSecrets: values.contains { $0.usesSecrets }))
    }
    return headers
  }

  /// Returns the name and the value of a header field that is written as an item of a list, as in other tools: `Name: value` or `{ name: …,
  /// value: … }`. Returns nil for any other form.
  private static func field(_ node: YAMLNode) -> (name: String, value: String)? {
    if let text = node.scalar?.text, let colon = text.firstIndex(of: ":") {
      return (String(text[..<colon]), String(text[text.index(after: colon)...].drop { $0 == " " }))
    }
    // A field with a colon is a mapping in YAML: `[Accept: text/html]`.
    if let mapping = node.mapping, mapping.count == 1, let entry = mapping.entries.first, let value = entry.value.scalar?.text {
      return (entry.name, value)
    }
    guard let mapping = node.mapping, mapping.count == 2, let name = (mapping["name"] ?? mapping["key"])?.scalar?.text,
      let value = mapping["value"]?.scalar?.text
    else { return nil }
    return (name, value)
  }

  /// Converts an invalid header name to a valid one, as a suggestion: `X-Key` for `X Key`.
  private static func token(_ name: String) -> String {
    let words = name.split { $0 == " " || $0 == "_" && name.contains(" ") }
    return words.joined(separator: "-").replacing(":", with: "")
  }

  private func headerValue(_ node: YAMLNode, _ scope: ExpressionScope) -> Template? {
    guard let value = template(node, scope, "text") else { return nil }
    if let text = value.constantText, text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
      report(.badHeader, "the value of a header can't have line breaks", at: node.range)
    }
    return value
  }

  private func decodeCookies(_ node: YAMLNode, _ scope: ExpressionScope, isDefault: Bool) -> [CookieTemplate] {
    guard let mapping = mapping(node, "a mapping of cookie names to values, `shared`, `none` or a file") else { return [] }
    return mapping.entries.map { entry in
      let name = expressionName(entry, scope, "the name of a cookie")
      if name == nil, !HTTPToken.isToken(entry.name) {
        report(.badHeader, "`\(Words.excerpt(entry.name))` is not a valid cookie name", at: entry.key.range)
      }
      return CookieTemplate(
        name: Located(entry.name, at: entry.key.range), sharedNameTemplate: Shared(name),
        value: entry.value.isNull ? nil : template(entry.value, scope), isDefault: isDefault)
    }
  }

  /// Returns the name of a mapping's entry, such as the name of a header field, as a template. Returns nil if the name contains no
  /// expression. A name that contains expressions is checked only when the request is made.
  func expressionName(_ entry: YAMLMapping.Entry, _ scope: ExpressionScope, _ what: String) -> Template? {
    guard entry.key.isScalar, ExpressionScanner.hasExpression(entry.name) else { return nil }
    return template(entry.key, scope, what)
  }

  // MARK: Parameters

  private func decodeParameterOptions(_ reader: MappingReader<StepKey>) -> ParametersTemplate.Overrides {
    var options = ParametersTemplate.Overrides()
    options.encoding = reader.value(.encoding).flatMap { word($0, of: ParametersTemplate.Encoding.self) }
    options.destination = reader.value(.destination).flatMap { word($0, of: ParametersTemplate.Destination.self) }
    options.arrays = reader.value(.arrays).flatMap { word($0, of: ParametersTemplate.Arrays.self) }
    options.booleans = reader.value(.bools).flatMap { word($0, of: ParametersTemplate.Booleans.self) }
    options.spaces = reader.value(.spaces).flatMap { word($0, of: ParametersTemplate.Spaces.self) }
    options.nulls = reader.value(.nulls).flatMap { word($0, of: ParametersTemplate.Nulls.self) }
    if let encoding = options.encoding, encoding != .url {
      for (key, entry) in reader.entries where [.destination, .arrays, .bools, .spaces, .nulls].contains(key) {
        report(.conflict, "`\(entry.name)` can only be used with `encoding: url`", at: entry.key.range)
      }
    }
    return options
  }

  func decodeNamed(
    _ node: YAMLNode, _ options: ParametersTemplate.Options, _ scope: ExpressionScope, isDefault: Bool, _ key: String
  ) -> ParametersTemplate? {
    let value = value(node, scope)
    let isWhole: Bool
    switch value {
    case .object, .constant(.object, _): isWhole = true
    case .scalar(let template):
      if case .expression(let expression) = template.content { isWhole = expression.kinds.contains(.mapping) } else { isWhole = false }
    case .list, .constant: isWhole = key == "params" && options.encoding != .url
    }
    // An expression with a mistake has already been reported, and its value is now null.
    guard isWhole || (value.constant?.isNull ?? false) else {
      let written = node.scalar.flatMap { WrittenParameters.mapping(of: $0.text) }
      report(
        .wrongType, "expected a mapping of names to values, found \(found(node))", at: node.range,
        help: "write `\(key): \(written ?? "{ name: value }")`", replacement: node.isAlias ? nil : written)
      return nil
    }
    return ParametersTemplate(value: value, options: options, range: node.range, isDefault: isDefault)
  }

  /// Reports a request that has two bodies, and a request with `compress` but without a body. Parameters that are sent in the body count as
  /// a body.
  func checkBodies(_ request: RequestTemplate, _ reader: MappingReader<StepKey>) {
    if let entry = reader[.compress], !entry.value.isNull, request.body == nil, request.params == nil {
      report(.conflict, "`compress` compresses the body, but the request has no body", at: entry.key.range)
    }
    guard let params = request.params, let body = request.body, let entry = reader[.params] else { return }
    let isBody: Bool
    switch params.options.destination {
    case .query: isBody = params.options.encoding != .url
    case .body: isBody = true
    case .method:
      // The value of an expression is checked when the request is made.
      isBody =
        params.options.encoding != .url
        || (request.methodTemplate == nil && !["GET", "HEAD", "DELETE"].contains(request.method.value))
    }
    guard isBody, !body.isDefault else { return }
    diagnostics.report(
      Diagnostic(
        .twoBodies, "a request can have only one body, found `params` of a \(request.method.value) and `\(body.key.value)`",
        at: entry.key.range
      )
      .note("`\(body.key.value)` is here", at: body.key.range)
      .help("to send the parameters in the query, write `query:` in place of `params:`, or `destination: query`"))
  }
}

extension Template {
  /// Whether an expression in this template refers to a secret.
  var usesSecrets: Bool {
    switch content {
    case .constant: false
    case .expression(let expression): expression.usesSecrets
    case .text(let pieces): pieces.contains { if case .expression(let expression) = $0 { expression.usesSecrets } else { false } }
    }
  }
}
