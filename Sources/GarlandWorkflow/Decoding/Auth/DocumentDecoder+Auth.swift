import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandYAML

extension DocumentDecoder {
  /// The environment variable with the URL at which the `authorize` steps of an OAuth 2 login start.
  static let authorizeVariable = "GARLAND_AUTHORIZE_URL"

  /// Collects the names in the document's `auth:`, before any expression is compiled.
  func collectAuth(_ reader: MappingReader<RootKey>) {
    guard !isNested, let mapping = reader.value(.auth)?.mapping else { return }
    for entry in mapping.entries { names.addAuthentication(entry.name, hasToken: entry.value.mapping?["oauth2"] != nil) }
  }

  /// Decodes the entries of `auth:`.
  func decodeAuthentications(_ reader: MappingReader<RootKey>, root: YAMLNode, base: URLTemplate?) -> [AuthDefinition] {
    guard !isNested, let node = reader.value(.auth), let mapping = mapping(node, "a mapping of names to auth settings") else { return [] }
    let definitions = mapping.entries.compactMap { entry -> AuthDefinition? in
      let name = Located(entry.name, at: entry.key.range)
      if entry.name == "none" {
        report(.reservedName, "`none` can't be the name of an `auth` entry: this name is reserved", at: entry.key.range)
      } else if !ReservedNames.isName(entry.name) {
        report(
          .badName, "`\(Words.excerpt(entry.name))` is not a valid name", at: entry.key.range,
          help: "a name has the letters a to z, digits, `_` and `-`, and begins with a letter or `_`")
      }
      guard let reader = self.reader(entry.value, AuthKey.table, "credentials such as `{ oauth2: {…} }`") else { return nil }
      guard let (key, first) = reader.entries.first else {
        if !reader.hasRefusedKeys {
          report(
            .missingKey, "the `auth` entry `\(entry.name)` contains no credentials", at: startOf(entry.value),
            help: "choose one of \(Words.list(AuthKey.allCases.map(\.rawValue)))")
        }
        return nil
      }
      for (_, other) in reader.entries.dropFirst() {
        diagnostics.report(
          Diagnostic(
            .twoCredentials, "an `auth` entry can have only one kind of credentials, found `\(other.name)` and `\(first.name)`",
            at: other.key.range
          )
          .note("`\(first.name)` is here", at: first.key.range))
      }
      var collector = ReferenceCollector()
      guard let kind = decodeKind(key, first.value, root: root, base: base, into: &collector) else { return nil }
      return AuthDefinition(name: name, range: entry.value.range, kind: kind, inputs: collector.inputs)
    }
    guard definitions.count == mapping.count else { return [] }
    checkCycles(definitions)
    return definitions
  }

  private func decodeKind(
    _ key: AuthKey, _ node: YAMLNode, root: YAMLNode, base: URLTemplate?, into collector: inout ReferenceCollector
  ) -> AuthDefinition.Kind? {
    func text(_ what: String) -> Template? {
      let template = template(node, .authentication, what)
      if let template { collector.add(template, "auth", isDefault: false) }
      return template
    }
    switch key {
    case .basic, .digest, .ntlm:
      guard let credentials = text("`user:password`") else { return nil }
      checkPassword(credentials, node)
      return key == .basic ? .basic(credentials) : key == .digest ? .digest(credentials) : .ntlm(credentials)
    case .bearer:
      checkScheme(node)
      return text("a token").map { .bearer($0) }
    case .negotiate:
      guard let isOn = plainBool(node) else { return nil }
      if !isOn { report(.wrongType, "`negotiate` must be `true`, or be left out", at: node.range) }
      return .negotiate
    case .aws:
      guard let reader = reader(node, AWSKey.table, "the keys of AWS") else { return nil }
      let values = texts(reader, required: [.accessKey, .secretKey, .region, .service], into: &collector)
      guard let access = values[.accessKey], let secret = values[.secretKey], let region = values[.region], let service = values[.service]
      else { return nil }
      return .aws(
        AWSTemplate(accessKey: access, secretKey: secret, sessionToken: values[.sessionToken], region: region, service: service))
    case .apiKey: return decodeAPIKey(node, into: &collector)
    case .oauth1: return decodeOAuth1(node, into: &collector)
    case .oauth2: return decodeOAuth2(node, root: root, base: base, into: &collector).map { .oauth2($0) }
    }
  }

  /// Reports credentials without a `:`, which separates the user name from the password.
  func checkPassword(_ credentials: Template, _ node: YAMLNode) {
    // An expression with a mistake has already been reported, and its value is now null.
    guard let constant = credentials.constant, !constant.isNull, case let text = constant.stringValue ?? constant.jsonText(),
      !text.contains(":")
    else { return }
    report(
      .wrongType, "expected `user:password`, found no `:`", at: node.range, help: "for an empty password, write `\(Words.excerpt(text)):`")
  }

