import GarlandYAML

/// The text of a step, and the decoder that reads it.
struct StepSource {
  let decoder: DocumentDecoder
  /// The id of the step.
  let id: String
  let reader: MappingReader<StepKey>
  let scope: ExpressionScope
}

/// The action of a step before the settings of the step are added to its request.
struct BareAction {
  let kind: any DecodedKind
  var request: RequestTemplate
}

/// The decoding of a kind of step.
protocol DecodedKind: StepKind {
  /// The error for a step that has a key of this kind of step, but is of another kind. Nil if no key belongs only to this kind of step.
  ///
  /// - `purpose` is the text after the name of the key in the message, such as `sets how long … waits`.
  /// - `help` is the advice.
  static var ownKeys: (purpose: String, help: String)? { get }

  /// Decodes the value of the kind's key, and reports each key that a step of this kind can't have. Returns nil if the value has a mistake.
  static func decode(_ entry: YAMLMapping.Entry, in source: StepSource) -> BareAction?

  /// Adds settings of the step and of the defaults to the request of the step. Settings that do not apply to this kind are left out.
  func complete(_ request: inout RequestTemplate, _ settings: StepSettings, in source: StepSource)

  /// Reports mistakes that depend on several parts of a step, such as a relative URL without a base URL, or `paginate` in a step that reads
  /// a stream.
  func check(_ request: RequestTemplate, _ repetition: Repetition, in source: StepSource)

  /// Reports expectations that can't apply to this kind of step, and removes default expectations that don't apply to it.
  static func checkExpectations(_ settings: inout StepSettings, in source: StepSource)

  /// Collects the references to steps and inputs that the action contains.
  func addReferences(
    _ request: RequestTemplate, _ settings: StepSettings, methodKey: String, to collector: inout ReferenceCollector)

  /// Returns the action of this kind with a complete request.
  func action(_ request: RequestTemplate) -> StepAction
}

extension DecodedKind {
  static var ownKeys: (purpose: String, help: String)? { nil }

  func check(_ request: RequestTemplate, _ repetition: Repetition, in source: StepSource) {}

  static func checkExpectations(_ settings: inout StepSettings, in source: StepSource) {
    if settings.expected.concernsStream, hasResponse { source.decoder.checkExpectationsOfStreams(source.reader) }
    if settings.expected.concernsRequest { source.decoder.checkExpectationsOfResponse(source.reader) }
  }

  fileprivate static func addReferences(of action: StepAction, to collector: inout ReferenceCollector) {
    guard let kind = action.kind as? Self, let request = action.request else { return }
    kind.addReferences(request, StepSettings(), methodKey: "", to: &collector)
  }
}

/// The decoder of each kind of step. There is none for a call, which needs no request: `decodeCall` decodes it.
enum KindDecoders: KindTable {
  typealias Entry = (any DecodedKind.Type)?

  static var request: Entry { PlainRequest.self }
  static var call: Entry { nil }

  /// The decoders of the kinds that a key selects.
  static let all = entries.compactMap { $0 }.filter { $0.key != nil }
  /// The keys of the kinds whose steps receive a request.
  static let listening = KeySet(StepKey.kinds.keys.filter { decoder(for: $0)?.isListening == true })

  /// Returns the decoder of the kind that a key selects; nil for any other key.
  static func decoder(for key: StepKey) -> (any DecodedKind.Type)? { all.first { $0.key == key.rawValue } }

  /// Returns the kind of step or stream that a key selects, if its responses have special members. For example, `listen` selects a listening
  /// step. Nil for any other key.
  static func owner(selectedBy key: StepKey) -> ResponseMember.Owner? {
    decoder(for: key)?.owner ?? StreamFormat.allCases.first { $0.key == key.rawValue }.map { .stream($0) }
  }
}

extension PlainRequest: DecodedKind {
  /// Returns nil, since no key selects this kind: the action of a step is decoded with its method.
  static func decode(_ entry: YAMLMapping.Entry, in source: StepSource) -> BareAction? { nil }

  func complete(_ request: inout RequestTemplate, _ settings: StepSettings, in source: StepSource) {
    if settings.saysWhatIsSent {
      request.take(params: settings.params, query: settings.query, body: settings.body, cookies: settings.cookies, auth: settings.auth)
    }
    source.decoder.complete(&request, settings, source.reader, source.scope)
  }

  func check(_ request: RequestTemplate, _ repetition: Repetition, in source: StepSource) {
    source.decoder.checkURL(request, of: source.id, source.reader)
    source.decoder.checkBodies(request, source.reader)
    source.decoder.checkPagination(repetition.pagination, request, source.reader)
    source.decoder.checkResponse(request, repetition, source.reader)
  }

  func addReferences(
    _ request: RequestTemplate, _ settings: StepSettings, methodKey: String, to collector: inout ReferenceCollector
  ) {
    collector.add(request, settings, methodKey: methodKey)
  }

  func action(_ request: RequestTemplate) -> StepAction { .request(request) }
}

extension DocumentDecoder {
  /// Adds the settings of the step to its request: base URL, header fields, transport settings, download and stream.
  func complete(
    _ request: inout RequestTemplate, _ settings: StepSettings, _ reader: MappingReader<StepKey>, _ scope: ExpressionScope
  ) {
    request.addHead(of: settings)
    if reader.has(.download) { request.download = reader.value(.download).flatMap { decodeDownload($0, scope) } }
    if reader.has(oneOf: StepKey.streams) { request.stream = decodeStream(reader, scope) }
  }

  /// Reports mistakes in the settings for the response: `resume`, the repetition of a stream, and `retry`.
  func checkResponse(_ request: RequestTemplate, _ repetition: Repetition, _ reader: MappingReader<StepKey>) {
    checkResume(request)
    if let stream = request.stream { checkRepetition(repetition, of: stream.format, at: stream.range, reader) }
    if reader.has(.retry) { checkRetry(repetition.retry, request, reader) }
  }

  /// Reports each key of this step that is allowed only in another kind of step, such as a key that is allowed only with `listen`.
  ///
  /// Does nothing for a kind of step that has a restricted set of keys (``StepKey/restrictedActions``), since the decoder of this kind
  /// reports every other key.
  func checkKeysOfKinds(_ reader: MappingReader<StepKey>) {
    guard !StepKey.restrictedActions.contains(where: reader.has) else { return }
    for (key, entry) in reader.entries(of: StepKey.ofKinds) {
      guard let kind = key.kind, let (purpose, help) = KindDecoders.decoder(for: kind)?.ownKeys else { continue }
      report(
        .conflict, "`\(entry.name)` \(purpose), but the step has no `\(kind.rawValue)`", at: entry.key.range, help: help)
    }
  }
}

extension StepAction {
  /// Whether the request depends on the current time, because it uses `now()`.
  package var readsClock: Bool {
    var collector = ReferenceCollector(looksForClock: true)
    KindDecoders.entry(for: self)?.addReferences(of: self, to: &collector)
    return collector.readsClock
  }
}
