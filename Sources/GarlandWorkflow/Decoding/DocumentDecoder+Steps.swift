import GarlandDiagnostics
import GarlandYAML

extension DocumentDecoder {
  func decodeDefaults(_ node: YAMLNode) -> StepSettings {
    guard let reader = reader(node, StepKey.defaultsTable, "default settings of steps") else { return StepSettings() }
    var settings = StepSettings()
    decodeSettings(reader, .defaults, isDefault: true, into: &settings)
    settings.repetition = decodeRepetition(reader, .defaults, over: .none)
    if let templates = reader[.steps]?.value { checkTemplates(templates) }
    return settings
  }

  /// Checks the names and keys of the templates in `defaults.steps`, which steps can extend. The values in a template are checked when a
  /// step that extends it is decoded.
  private func checkTemplates(_ node: YAMLNode) {
    guard let mapping = mapping(node, "a mapping of names to step templates") else { return }
    for entry in mapping.entries {
      checkName(entry.name, entry.key.range, reserved: ReservedNames.steps, what: "step")
      _ = self.reader(entry.value, StepKey.table, "a step such as `{ get: /health }`")
    }
  }

  /// Decodes a step. Returns the step, and the inputs (such as secrets) that its URL uses, for a warning about secrets in URLs.
  func decodeStep(
    _ entry: YAMLMapping.Entry, ordinal: Int, _ defaults: StepSettings
  ) -> (step: Step, urlInputs: [InputReference]) {
    let idRange = entry.key.range
    let range = SourceRange(file, idRange.offsets.lowerBound..<max(idRange.offsets.upperBound, entry.value.range.offsets.upperBound))
    let isMissingSpace = refuseMissingSpace(entry.value)
    guard !isMissingSpace, let reader = reader(entry.value, StepKey.table, "a step such as `{ get: /health }`") else {
      let step = Step(
        id: names.stepIDs[ordinal], idRange: idRange, range: range, ordinal: ordinal, description: nil, tags: [],
        action: .request(Self.nothing(at: idRange)), expectations: [], expectationShift: 0, extractions: [], flow: StepFlow(),
        references: [], inputs: [], files: [], neededByItself: [])
      return (step, [])
    }
    return decode(ordinal, idRange, range, reader, defaults)
  }

  /// Reports a step such as `get:/health`, which YAML reads as one text because the space after the colon is missing. Returns whether the
  /// mistake was found and reported.
  private func refuseMissingSpace(_ node: YAMLNode) -> Bool {
    guard !node.isAlias, let text = node.scalar?.text, let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex,
      StepKey(rawValue: String(text[..<colon])) != nil, node.range.text.hasPrefix(text[...colon])
    else { return false }
    let end = node.range.offsets.lowerBound + text[...colon].utf8.count
    diagnostics.report(
      Diagnostic(.missingSpace, "a space is missing after `:`", at: SourceRange(file, end - 1..<end))
        .help("add a space", fix: .init(SourceRange(file, end..<end), " ")))
    return true
  }

  /// Returns a placeholder for the request of an invalid step. The mistake has been reported, so the workflow never runs.
  private static func nothing(at range: SourceRange) -> RequestTemplate {
    RequestTemplate(method: Located("GET", at: range), url: URLTemplate(pieces: [], source: "", range: range))
  }

  private func decode(
    _ ordinal: Int, _ idRange: SourceRange, _ range: SourceRange, _ reader: MappingReader<StepKey>, _ defaults: StepSettings
  ) -> (step: Step, urlInputs: [InputReference]) {
    let id = names.stepIDs[ordinal]
    let (loop, scope) = decodeLoop(reader, ExpressionScope.step(ordinal))
    var settings = StepSettings()
    decodeSettings(reader, scope, isDefault: false, into: &settings)
    settings.merge(over: defaults)
    if !emptyExpectations.isEmpty { reportEmptyExpectations(besides: defaults, reader) }
    settleExpectedError(&settings, reader)
    if let extends = reader.value(.extends) { _ = plainText(extends, "the name of a step") }
    let description = reader.value(.description).flatMap { plainText($0) }
    var flow = decodeFlow(
      reader, scope, settings, loop: loop, repetition: decodeRepetition(reader, scope, over: defaults.repetition),
      quarantine: quarantined.isEmpty ? nil : quarantined[id])
    let source = StepSource(decoder: self, id: id, reader: reader, scope: scope)
    var action: StepAction?
    var hasResponse = !reader.has(.call)
    var urlInputs: [InputReference] = []
    var extractions: [Extraction] = []
    var collector = ReferenceCollector(referencePlaces)
    if let loop { collector.add(loop) }
    if let when = flow.when { collector.add(when, "when", isDefault: false) }
    collector.add(flow.repetition, besides: defaults.repetition)
    if reader.has(.with), !reader.has(.call), let with = reader[.with] {
      report(.conflict, "`with` sets the inputs of a `call`, but the step has no `call`", at: with.key.range)
    }
    if reader.has(.call) {
      action = decodeCall(reader, scope, ordinal, &extractions, &collector).map { .call($0) }
    } else if case (var bare, let methodKey)? = decodeAction(source, idRange: idRange) {
      let kind = bare.kind
      kind.complete(&bare.request, settings, in: source)
      urlInputs = inputs(ofURLOf: bare.request)
      kind.check(bare.request, flow.repetition, in: source)
      kind.addReferences(bare.request, settings, methodKey: methodKey.rawValue, to: &collector)
      type(of: kind).checkExpectations(&settings, in: source)
      let decoded = kind.action(bare.request)
      if !decoded.hasResponse { hasResponse = false }
      // A listening step does not use the default resources, so that it does not block other steps.
      if decoded.isListening { flow = flow.unhindered }
      action = decoded
    }
    if reader.has(oneOf: StepKey.ofKinds) { checkKeysOfKinds(reader) }
    let expectations = hasResponse ? self.expectations(of: settings, &collector) : []
    if let node = reader.value(.extract), !reader.has(.call) { extractions = decodeExtractions(node, scope.withResponse) }
    for extraction in extractions { collector.add(extraction) }
    if let action { extractions += action.kind.extractionsOfItems }
    let step = Step(
      id: id, idRange: idRange, range: range, ordinal: ordinal, description: description, tags: settings.tags ?? [],
      action: action ?? .request(Self.nothing(at: idRange)), expectations: expectations,
      expectationShift: hasResponse ? settings.expected.shift : 0, extractions: extractions, flow: flow,
      references: collector.exactSteps, inputs: collector.inputs, files: takeFiles(), neededByItself: collector.ownNeeds)
    return (step, urlInputs)
  }