  /// Reports a token that begins with the word `Bearer`. Garland adds this word, so it would be sent twice.
  func checkScheme(_ node: YAMLNode) {
    guard node.hasText(where: { $0.count > 7 && $0[0] | 0x20 == UInt8(ascii: "b") }), let text = node.scalar?.text,
      text.prefix(7).lowercased() == "bearer "
    else { return }
    var written = node.range.text
    let word = written.firstRange(of: text.prefix(7))
    if let word { written.removeSubrange(word) }
    report(
      .conflict, "the word `Bearer` would be sent twice, because the key `bearer` adds it", at: node.range,
      help: "write the token alone, without the word `Bearer`",
      replacement: node.isAlias || word == nil ? nil : written)
  }

  private func decodeAPIKey(_ node: YAMLNode, into collector: inout ReferenceCollector) -> AuthDefinition.Kind? {
    guard let reader = reader(node, APIKeyKey.table, "a key such as `{ header: X-Api-Key, value: … }`") else { return nil }
    let places = reader.entries.filter { $0.key != .value }
    guard places.count == 1, let place = places.first, let valueNode = reader.value(.value) else {
      if !reader.hasRefusedKeys {
        let missing = places.count == 1 ? "needs a `value`" : "needs exactly one of `header`, `query` and `cookie`, beside `value`"
        report(.missingKey, "`api_key` \(missing)", at: startOf(node))
      }
      return nil
    }
    guard let name = plainText(place.entry.value), let value = template(valueNode, .authentication) else { return nil }
    collector.add(value, "auth", isDefault: false)
    switch place.key {
    case .header:
      guard HTTPToken.isToken(name) else {
        report(.badHeader, "`\(Words.excerpt(name))` is not a valid header name", at: place.entry.value.range)
        return nil
      }
      return .apiKey(APIKeyTemplate(place: .header(name), value: value))
    case .query: return .apiKey(APIKeyTemplate(place: .query(name), value: value))
    case .cookie, .value: return .apiKey(APIKeyTemplate(place: .cookie(name), value: value))
    }
  }

  private func decodeOAuth1(_ node: YAMLNode, into collector: inout ReferenceCollector) -> AuthDefinition.Kind? {
    guard let reader = reader(node, OAuth1Key.table, "a client such as `{ consumer_key: …, consumer_secret: … }`") else { return nil }
    let method = reader.value(.signatureMethod).map { word($0, of: OAuth1Template.Method.self) } ?? .hmacSHA1
    let file = reader.value(.key).map { fileTemplate($0, .authentication) }
    let values = texts(reader, required: [.consumerKey], but: [.signatureMethod, .key], into: &collector)
    collector.add(file ?? nil, "auth", isDefault: false)
    guard let method, let key = values[.consumerKey] else { return nil }
    if method == .rsaSHA1, reader.value(.key) == nil {
      report(.missingKey, "RSA-SHA1 needs a `key`", at: startOf(node), help: "name the PEM file of the client's RSA key")
      return nil
    }
    return .oauth1(
      OAuth1Template(
        consumerKey: key, consumerSecret: values[.consumerSecret], token: values[.token], tokenSecret: values[.tokenSecret],
        method: method, key: file ?? nil, realm: values[.realm], callback: values[.callback], verifier: values[.verifier]))
  }

  /// Decodes the values of a mapping, such as the secrets of a credential, as texts that may contain expressions. Reports missing keys that
  /// are required, and ignores the keys in `others`.
  func texts<Key: DocumentKey>(
    _ reader: MappingReader<Key>, required: [Key] = [], but others: Set<Key> = [], into collector: inout ReferenceCollector
  ) -> [Key: Template] {
    var result: [Key: Template] = [:]
    for (key, entry) in reader.entries where !others.contains(key) && !entry.value.isNull {
      guard let template = template(entry.value, .authentication) else { continue }
      collector.add(template, "auth", isDefault: false)
      result[key] = template
    }
    for key in required where reader.value(key) == nil && !reader.hasKey(near: key) {
      report(.missingKey, "`\(key.rawValue)` is missing", at: startOf(reader.node))
    }
    return result
  }

  /// Reports `auth` entries that form a cycle, because each needs the token of the next one for a token exchange. None of these tokens
  /// could be requested.
  private func checkCycles(_ definitions: [AuthDefinition]) {
    for start in definitions.indices {
      var seen: Set<Int> = []
      var queue = [start]
      while let index = queue.popLast() {
        // Entries of other documents do not refer to entries of this document.
        guard definitions.indices.contains(index) else { continue }
        for next in [definitions[index].oauth2?.subject, definitions[index].oauth2?.actor].compactMap({ $0 }) {
          if next == start {
            let name = definitions[start].name
            report(
              .conflict,
              "the `auth` entry `\(name.value)` can't get a token: its `subject` or `actor` refers back to `\(name.value)`, "
                + "directly or through other entries",
              at: name.range)
            return
          }
          if seen.insert(next).inserted { queue.append(next) }
        }
      }
    }
  }
}
