import GarlandDiagnostics
import GarlandYAML

extension DocumentDecoder {
  private static let structured: Set<OAuth2Key> = [
    .grant, .clientAuth, .clientKey, .clientCertificate, .scope, .audience, .resource, .extra, .assertion, .subject, .actor, .authorize,
  ]

  /// The keys that are valid only with certain grants, together with these grants.
  private static let owners: [(keys: Set<OAuth2Key>, grants: Set<OAuth2Template.Grant>)] = [
    ([.username, .password], [.password]), ([.refreshToken], [.refreshToken]), ([.assertion], [.jwtBearer]),
    ([.authorize, .authorizeURL, .redirectURI], [.authorizationCode]), ([.deviceURL], [.deviceCode]),
    ([.subject, .actor, .subjectToken, .subjectTokenType, .actorToken, .actorTokenType], [.tokenExchange]),
  ]

  func decodeOAuth2(
    _ node: YAMLNode, root: YAMLNode, base: URLTemplate?, into collector: inout ReferenceCollector
  ) -> OAuth2Template? {
    guard let reader = reader(node, OAuth2Key.table, "settings of OAuth 2 such as `{ grant: client_credentials, … }`") else { return nil }
    guard let grantNode = reader.value(.grant) else {
      if !reader.hasKey(near: .grant) {
        report(
          .missingKey, "`grant` is missing", at: startOf(node),
          help: "choose one of \(Words.list(OAuth2Template.Grant.allCases.map(\.rawValue)))")
      }
      return nil
    }
    var texts = self.texts(reader, but: Self.structured, into: &collector)
    let clientAuth = reader.value(.clientAuth).map { word($0, of: OAuth2Template.ClientAuth.self) }
    let values = decodeValues(reader, into: &collector)
    let clientKey = reader.value(.clientKey).flatMap { fileTemplate($0, .authentication) }
    let certificate = reader.value(.clientCertificate).flatMap { fileTemplate($0, .authentication) }
    collector.add(clientKey, "auth", isDefault: false)
    collector.add(certificate, "auth", isDefault: false)
    var assertion: OAuth2Template.Assertion?
    if let node = reader.value(.assertion) {
      if node.mapping != nil {
        assertion = decodeAssertion(node, into: &collector)
      } else if let text = template(node, .authentication, "a JWT, or its claims") {
        collector.add(text, "auth", isDefault: false)
        texts[.assertion] = text
      }
    }
    let subject = reader.value(.subject).flatMap { authentication($0, needsToken: true) }
    let actor = reader.value(.actor).flatMap { authentication($0, needsToken: true) }
    let authorize = reader.value(.authorize).flatMap { decodeAuthorize($0, root: root, into: &collector) }
    guard let grant = word(grantNode, of: OAuth2Template.Grant.self) else { return nil }
    checkKeys(reader, grant)
    if grant == .jwtBearer, assertion != nil, clientKey == nil, !reader.hasKey(near: .clientKey) {
      report(.missingKey, "`assertion` needs a `client_key`, which signs the JSON Web Token of the assertion", at: startOf(node))
    }
    if let (_, entry) = reader.entries.first(where: { $0.key == .clientKeyPassword }), reader.value(.clientKey) == nil,
      reader.value(.clientCertificate) == nil, !reader.hasKey(near: .clientKey), !reader.hasKey(near: .clientCertificate)
    {
      report(
        .missingKey, "`\(entry.name)` needs a `client_key`", at: entry.key.range,
        help: "name the file of the key in `client_key`, or a PKCS#12 file in `client_certificate`")
    }
    if let base { collector.add(base, "auth", isDefault: false) }
    return OAuth2Template(
      grant: grant, clientAuth: clientAuth ?? nil, texts: texts, values: values, clientKey: clientKey,
      clientCertificate: certificate, assertion: assertion, subject: subject, actor: actor, authorize: authorize, baseURL: base)
  }

  /// Decodes the values of `scope`, `audience`, `resource` and `extra`, which become parameters of the token request.
  private func decodeValues(_ reader: MappingReader<OAuth2Key>, into collector: inout ReferenceCollector) -> [OAuth2Key: ValueTemplate] {
    var values: [OAuth2Key: ValueTemplate] = [:]
    for key in [OAuth2Key.scope, .audience, .resource, .extra] {
      guard let entry = reader.value(key) else { continue }
      if key == .extra, entry.mapping == nil {
        report(.wrongType, "expected a mapping of parameter names to values, found \(found(entry))", at: entry.range)
      } else if key != .extra, entry.mapping != nil {
        report(.wrongType, "expected text or a list of texts, found a mapping", at: entry.range)
      } else if key != .extra, let item = entry.sequence?.first(where: { $0.scalar == nil || $0.isNull }) {
        report(.wrongType, "expected text, found \(found(item))", at: item.range)
      }
      let value = value(entry, .authentication)
      collector.add(value, "auth", isDefault: false)
      values[key] = value
    }
    return values
  }