  /// Returns the files that the last decoded step uses: those that the step names, and those that settings of the whole document name.
  /// Empties the list of the step's files, so that the next call does not return them again.
  private func takeFiles() -> [String] {
    let named = mentioned.named.take()
    return named.isEmpty ? mentioned.common : mentioned.common + named
  }

  private func expectations(of settings: StepSettings, _ collector: inout ReferenceCollector) -> [Expectation] {
    if let shared = settings.expected.shared {
      collector.add(shared.needs)
      return shared.all
    }
    var result: [Expectation] = []
    result.reserveCapacity(settings.expected.groups.reduce(0) { $0 + $1.expectations.count })
    for (key, expectations) in settings.expected.groups {
      for expectation in expectations {
        collector.add(expectation, key: key.path)
        result.append(expectation)
      }
    }
    return result
  }

  // MARK: Action

  /// Returns the variables, secrets and other inputs that the URL and the query of a request use.
  private func inputs(ofURLOf request: RequestTemplate) -> [InputReference] {
    guard request.url.hasExpression || request.query.map({ $0.value.constant == nil }) == true else { return [] }
    var urls = ReferenceCollector(referencePlaces, leavesSteps: true)
    urls.add(request.url, "", isDefault: false)
    if let query = request.query { urls.add(query.value, "", isDefault: false) }
    return urls.inputs
  }

  private func decodeAction(_ source: StepSource, idRange: SourceRange) -> (bare: BareAction, methodKey: StepKey)? {
    let (reader, scope) = (source.reader, source.scope)
    if let (key, entry) = reader.onlyEntry(of: StepKey.requests), let method = key.method {
      guard let url = decodeURL(entry.value, scope, isRead: key == .get || key == .head) else { return nil }
      return (BareAction(kind: PlainRequest(), request: RequestTemplate(method: Located(method, at: entry.key.range), url: url)), key)
    }
    let actions = reader.entries(of: StepKey.requests)
    guard let first = actions.first else {
      // The step that this step extends does not exist, which has already been reported.
      let isOrphan = reader[.extends].map { extends in
        diagnostics.all.contains {
          $0.code == .extendsCycle || $0.code == .nestedTooDeep || $0.code == .undefinedStep && $0.range == extends.value.range
        }
      }
      if !reader.hasRefusedKeys, isOrphan != true {
        report(.noAction, "the step `\(source.id)` does nothing", at: idRange, help: "add a request, such as `get: /health`")
      }
      return nil
    }
    if let own = actions.first(where: { StepKey.kinds.contains($0.key) }) {
      guard actions.count == 1 else { return refuseTwo(first.entry, first.key == own.key ? actions[1].entry : own.entry) }
      return KindDecoders.decoder(for: own.key)?.decode(own.entry, in: source).map { ($0, own.key) }
    }
    if first.key == .method || first.key == .url {
      if let other = actions.first(where: { StepKey.methods.contains($0.key) }) { return refuseTwo(first.entry, other.entry) }
      guard let methodNode = reader[.method]?.value else {
        reportMissingMethod(first.entry)
        return nil
      }
      guard let urlNode = reader[.url]?.value else {
        report(.noAction, "`method` needs a `url`", at: first.entry.key.range)
        return nil
      }
      guard let method = template(methodNode, scope, "a method"),
        let url = decodeURL(urlNode, scope, isRead: method.constantText.map { ["get", "head"].contains($0.lowercased()) } ?? false)
      else { return nil }
      return decodeMethod(method, methodNode, url).map { (BareAction(kind: PlainRequest(), request: $0), .url) }
    }
    // A `method` key that names a method key was handled above.
    return actions.count > 1 ? refuseTwo(first.entry, actions[1].entry) : nil
  }

