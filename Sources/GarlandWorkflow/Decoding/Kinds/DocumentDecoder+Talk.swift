import GarlandDiagnostics
import GarlandYAML

extension KindDecoders {
  static var websocket: Entry { TalkTemplate.self }
}

extension TalkTemplate: DecodedKind {
  static var ownKeys: (purpose: String, help: String)? {
    ("is for messages of a `websocket`", "open a connection with `websocket: /path`")
  }

  static func decode(_ entry: YAMLMapping.Entry, in source: StepSource) -> BareAction? {
    source.decoder.decodeWebSocket(entry, source.reader, source.scope)
  }

  func complete(_ request: inout RequestTemplate, _ settings: StepSettings, in source: StepSource) {
    // The handshake request has no body.
    if settings.saysWhatIsSent {
      request.take(params: nil, query: settings.query, body: nil, cookies: settings.cookies, auth: settings.auth)
    }
    request.addHead(of: settings)
  }

  func check(_ request: RequestTemplate, _ repetition: Repetition, in source: StepSource) {
    source.decoder.checkURL(request, of: source.id, source.reader)
    source.decoder.checkRepetition(repetition, of: .messages, at: range, source.reader)
  }

  static func checkExpectations(_ settings: inout StepSettings, in source: StepSource) {
    // The defaults are expectations of responses with a body.
    settings.leaveDefaultExpectations()
    if settings.expected.concernsStream { source.decoder.checkExpectationsOfStreams(source.reader) }
    if settings.expected.concernsRequest { source.decoder.checkExpectationsOfResponse(source.reader) }
  }

  func addReferences(
    _ request: RequestTemplate, _ settings: StepSettings, methodKey: String, to collector: inout ReferenceCollector
  ) {
    collector.add(request, settings, methodKey: methodKey)
    collector.add(self)
  }

  func action(_ request: RequestTemplate) -> StepAction { .websocket(self, request) }
}

/// Decodes `websocket:` and `talk:`, the messages that a step sends and receives over its WebSocket connection.
extension DocumentDecoder {
  /// Decodes `websocket:` as a GET request for the WebSocket handshake.
  fileprivate func decodeWebSocket(
    _ entry: YAMLMapping.Entry, _ reader: MappingReader<StepKey>, _ scope: ExpressionScope
  ) -> BareAction? {
    for (key, other) in reader.entries where !key.allowedIn.contains(.websocket) && !other.value.isNull {
      diagnostics.report(
        Diagnostic(.conflict, "`\(other.name)` can't be used with `websocket`, which opens a connection for messages", at: other.key.range)
          .help(Self.advice(besideWebSocket: key)))
    }
    guard let url = decodeURL(entry.value, scope, alsoAllowing: ["ws", "wss"]) else { return nil }
    let subprotocols = reader.value(.subprotocols).map { decodeSubprotocols($0, scope) } ?? []
    let moves = reader.value(.talk).map { decodeTalk($0, scope) } ?? []
    checkWholeBody(reader, .messages)
    return BareAction(
      kind: TalkTemplate(subprotocols: subprotocols, moves: moves, at: entry.key.range),
      request: RequestTemplate(method: Located("GET", at: entry.key.range), url: url.overHTTP))
  }

  /// Adds the extracts of received messages to the names that expressions can use. The new extracts follow those of the response to the
  /// handshake.
  func addExtracts(of talk: YAMLNode) {
    for move in talk.sequence ?? [] {
      for entry in Self.extracts(of: move) {
        names.addExtract(.init(name: entry.key.text, range: entry.key.range, kinds: ExtractKinds.value(of: entry.value)))
      }
    }
  }

  private static func extracts(of move: YAMLNode) -> [YAMLMapping.Entry] {
    move.mapping?.written(TalkKey.receive)?.value.mapping?.written(ReceiveKey.extract)?.value.mapping?.entries ?? []
  }

  private static func advice(besideWebSocket key: StepKey) -> String {
    switch key {
    case .within: "write it for each `receive`: `receive: { within: 10s }`"
    case .json, .body: "messages are sent by `talk: [send: { json: … }]`"
    case .poll, .paginate: "wait for messages with `receive: { matching: … }`"
    default: "send a request in a step of its own"
    }
  }

