import GarlandDiagnostics
import GarlandYAML

extension KindDecoders {
  static var listen: Entry { ListenTemplate.self }
}

extension ListenTemplate: DecodedKind {
  static func decode(_ entry: YAMLMapping.Entry, in source: StepSource) -> BareAction? {
    source.decoder.decodeListen(entry, source.reader, source.scope)
  }

  func complete(_ request: inout RequestTemplate, _ settings: StepSettings, in source: StepSource) {
    request.addTransport(of: settings)
  }

  static func checkExpectations(_ settings: inout StepSettings, in source: StepSource) {
    // The default expectations are for responses and do not apply to a received request.
    settings.leaveDefaultExpectations()
    source.decoder.checkExpectationsOfRequest(source.reader)
  }

  func addReferences(
    _ request: RequestTemplate, _ settings: StepSettings, methodKey: String, to collector: inout ReferenceCollector
  ) {
    collector.add(within, "listen", isDefault: false)
    collector.add(request, settings, methodKey: methodKey)
  }

  func action(_ request: RequestTemplate) -> StepAction { .listen(self, request) }
}

extension DocumentDecoder {
  /// The expectations that apply only to responses.
  private static let ofResponses: Set<ExpectKey> = [.status, .redirects, .tls, .error]
  /// The keys of `expect` that apply only to a request that a listening step has received.
  static let ofRequests: KeySet<ExpectKey> = [.method, .query]

  /// Decodes `listen:`. The step's action contains a request that is never sent; the request's URL is the path at which the step listens.
  fileprivate func decodeListen(
    _ entry: YAMLMapping.Entry, _ reader: MappingReader<StepKey>, _ scope: ExpressionScope
  ) -> BareAction? {
    let url = "`${\(scope.step.map { names.stepIDs[$0] } ?? "STEP").url}`"
    for (key, other) in reader.entries where !key.allowedIn.contains(.listen) {
      let message =
        key == .within ? "`within` must be inside `listen`" : "`\(other.name)` can't be used with `listen`, which sends no request"
      diagnostics.report(Diagnostic(.conflict, message, at: other.key.range).help(Self.advice(on: key, url: url)))
    }
    guard entry.value.mapping != nil else {
      return entry.value.isNull ? refuseEmpty(entry) : listenTemplate(entry, path: entry.value, within: nil, url: url)
    }
    guard let reader = self.reader(entry.value, ListenKey.table, "a path such as `{ path: /hook, within: 10s }`") else { return nil }
    guard let path = reader.value(.path) else { return reader.hasRefusedKeys ? nil : refuseEmpty(entry) }
    return listenTemplate(entry, path: path, within: reader.value(.within).flatMap { setting($0, scope) }, url: url)
  }

  /// Returns advice for a key that a step with `listen` can't have. `url` is the expression with which other steps use the step's URL.
  private static func advice(on key: StepKey, url: String) -> String {
    switch key {
    case .within: "write `listen: { path: …, within: 10s }`"
    case .timeout, .deadline: "to limit how long the step waits, write `listen: { path: …, within: 10s }`"
    case .poll: "a step receives only one request: write a step for each request, with its own URL"
    case .exclusive, .uses: "remove `\(key.rawValue)`: while this step waits, another step must be able to send the request"
    case .download: "to use the received request, write `extract`; to compare its body with a file, write `snapshot`"
    default: "send the request in another step, which can use the URL of this step as \(url)"
    }
  }

  private func refuseEmpty(_ entry: YAMLMapping.Entry) -> BareAction? {
    report(
      .missingKey, "`listen` has no `path`", at: entry.value.mapping == nil ? entry.value.range : startOf(entry.value),
      help: "write `listen: { path: /hook }`")
    return nil
  }

  private func listenTemplate(
    _ entry: YAMLMapping.Entry, path node: YAMLNode, within: Setting<Duration>?, url: String
  ) -> BareAction? {
    // Other steps get the URL before any step has run.
    guard let path = decodeURL(node, .listenPath) else { return nil }
    if path.pieces.isEmpty {
      report(.badURL, "the path is empty", at: node.range, help: "write `listen: /hook`")
      return nil
    }
    if case .literal(let start)? = path.pieces.first, !start.hasPrefix("/") {
      let isURL = start.contains("://")
      report(
        .badURL, "the path of `listen` must begin with `/`, found `\(Words.excerpt(start))`", at: node.range,
        help: isURL
          ? "write only the path: Garland chooses the host and port when the run begins; other steps use the whole URL as \(url)"
          : "write `/\(Words.excerpt(path.source))`",
        replacement: isURL || path.constant == nil ? nil : "/" + start)
      return nil
    }
    for case .literal(let text) in path.pieces where text.contains("?") || text.contains("#") {
      report(
        .badURL, "the path of `listen` must not contain `\(text.contains("?") ? "?" : "#")`", at: node.range,
        help: "requests with any query are accepted; to require one, write `expect: { query: {…} }`")
      return nil
    }
    return BareAction(
      kind: ListenTemplate(within: within), request: RequestTemplate(method: Located(entry.name, at: entry.key.range), url: path))
  }

  /// Reports expectations of a listening step that apply only to responses.
  fileprivate func checkExpectationsOfRequest(_ reader: MappingReader<StepKey>) {
    for entry in reader.value(.expect)?.mapping?.entries ?? [] {
      guard let key = ExpectKey(rawValue: entry.name), Self.ofResponses.contains(key) else { continue }
      report(
        .conflict, "`\(entry.name)` checks a response, but `listen` receives a request", at: entry.key.range,
        help: "to check the request, write `method`, `query`, `headers`, `json` and so on")
    }
  }

  /// Reports expectations that apply only to received requests, in a step that does not listen.
  func checkExpectationsOfResponse(_ reader: MappingReader<StepKey>) {
    guard let mapping = reader.value(.expect)?.mapping else { return }
    let found = Self.ofRequests.keys.compactMap { key in mapping.written(key).map { (key, $0) } }
    for (key, entry) in found.sorted(by: { $0.1.key.range.offsets.lowerBound < $1.1.key.range.offsets.lowerBound }) {
      report(
        .conflict, "`\(entry.name)` checks a request that `listen` receives, but this step receives a response", at: entry.key.range,
        help: key == .query ? "to check the final URL, write `url`" : nil)
    }
  }
}
