import GarlandYAML

extension DocumentDecoder {
  func decodeTransport(_ key: StepKey, _ node: YAMLNode, _ scope: ExpressionScope, _ transport: inout TransportSettings) {
    switch key {
    case .redirect: decodeRedirect(node, scope, &transport)
    case .http where node.mapping != nil:
      report(
        .wrongType, "expected \(HTTPVersionSetting.expectation), found a mapping", at: node.range,
        help: "to send a request, write `get: URL`, or `method:` and `url:`, right in the step")
    case .resolve: transport.resolve = decodeHosts(node, scope, "an address")
    case .connectTo: transport.connectTo = decodeHosts(node, scope, "`HOST:PORT`")
    case .unixSocket: transport.unixSocket = socket(node, scope)
    case .cache: transport.cache = decodeCache(node, scope)
    case .cookies: transport.cookieJar = cookieJar(node, scope)
    case .tls: decodeTLS(node, scope, &transport.tls)
    default:
      var reading = TransportReading(decoder: self, key: key.name, node: node, scope: scope)
      transport.visit(&reading)
      if key == .timeout { checkLimit(transport.timeout, key, node) }
      if key == .deadline { checkLimit(transport.deadline, key, node) }
    }
  }

  private func checkLimit(_ limit: Setting<Duration>?, _ key: StepKey, _ node: YAMLNode) {
    guard limit?.constant == .zero else { return }
    report(
      .neverHolds, "`\(key.rawValue): \(node.scalar?.text ?? "0s")` leaves no time at all, so the step would always fail",
      at: node.range,
      help: "write a time such as `30s`; `0` does not switch the limit off")
  }

  private func decodeTLS(_ node: YAMLNode, _ scope: ExpressionScope, _ tls: inout TLSSettings) {
    if let text = node.scalar?.text, text == "false" || text == "true" {
      report(
        .wrongType, "expected TLS settings such as `{ ca: test-ca.pem }`, found `\(text)`", at: node.range,
        help: "to turn \(text == "true" ? "on" : "off") the verification of the certificate, write `{ verify: \(text) }`",
        replacement: node.isAlias ? nil : "{ verify: \(text) }")
      return
    }
    guard let reader = reader(node, TLSKey.table, "TLS settings such as `{ ca: test-ca.pem }`") else { return }
    tls.nulls = Set(TLSKey.allCases.filter(reader.isNull))
    tls.ca = reader.value(.ca).flatMap { fileTemplate($0, scope) }
    tls.cert = reader.value(.cert).flatMap { fileTemplate($0, scope) }
    tls.key = reader.value(.key).flatMap { fileTemplate($0, scope) }
    tls.password = reader.value(.password).flatMap { template($0, scope, "a password") }
    tls.minVersion = reader.value(.min).flatMap { setting($0, scope) }
    tls.verify = reader.value(.verify).flatMap { setting($0, scope) }
    if let pins = reader[.pins], let value = reader.value(.pins) {
      tls.pins = decodeList(value, scope)
      if tls.verify?.constant == false {
        report(
          .conflict, "`pins` can't be used with `verify: false`, because pins are checked only on a verified certificate",
          at: pins.key.range,
          help: "remove `verify: false`; to trust a self-signed certificate, name it in `ca`")
      }
    }
    for (key, entry) in reader.entries where (key == .key || key == .password) && reader[.cert] == nil {
      report(.missingKey, "`\(entry.name)` needs a `cert`", at: entry.key.range, help: "name the client's certificate in `cert`")
    }
  }

  private func decodeCache(_ node: YAMLNode, _ scope: ExpressionScope) -> CacheSettings {
    var cache = CacheSettings()
    if node.scalar != nil {
      cache.isEnabled = setting(node, scope)
      return cache
    }
    guard let reader = reader(node, CacheKey.table, "`true`, `false` or settings such as `{ dir: .cache }`") else { return cache }
    cache.isEnabled = Setting(.constant(true), at: node.range)
    cache.directory = reader.value(.dir).flatMap { setting($0, scope) }
    cache.policy = reader.value(.policy).flatMap { setting($0, scope) }
    return cache
  }

  private func decodeRedirect(_ node: YAMLNode, _ scope: ExpressionScope, _ transport: inout TransportSettings) {
    if node.scalar != nil {
      transport.followRedirects = setting(node, scope)
      return
    }
    guard let reader = reader(node, RedirectKey.table, "`true`, `false` or settings such as `{ max: 5 }`") else { return }
    transport.followRedirects = reader.value(.follow).flatMap { setting($0, scope) }
    transport.maxRedirects = reader.value(.max).flatMap { setting($0, scope) }
    if let most = transport.maxRedirects?.constant, most < 0, let value = reader[.max]?.value {
      report(.wrongType, "expected a number of at least 0, found \(most)", at: value.range)
    }
  }

  private func decodeHosts(_ node: YAMLNode, _ scope: ExpressionScope, _ what: String) -> [HostMapping] {
    guard let mapping = mapping(node, "a mapping of `HOST:PORT` to \(what)") else { return [] }
    return mapping.entries.compactMap { entry in
      let parts = entry.name.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count >= 2, let port = parts.last.flatMap({ Int($0) }), (1...65_535).contains(port), !(parts.first ?? "").isEmpty else {
        report(
          .wrongType, "expected `HOST:PORT`, found `\(Words.excerpt(entry.name))`", at: entry.key.range,
          help: parts.count < 2 ? "write `\(Words.excerpt(entry.name)):443`" : nil)
        return nil
      }
      guard let to = setting(entry.value, scope, as: String.self) else { return nil }
      return HostMapping(from: Located(entry.name, at: entry.key.range), to: to)
    }
  }
}

/// A visitor of transport settings that decodes a YAML node as the value of the setting with the
/// given key.
private struct TransportReading: TransportVisitor {
  let decoder: DocumentDecoder
  let key: String
  let node: YAMLNode
  let scope: ExpressionScope

  mutating func visit<Value: SettingValue>(
    _ key: String, _ effect: SettingEffect, _ setting: inout Setting<Value>?, _ inherited: Setting<Value>?
  ) {
    if key == self.key { setting = decoder.setting(node, scope) }
  }
}