  private func decodeSubprotocols(_ node: YAMLNode, _ scope: ExpressionScope) -> [Template] {
    guard let items = node.sequence else { return template(node, scope, "a subprotocol").map { [$0] } ?? [] }
    if items.isEmpty { report(.wrongType, "expected at least one subprotocol, found an empty list", at: node.range) }
    return items.compactMap { template($0, scope, "a subprotocol") }
  }

  private func decodeTalk(_ node: YAMLNode, _ scope: ExpressionScope) -> [TalkTemplate.Move] {
    guard let items = node.sequence else {
      report(
        .wrongType, "expected a list of `send`, `receive` and `close`, found \(found(node))", at: node.range,
        help: "write each entry on its own line, with a dash: `- send: { text: hello }`")
      return []
    }
    if items.isEmpty {
      report(
        .wrongType, "expected at least one entry, found an empty list", at: node.range,
        help: "without messages, remove `talk`: the step only opens the connection")
    }
    var extracts: [String: Int] = [:]
    for (index, item) in items.enumerated() {
      for entry in Self.extracts(of: item) where extracts[entry.key.text] == nil { extracts[entry.key.text] = index }
    }
    var moves: [TalkTemplate.Move] = []
    for (index, item) in items.enumerated() {
      guard let reader = reader(item, TalkKey.table, "`send`, `receive` or `close`") else { continue }
      guard let (key, entry) = reader.entries.first.map({ ($0.key, $0.entry) }), reader.entries.count == 1 else {
        if !reader.hasRefusedKeys {
          report(
            .conflict, "an entry of `talk` does one thing: `send`, `receive` or `close`", at: item.range,
            help: "write each entry with its own dash")
        }
        continue
      }
      if key == .close, index + 1 < items.count {
        report(
          .conflict, "this entry is never reached, because `close` ends the connection", at: items[index + 1].range,
          help: "make `close` the last entry")
      }
      if let kind = decodeMove(key, entry, scope.talking(index, extracts)) {
        moves.append(TalkTemplate.Move(kind: kind, path: "talk[\(index)].\(key.rawValue)", range: entry.key.range))
      }
    }
    return moves
  }