  /// Reports a step with `url` but without `method`. If the value of `url` is a text such as `GET /health`, the help suggests
  /// `get: /health`.
  private func reportMissingMethod(_ url: YAMLMapping.Entry) {
    let words = url.value.scalar?.text.split(separator: " ") ?? []
    guard words.count == 2, !url.value.isAlias, let method = words.first?.lowercased(),
      StepKey.methods.keys.contains(where: { $0.rawValue == method })
    else {
      report(.noAction, "`url` needs a `method`", at: url.key.range, help: "write `get: …`, or add `method:`", replacement: "get")
      return
    }
    report(
      .noAction, "`url` needs a `method`", at: url.key.range, help: "write `\(method): \(Words.excerpt(String(words[1])))`",
      replacement: "\(method): \(YAMLQuoting.scalar(String(words[1])))",
      fixRange: SourceRange(url.key.range.file, url.key.range.offsets.lowerBound..<url.value.range.offsets.upperBound))
  }

  /// Decodes a request whose method is in the key `method`, as a literal or as an expression. Returns nil if the method is invalid.
  private func decodeMethod(_ method: Template, _ node: YAMLNode, _ url: URLTemplate) -> RequestTemplate? {
    guard let constant = method.constant else {
      var request = RequestTemplate(method: Located(node.scalar?.text ?? "", at: node.range), url: url)
      request.methodTemplate = method
      return request
    }
    // An expression with a mistake has already been reported, and its value is now null.
    if constant.isNull { return nil }
    let text = constant.stringValue ?? node.scalar?.text ?? ""
    guard RequestTemplate.isMethod(text) else {
      report(
        .badMethod, "`\(Words.excerpt(text))` is not a valid HTTP method", at: node.range,
        help: "a method must be one word, such as `PURGE`")
      return nil
    }
    let usual = text.uppercased()
    if usual != text, StepKey.methods.keys.contains(where: { $0.rawValue == text.lowercased() }) {
      diagnostics.report(
        Diagnostic(
          .badMethod, severity: .warning,
          "the method `\(text)` is sent as it is written, and is not `\(usual)`: methods are case-sensitive",
          at: node.range
        ).help("write `\(usual)`", fix: node.isAlias ? nil : .init(node.range, usual)))
    }
    return RequestTemplate(method: Located(text, at: node.range), url: url)
  }

  private func refuseTwo(_ first: YAMLMapping.Entry, _ second: YAMLMapping.Entry) -> (BareAction, StepKey)? {
    // If the step also has a method, `trace: 1` is not a URL, but a wrong form of `trace: true`.
    if let trace = [first, second].first(where: { $0.name == StepKey.trace.rawValue }), let scalar = trace.value.scalar {
      let isURL = if case .string(let text) = scalar.value { Bool.word(text) == nil } else { false }
      if !isURL {
        let _: Setting<Bool>? = setting(trace.value, .defaults)
        return nil
      }
    }
    diagnostics.report(
      Diagnostic(.twoActions, "a step can do only one thing, found `\(second.name)` and `\(first.name)`", at: second.key.range)
        .note("`\(first.name)` is here", at: first.key.range).help("write two steps"))
    return nil
  }

  /// Returns the mapping of all steps. If the document has no such mapping, reports the error and returns nil.
  func stepsByID(_ entry: YAMLMapping.Entry, _ root: MappingReader<RootKey>) -> YAMLMapping? {
    let beside = (root.node.mapping?.entries ?? []).first { other in
      other.key.range.offsets.lowerBound > entry.key.range.offsets.lowerBound && RootKey.table.key(other.name) == nil
        && other.value.mapping != nil
    }
    guard entry.value.isNull, let beside else { return mapping(entry.value, "a mapping of step ids to steps") }
    report(
      .wrongType, "expected a mapping of step ids to steps, found nothing", at: entry.value.range,
      help: "indent the steps: `\(Words.excerpt(beside.name))` is beside `\(entry.name)`, not inside it")
    return nil
  }

  /// Reports a relative URL of a step for which no base URL is set. A URL that begins with `/` is only recorded, since all such URLs of the
  /// document are reported together.
  func checkURL(_ request: RequestTemplate, of step: String, _ reader: MappingReader<StepKey>) {
    guard request.baseURL == nil, case .literal(let start)? = request.url.pieces.first, !URLJoining.isAbsolute(start) else {
      if request.url.pieces.isEmpty, request.baseURL == nil, !diagnostics.hasErrors {
        report(.badURL, "the URL is empty", at: request.url.range)
      }
      return
    }
    // The expression at the beginning of the URL is invalid, so its value is unknown.
    if request.url.source.hasPrefix("${") || request.url.source.hasPrefix("{") { return }
    guard !start.hasPrefix("/") else {
      // The step's own URL is invalid, which has already been reported.
      if reader[.baseURL].map({ $0.value.isNull }) ?? !reader.hasKey(near: .baseURL) { relativeURLs.append((step, request.url.range)) }
      return
    }
    reportIncompleteURL(request.url)
  }
}
