import GarlandDiagnostics
import GarlandYAML

extension KindDecoders {
  static var reach: Entry { ReachTemplate.self }
}

extension ReachTemplate: DecodedKind {
  static var ownKeys: (purpose: String, help: String)? {
    ("sets how long `reach` waits", "to limit the time of a request, write `timeout` or `deadline`")
  }

  static func decode(_ entry: YAMLMapping.Entry, in source: StepSource) -> BareAction? {
    source.decoder.decodeReach(entry, source.reader, source.scope)
  }

  func complete(_ request: inout RequestTemplate, _ settings: StepSettings, in source: StepSource) {
    if request.url.source.hasPrefix("/") { request.sharedBaseURL = settings.baseURL }
    request.addTransport(of: settings)
  }

  func check(_ request: RequestTemplate, _ repetition: Repetition, in source: StepSource) {
    if request.url.source.hasPrefix("/") { source.decoder.checkURL(request, of: source.id, source.reader) }
  }

  func addReferences(
    _ request: RequestTemplate, _ settings: StepSettings, methodKey: String, to collector: inout ReferenceCollector
  ) {
    collector.add(within, "within", isDefault: false)
    collector.add(request, settings, methodKey: methodKey)
  }

  func action(_ request: RequestTemplate) -> StepAction { .reach(self, request) }
}

extension DocumentDecoder {
  /// Decodes `reach:`, which checks whether a host can be reached. The step's action contains a request that is never sent; only its URL
  /// and its connection settings are used.
  fileprivate func decodeReach(
    _ entry: YAMLMapping.Entry, _ reader: MappingReader<StepKey>, _ scope: ExpressionScope
  ) -> BareAction? {
    for (key, other) in reader.entries where !key.allowedIn.contains(.reach) {
      let isLimit = key == .timeout
      diagnostics.report(
        Diagnostic(.conflict, "`\(other.name)` can't be used with `reach`, which sends no request", at: other.key.range)
          .help(
            isLimit
              ? "`timeout` limits the wait for the next byte of a response; to limit the time of this step, use `within`"
              : "send the request in another step"
          ))
    }
    guard let url = decodeURL(entry.value, scope) else { return nil }
    checkReach(url)
    let within: Setting<Duration>? = reader.value(.within).flatMap { setting($0, scope) }
    return BareAction(
      kind: ReachTemplate(within: within), request: RequestTemplate(method: Located(entry.name, at: entry.key.range), url: url))
  }

  /// Checks the target of `reach`, which is a URL, a path below `base_url`, or a host and port.
  private func checkReach(_ url: URLTemplate) {
    guard let text = url.constant, !text.contains("/") else { return }
    let digits = text.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
    guard text.contains(":"), let port = Int(digits), (1...65_535).contains(port) else {
      report(
        .badURL, "expected a URL or `HOST:PORT`, found `\(Words.excerpt(text))`", at: url.range,
        help: text.contains(":") ? "a port is a number from 1 to 65535" : "write `\(Words.excerpt(text)):443`, or a URL")
      return
    }
  }

  func decodeReachability(_ node: YAMLNode) -> ReachabilitySettings {
    guard let reader = reader(node, ReachabilityKey.table, "settings such as `{ preflight: true, wait: 60s }`") else {
      return ReachabilitySettings()
    }
    let preflight = reader.value(.preflight).flatMap { plainBool($0) } ?? false
    let wait = reader.value(.wait).flatMap { node -> Duration? in
      guard plainText(node, Duration.expectation) != nil else { return nil }
      return setting(node, .outside, as: Duration.self)?.constant
    }
    if reader[.wait] != nil, !preflight, let entry = reader[.wait] {
      report(
        .conflict, "`wait` has no effect without `preflight`, which checks the hosts", at: entry.key.range, help: "add `preflight: true`")
    }
    return ReachabilitySettings(preflight: preflight, wait: wait)
  }
}