  private func checkKeys(_ reader: MappingReader<OAuth2Key>, _ grant: OAuth2Template.Grant) {
    for (keys, grants) in Self.owners where !grants.contains(grant) {
      for (key, entry) in reader.entries where keys.contains(key) {
        let owner = grants.map(\.rawValue).first ?? ""
        report(.conflict, "`\(entry.name)` needs the grant `\(owner)`, but the grant is `\(grant.rawValue)`", at: entry.key.range)
      }
    }
    for keys in OAuth2Key.needed(for: grant) where !keys.contains(where: { reader.value($0) != nil || reader.hasKey(near: $0) }) {
      report(
        .missingKey, "the grant `\(grant.rawValue)` needs \(Words.list(keys.map(\.rawValue), conjunction: "or"))", at: startOf(reader.node))
    }
  }

  private func decodeAssertion(_ node: YAMLNode, into collector: inout ReferenceCollector) -> OAuth2Template.Assertion? {
    guard let reader = reader(node, AssertionKey.table, "the claims of the JWT") else { return nil }
    let texts = self.texts(reader, required: [.subject], but: [.claims], into: &collector)
    if let node = reader.value(.claims), node.mapping == nil {
      report(.wrongType, "expected a mapping of claim names to values, found \(found(node))", at: node.range)
    }
    let claims = reader.value(.claims).map { value($0, .authentication) }
    if let claims { collector.add(claims, "auth", isDefault: false) }
    guard let subject = texts[.subject] else { return nil }
    return OAuth2Template.Assertion(issuer: texts[.issuer], subject: subject, audience: texts[.audience], claims: claims)
  }

  /// Decodes the name of an `auth` entry, and returns the index of the entry. Reports an error and returns nil if there is no such entry,
  /// or if `needsToken` is true and the entry has no OAuth 2 token.
  func authentication(_ node: YAMLNode, needsToken: Bool) -> Int? {
    guard let name = plainText(node, "the name of an `auth` entry") else { return nil }
    guard let index = names.authentication(name) else {
      guard !names.isOfBrokenDocument(authentication: name), names.refused.isDisjoint(with: [.auth, .use]) else { return nil }
      let all = names.namableAuthentications
      let near = Suggestion.nearest(to: name, in: all)
      report(
        .undefinedName, "there is no `auth` entry `\(Words.excerpt(name))`", at: node.range,
        help: near.map { "did you mean `\($0)`?" } ?? Words.available(all, near: name)
          ?? "define the entry under the document's `auth:`",
        replacement: near)
      return nil
    }
    if needsToken, !names.authentications.hasToken[index] {
      report(.wrongType, "the `auth` entry `\(name)` has no token, because its kind is not `oauth2`", at: node.range)
      return nil
    }
    return index
  }

  /// Decodes `authorize: {steps}`. The steps form a separate workflow, with the variables, secrets and defaults of this document.
  private func decodeAuthorize(_ node: YAMLNode, root: YAMLNode, into collector: inout ReferenceCollector) -> Workflow? {
    guard let reader = reader(node, AuthorizeKey.table, "the steps that log in on the provider's pages") else { return nil }
    guard let steps = reader[.steps], steps.value.mapping != nil else {
      if !reader.hasRefusedKeys { report(.missingKey, "`authorize` has no `steps`", at: startOf(node)) }
      return nil
    }
    let nested = DocumentDecoder(file, directory: directory, options: options, nestedSteps: steps)
    let workflow = nested.decode(root)
    // Mistakes outside of the steps are reported when the outer document is decoded.
    for diagnostic in nested.diagnostics.all {
      guard let range = diagnostic.range, range.file === node.range.file, node.range.offsets.contains(range.offsets.lowerBound) else {
        continue
      }
      diagnostics.report(diagnostic)
    }
    guard let workflow else { return nil }
    for step in workflow.steps { for input in step.inputs { use(input, of: workflow, into: &collector) } }
    return workflow
  }

  /// Records an input of the steps under `authorize`, such as a secret, as an input that this document uses.
  private func use(_ input: InputReference, of workflow: Workflow, into collector: inout ReferenceCollector) {
    let target: InputReference.Target
    switch input.target {
    case .secret(let index): target = .secret(names.secret(workflow.secrets[index].name, usedAt: input.range))
    case .environment(let index):
      let name = workflow.environmentVariables[index]
      guard name != Self.authorizeVariable else { return }
      target = .environment(names.environmentVariable(name))
    case .variable(let index):
      guard let own = names.variable(workflow.variables[index].name) else { return }
      names.variables.used[own] = true
      target = .variable(own)
    case .input: target = input.target
    case .authentication: return
    }
    collector.add(InputReference(target: target, range: input.range, isOptional: input.isOptional))
  }
}