  private func decodeMove(_ key: TalkKey, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> TalkTemplate.Move.Kind? {
    switch key {
    case .send: return decodeSend(entry.value, scope).map { .send($0) }
    case .receive: return decodeReceive(entry, scope).map { .receive($0) }
    case .close:
      if let code = entry.value.scalar, !entry.value.isNull, !entry.value.isAlias, Int(code.text) != nil {
        report(
          .wrongType, "expected a mapping such as `{ code: 1000 }`, found \(found(entry.value))", at: entry.value.range,
          replacement: "{ code: \(code.text) }")
        return nil
      }
      guard let reader = reader(entry.value, CloseKey.table, "a mapping such as `{ code: 1000 }`") else { return nil }
      let code: Setting<Int>? = reader.value(.code).flatMap { setting($0, scope) }
      if let code, let number = code.constant, !TalkTemplate.isCloseCode(number) {
        report(
          .wrongType, "a client can't send the close code \(number)", at: code.range,
          help: "write 1000, 1001 or a number from 3000 to 4999 (RFC 6455, section 7.4)")
      }
      let reason = reader.value(.reason).flatMap { template($0, scope, "a reason") }
      if let reason, let size = reason.constantText?.utf8.count, size > TalkTemplate.maximumReasonSize {
        report(
          .wrongType, "a reason has at most \(TalkTemplate.maximumReasonSize) bytes, found \(size)", at: reason.range,
          help: "shorten it: a close frame has no more room (RFC 6455, section 5.5)")
      }
      return .close(code: code, reason: reason)
    }
  }

  private func decodeSend(_ node: YAMLNode, _ scope: ExpressionScope) -> TalkTemplate.Message? {
    let example = "write `send: { text: hello }` or `send: { json: { type: hello } }`"
    if let text = node.scalar, !node.isNull, !node.isAlias {
      report(
        .wrongType, "expected a message such as `{ text: hello }`, found \(found(node))", at: node.range,
        help: "write `{ text: … }`", replacement: text.text.contains("\n") ? nil : "{ text: \(YAMLQuoting.scalar(text.text)) }")
      return nil
    }
    guard let reader = reader(node, SendKey.table, "a message such as `{ text: hello }`") else { return nil }
    guard let (key, entry) = reader.entries.first.map({ ($0.key, $0.entry) }), reader.entries.count == 1 else {
      if !reader.hasRefusedKeys {
        report(.conflict, "a message needs exactly one of `text`, `json` and `base64`", at: startOf(node), help: example)
      }
      return nil
    }
    switch key {
    case .text: return template(entry.value, scope, "text").map { .text($0) }
    case .json: return .json(value(entry.value, scope))
    case .base64: return base64(entry.value, scope).map { .base64($0) }
    }
  }

  private func decodeReceive(_ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> TalkTemplate.Receive? {
    guard let reader = reader(entry.value, ReceiveKey.table, "conditions of the message, such as `{ json: { $.type: welcome } }`") else {
      return nil
    }
    let itemScope = scope.with(itemOf: .messages)
    let matching = reader.value(.matching).flatMap { setting($0, itemScope, as: Bool.self) }
    if let matching, matching.constant != nil {
      report(
        .neverHolds, "the value of `matching` never changes, because it does not use the message", at: matching.range,
        help: "use the message: `\(StreamFormat.messages.conditionExample)`")
    }
    let count: Setting<Int>? = reader.value(.count).flatMap { setting($0, scope) }
    check(count, from: 1)
    var each: [Expectation] = []
    for (key, check) in reader.entries where ReceiveKey.checks.contains(key) { each += expectations(key, check, itemScope) }
    let extractions = reader.value(.extract).map { decodeExtractions($0, itemScope) } ?? []
    let step = scope.step
    return TalkTemplate.Receive(
      count: count, matching: matching, within: reader.value(.within).flatMap { setting($0, scope) }, each: each,
      extractions: extractions.compactMap { extraction in
        step.flatMap { names.extract(extraction.name.value, of: $0) }.map { ($0, extraction) }
      })
  }

  private func expectations(_ key: ReceiveKey, _ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> [Expectation] {
    switch key {
    case .type: part(.type, "the type", entry, scope)
    case .text: part(.text, "the message", entry, scope)
    case .json: decodeExpectation(.json, entry, scope, isDefault: false)
    case .schema: decodeExpectation(.schema, entry, scope, isDefault: false)
    case .that: decodeExpectation(.that, entry, scope, isDefault: false)
    case .count, .matching, .within, .extract: []
    }
  }
}

extension ReferenceCollector {
  /// Adds the references to steps and inputs in the messages of a step's WebSocket connection.
  mutating func add(_ talk: TalkTemplate) {
    for subprotocol in talk.subprotocols { add(subprotocol, "subprotocols", isDefault: false) }
    // A message is no part of the response that is kept.
    let needs = ownNeeds
    for move in talk.moves {
      switch move.kind {
      case .send(.text(let template)), .send(.base64(let template)): add(template, "talk", isDefault: false)
      case .send(.json(let value)): add(value, "talk", isDefault: false)
      case .receive(let receive):
        add(receive.count, "talk", isDefault: false)
        add(receive.matching, "talk", isDefault: false)
        add(receive.within, "talk", isDefault: false)
        for expectation in receive.each { add(expectation, key: "talk.receive") }
        for (_, extraction) in receive.extractions { add(extraction) }
      case .close(let code, let reason):
        add(code, "talk", isDefault: false)
        if let reason { add(reason, "talk", isDefault: false) }
      }
    }
    ownNeeds = needs
  }
}

extension URLTemplate {
  /// This URL template with the scheme `http` instead of `ws`, or `https` instead of `wss`.
  fileprivate var overHTTP: URLTemplate {
    guard case .literal(let start)? = pieces.first else { return self }
    for (scheme, replacement) in [("ws://", "http://"), ("wss://", "https://")] where start.lowercased().hasPrefix(scheme) {
      return URLTemplate(pieces: [.literal(replacement + start.dropFirst(scheme.count))] + pieces.dropFirst(), source: source, range: range)
    }
    return self
  }
}
