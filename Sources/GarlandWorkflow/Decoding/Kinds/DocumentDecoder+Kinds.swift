import GarlandYAML

/// A kind of step that is not a plain request and has its own key, such as `submit` or `websocket`. The list ``all`` contains all these
/// kinds.
struct StepKind: Sendable {
  typealias Decode = @Sendable (DocumentDecoder) -> (YAMLMapping.Entry, MappingReader<StepKey>, ExpressionScope) -> StepAction?

  let key: StepKey
  /// The error for a step that has a key of this kind of step, but is of another kind. Nil if no key belongs only to this kind of step.
  ///
  /// - `purpose` is the text after the name of the key in the message, such as `sets how long … waits`.
  /// - `help` is the advice.
  var own: (purpose: String, help: String)?
  let decode: Decode

  static let all = [
    StepKind(key: .submit, decode: DocumentDecoder.decodeSubmit),
    StepKind(
      key: .websocket, own: ("is for messages of a `websocket`", "open a connection with `websocket: /path`"),
      decode: DocumentDecoder.decodeWebSocket),
    StepKind(
      key: .reach, own: ("sets how long `reach` waits", "to limit the time of a request, write `timeout` or `deadline`"),
      decode: DocumentDecoder.decodeReach),
    StepKind(key: .listen, decode: DocumentDecoder.decodeListen),
  ]
}

/// Decodes the parts of a step that depend on its kind, such as request, `listen` or `reach`.
extension DocumentDecoder {
  /// Adds settings of the step and of the defaults to a step's action, and returns the action. Settings that do not apply to this kind of
  /// action are left out.
  func complete(
    _ action: consuming StepAction, _ settings: StepSettings, _ reader: MappingReader<StepKey>, _ scope: ExpressionScope
  ) -> StepAction {
    switch consume action {
    case .request(var request):
      if settings.saysWhatIsSent {
        request.take(
          params: settings.params, query: settings.query, body: settings.body, cookies: settings.cookies, auth: settings.auth)
      }
      complete(&request, settings, reader, scope)
      return .request(request)
    case .submit(let submit, var request):
      // The form determines query and body.
      if settings.saysWhatIsSent { request.take(params: nil, query: nil, body: nil, cookies: settings.cookies, auth: settings.auth) }
      complete(&request, settings, reader, scope)
      return .submit(submit, request)
    case .websocket(let talk, var request):
      // The handshake request has no body.
      if settings.saysWhatIsSent {
        request.take(params: nil, query: settings.query, body: nil, cookies: settings.cookies, auth: settings.auth)
      }
      request.addHead(of: settings)
      return .websocket(talk, request)
    case .reach(let reach, var request):
      if request.url.source.hasPrefix("/") { request.sharedBaseURL = settings.baseURL }
      request.addTransport(of: settings)
      return .reach(reach, request)
    case .listen(let listen, var request):
      request.addTransport(of: settings)
      return .listen(listen, request)
    case .call(let call): return .call(call)
    }
  }

  /// Adds the settings of the step to its request: base URL, header fields, transport settings, download and stream.
  private func complete(
    _ request: inout RequestTemplate, _ settings: StepSettings, _ reader: MappingReader<StepKey>, _ scope: ExpressionScope
  ) {
    request.addHead(of: settings)
    if reader.has(.download) { request.download = reader.value(.download).flatMap { decodeDownload($0, scope) } }
    if reader.has(oneOf: StepKey.streams) { request.stream = decodeStream(reader, scope) }
  }

  /// Reports each key of this step that is allowed only in another kind of step, such as a key that is allowed only with `listen`.
  ///
  /// Does nothing for a kind of step that has a restricted set of keys (``StepKey/restrictedActions``), since the decoder of this kind
  /// reports every other key.
  func checkKeysOfKinds(_ reader: MappingReader<StepKey>) {
    guard !StepKey.restrictedActions.contains(where: reader.has) else { return }
    for (key, entry) in reader.entries(of: StepKey.ofKinds) {
      guard let kind = StepKind.all.first(where: { $0.key == key.kind }), let (purpose, help) = kind.own else { continue }
      report(
        .conflict, "`\(entry.name)` \(purpose), but the step has no `\(kind.key.rawValue)`", at: entry.key.range, help: help)
    }
  }

  /// Reports mistakes that depend on several parts of a step, such as a relative URL without a base URL, or `paginate` in a step that reads
  /// a stream.
  func check(_ action: StepAction, of id: String, _ repetition: Repetition, _ reader: MappingReader<StepKey>) {
    switch action {
    case .request(let request):
      checkURL(request, of: id, reader)
      checkBodies(request, reader)
      checkPagination(repetition.pagination, request, reader)
      checkResponse(request, repetition, reader)
    case .submit(_, let request): checkResponse(request, repetition, reader)
    case .websocket(let talk, let request):
      checkURL(request, of: id, reader)
      checkRepetition(repetition, of: .messages, at: talk.range, reader)
    case .reach(_, let request): if request.url.source.hasPrefix("/") { checkURL(request, of: id, reader) }
    case .listen, .call: break
    }
  }

  private func checkResponse(_ request: RequestTemplate, _ repetition: Repetition, _ reader: MappingReader<StepKey>) {
    checkResume(request)
    if let stream = request.stream { checkRepetition(repetition, of: stream.format, at: stream.range, reader) }
    if reader.has(.retry) { checkRetry(repetition.retry, request, reader) }
  }

  /// Reports expectations that can't apply to this kind of step, and removes default expectations that don't apply to it.
  func checkExpectations(of action: StepAction, _ settings: inout StepSettings, _ reader: MappingReader<StepKey>) {
    switch action {
    case .request, .submit:
      if settings.expected.concernsStream { checkExpectationsOfStreams(reader) }
      if settings.expected.concernsRequest { checkExpectationsOfResponse(reader) }
    case .websocket:
      // The defaults are expectations of responses with a body.
      settings.leaveDefaultExpectations()
      if settings.expected.concernsStream { checkExpectationsOfStreams(reader) }
      if settings.expected.concernsRequest { checkExpectationsOfResponse(reader) }
    case .reach: if settings.expected.concernsRequest { checkExpectationsOfResponse(reader) }
    case .listen:
      // The default expectations are for responses and do not apply to a received request.
      settings.leaveDefaultExpectations()
      checkExpectationsOfRequest(reader)
    case .call: break
    }
  }
}

extension ReferenceCollector {
  /// Collects the references to steps and inputs that the action of a step contains.
  mutating func add(_ action: StepAction, _ settings: StepSettings, methodKey: String) {
    switch action {
    case .request(let request): add(request, settings, methodKey: methodKey)
    case .submit(let submit, let request):
      add(submit)
      add(request, settings, methodKey: methodKey)
    case .websocket(let talk, let request):
      add(request, settings, methodKey: methodKey)
      add(talk)
    case .reach(let reach, let request):
      add(reach.within, "within", isDefault: false)
      add(request, settings, methodKey: methodKey)
    case .listen(let listen, let request):
      add(listen.within, "listen", isDefault: false)
      add(request, settings, methodKey: methodKey)
    // The references of a call are added where the call is decoded.
    case .call: break
    }
  }
}
