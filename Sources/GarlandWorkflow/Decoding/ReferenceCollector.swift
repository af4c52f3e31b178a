/// The places of references, each kept once.
final class ReferencePlaces {
  /// The transport settings that were looked at last, and in which nothing is named.
  var namelessTransport: SharedTransportSettings?
  private var known: [StepReference.Place: Shared<StepReference.Place>] = [:]
  /// What was asked for last, and before that: the steps of a document mostly have their references in the same places.
  private var last: Shared<StepReference.Place>?
  private var previous: Shared<StepReference.Place>?

  func shared(_ place: StepReference.Place) -> Shared<StepReference.Place> {
    if let last, last.value == place { return last }
    if let previous, previous.value == place {
      swap(&self.previous, &last)
      return previous
    }
    let shared = known[place] ?? Shared(place)
    known[place] = shared
    previous = last
    last = shared
    return shared
  }
}

/// Gathers what the expressions of templates name.
struct ReferenceCollector {
  private let places: ReferencePlaces
  private(set) var steps: [StepReference] = []
  private(set) var inputs: [InputReference] = []
  private(set) var ownNeeds: ResponseNeeds = []
  /// Whether the last thing that was added uses a secret by name.
  private(set) var usesSecrets = false

  /// Whether an expression calls `now()`; looked for only if that is asked for.
  private(set) var readsClock = false
  private let looksForClock: Bool
  /// Whether only what is no step is wanted.
  private let leavesSteps: Bool

  /// ``steps`` without what was set aside for more.
  var exactSteps: [StepReference] {
    if steps.isEmpty { return [] }
    return steps.capacity - steps.count <= 2 ? steps : steps.withUnsafeBufferPointer(Array.init)
  }

  init(_ places: ReferencePlaces = ReferencePlaces(), leavesSteps: Bool = false, looksForClock: Bool = false) {
    self.places = places
    self.looksForClock = looksForClock
    self.leavesSteps = leavesSteps
  }

  mutating func add(_ expression: Expression, _ key: @autoclosure () -> String, isDefault: Bool) {
    ownNeeds.formUnion(expression.ownNeeds)
    if looksForClock, !readsClock { readsClock = expression.readsClock }
    // Mostly that is all, and then shared.
    if inputs.isEmpty { inputs = expression.inputs } else { inputs += expression.inputs }
    guard !leavesSteps, expression.stepCount > 0 else { return }
    let key = key()
    let place = places.shared(StepReference.Place(key: isDefault ? "defaults." + key : key, isDefault: isDefault))
    if steps.isEmpty { steps.reserveCapacity(2) }
    for position in 0..<expression.stepCount { steps.append(StepReference(expression, position, at: place)) }
  }

  mutating func add(_ input: InputReference) { inputs.append(input) }

  /// What is needed by something without expressions.
  mutating func add(_ needs: ResponseNeeds) { ownNeeds.formUnion(needs) }

  mutating func add(_ template: Template, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch template.content {
    case .constant: break
    case .expression(let expression): add(expression, key(), isDefault: isDefault)
    case .text(let pieces):
      for piece in pieces {
        if case .expression(let expression) = piece { add(expression, key(), isDefault: isDefault) }
      }
    }
  }

  mutating func add(_ value: ValueTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch value {
    case .constant: break
    case .scalar(let template): add(template, key(), isDefault: isDefault)
    case .list(let items, _): for item in items { add(item, key(), isDefault: isDefault) }
    case .object(let members, _):
      for member in members {
        add(member.key, key(), isDefault: isDefault)
        add(member.value, key(), isDefault: isDefault)
      }
    }
  }

  mutating func add(_ url: URLTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    for piece in url.pieces {
      if case .expression(let expression, _) = piece { add(expression, key(), isDefault: isDefault) }
    }
  }

  mutating func add<Wrapped>(_ setting: Setting<Wrapped>?, _ key: @autoclosure () -> String, isDefault: Bool) {
    if case .template(let template)? = setting?.content { add(template, key(), isDefault: isDefault) }
  }

  mutating func add(_ file: FileTemplate?, _ key: @autoclosure () -> String, isDefault: Bool) {
    if let file { add(file.path, key(), isDefault: isDefault) }
  }

  mutating func add(_ pattern: PatternTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    if case .template(let template) = pattern.content { add(template, key(), isDefault: isDefault) }
  }

  // MARK: Calls

  /// Steps of third documents that a called one uses.
  mutating func addCall(of path: Located<String>, shared: [(ordinal: Int, name: String)]) {
    for step in shared {
      steps.append(
        StepReference(
          ExpressionStepUse(target: step.ordinal, member: .response(.status), name: step.name, range: path.range, isOptional: false),
          at: places.shared(.init(key: "call", isDefault: false))))
    }
  }

  // MARK: Flow

  mutating func add(_ loop: Loop) {
    let key = loop.key.value
    switch loop.source {
    case .list(let value): add(value, key, isDefault: false)
    case .rows(let file, _): add(file, key, isDefault: false)
    case .matrix(let axes): for axis in axes { add(axis.values, "\(key).\(axis.name.value)", isDefault: false) }
    }
    add(loop.limit, "limit", isDefault: false)
    if let label = loop.label { add(label, "label", isDefault: false) }
  }

  /// - Parameter defaults: what comes from there is known by its being the same.
  mutating func add(_ repetition: Repetition, besides defaults: Repetition) {
    guard repetition !== Repetition.none else { return }
    let isDefault = repetition === defaults
    add(repetition.delay, "delay", isDefault: isDefault || repetition.delay?.range == defaults.delay?.range)
    if let retry = repetition.retry {
      let isDefault = isDefault || retry.range == defaults.retry?.range
      add(retry.limit, "retry", isDefault: isDefault)
      add(retry.delay, "retry", isDefault: isDefault)
      add(retry.factor, "retry", isDefault: isDefault)
      add(retry.jitter, "retry", isDefault: isDefault)
      add(retry.maxDelay, "retry", isDefault: isDefault)
      for status in retry.statuses ?? [] { add(status, "retry", isDefault: isDefault) }
    }
    if let poll = repetition.poll {
      let isDefault = isDefault || poll.range == defaults.poll?.range
      ownNeeds.insert(.facts)
      switch poll.until {
      case .condition(let condition): add(condition, "poll", isDefault: isDefault)
      case .expectations(let expectations): for expectation in expectations { add(expectation, key: "poll") }
      }
      add(poll.every, "poll", isDefault: isDefault)
      add(poll.within, "poll", isDefault: isDefault)
      add(poll.fail, "poll", isDefault: isDefault)
    }
    if let pagination = repetition.pagination {
      let isDefault = isDefault || pagination.range == defaults.pagination?.range
      ownNeeds.insert(.facts)
      switch pagination.next {
      case .expression(let template): add(template, "paginate", isDefault: isDefault)
      case .request(let page): add(page, isDefault: isDefault)
      case .link: ownNeeds.insert(.headers)
      }
      add(pagination.condition, "paginate", isDefault: isDefault)
      add(pagination.limit, "paginate", isDefault: isDefault)
    }
  }

  private mutating func add(_ page: PageTemplate, isDefault: Bool) {
    if let url = page.url { add(url, "paginate", isDefault: isDefault) }
    if let query = page.query { add(query.value, "paginate", isDefault: isDefault) }
    for header in page.headers { add(header, "paginate", isDefault: isDefault) }
    if let json = page.json { add(json, "paginate", isDefault: isDefault) }
    if let form = page.form { add(form.value, "paginate", isDefault: isDefault) }
  }

  private mutating func add(_ header: HeaderTemplate, _ key: @autoclosure () -> String, isDefault: Bool) {
    if let name = header.nameTemplate { add(name, key(), isDefault: isDefault) }
    for value in header.values { add(value, key(), isDefault: isDefault) }
  }

  // MARK: Requests

  mutating func add(_ request: RequestTemplate, _ settings: StepSettings, methodKey: String) {
    add(request.url, methodKey, isDefault: false)
    if let method = request.methodTemplate { add(method, "method", isDefault: false) }
    if let submit = request.submit { add(submit) }
    if let listen = request.listen { add(listen.within, "listen", isDefault: false) }
    if let reach = request.reach { add(reach.within, "within", isDefault: false) }
    if let base = request.baseURL, base.hasExpression { add(base, "base_url", isDefault: settings.isBaseURLDefault) }
    if let parameters = request.params { add(parameters.value, "params", isDefault: parameters.isDefault) }
    if let parameters = request.query { add(parameters.value, "query", isDefault: parameters.isDefault) }
    for header in request.headers { add(header, "headers.\(header.name.value)", isDefault: header.isDefault) }
    for cookie in request.cookies {
      if let name = cookie.nameTemplate { add(name, "cookies.\(cookie.name.value)", isDefault: cookie.isDefault) }
      if let value = cookie.value { add(value, "cookies.\(cookie.name.value)", isDefault: cookie.isDefault) }
    }
    if let auth = request.auth { add(auth) }
    if let body = request.body { add(body) }
    if let download = request.download {
      add(download.to, "download", isDefault: false)
      add(download.replace, "download", isDefault: false)
      add(download.createDirs, "download", isDefault: false)
      add(download.resume, "download", isDefault: false)
    }
    add(request.sharedTransport)
  }

  /// What many steps have in common is looked through once, if it names nothing.
  private mutating func add(_ transport: SharedTransportSettings) {
    guard transport !== SharedTransportSettings.none, transport !== places.namelessTransport else { return }
    var named = ReferenceCollector(places)
    named.add(transport.settings, isDefault: false)
    if named.steps.isEmpty, named.inputs.isEmpty, named.ownNeeds.isEmpty { places.namelessTransport = transport }
    steps += named.steps
    inputs += named.inputs
    ownNeeds.formUnion(named.ownNeeds)
  }

  private mutating func add(_ auth: AuthTemplate) {
    switch auth.kind {
    case .bearer(let token): add(token, "bearer", isDefault: auth.isDefault)
    case .basic(let credentials): add(credentials, "basic", isDefault: auth.isDefault)
    case .digest(let credentials): add(credentials, "digest", isDefault: auth.isDefault)
    case .named(let index): add(InputReference(target: .authentication(index), range: auth.range, isOptional: false))
    case .none: break
    }
  }

  /// What is needed of the page: what it says, and where it comes from.
  private mutating func add(_ submit: SubmitTemplate) {
    let place = places.shared(.init(key: "submit", isDefault: false))
    for member in [ResponseMember.text, .url] {
      steps.append(
        StepReference(
          ExpressionStepUse(
            target: submit.from, member: .response(member), name: member.rawValue, range: submit.fromID.range, isOptional: false),
          at: place))
    }
    for field in submit.fields {
      add(field.name, "submit.fields", isDefault: false)
      switch field.value {
      case .value(let value): add(value, "submit.fields", isDefault: false)
      case .file(let part): add(part, "submit.fields", isDefault: false)
      }
    }
  }

  private mutating func add(_ part: PartTemplate, _ key: String, isDefault: Bool) {
    add(part.name, key, isDefault: isDefault)
    switch part.content {
    case .text(let template), .base64(let template): add(template, key, isDefault: isDefault)
    case .file(let file, let slice): add(file, slice, key, isDefault: isDefault)
    case .json(let value): add(value, key, isDefault: isDefault)
    }
    if let filename = part.filename { add(filename, key, isDefault: isDefault) }
    if let type = part.type { add(type, key, isDefault: isDefault) }
    for header in part.headers { add(header, key, isDefault: isDefault) }
  }

  private mutating func add(_ file: FileTemplate, _ slice: SliceTemplate?, _ key: String, isDefault: Bool) {
    add(file, key, isDefault: isDefault)
    add(slice?.offset, key, isDefault: isDefault)
    add(slice?.length, key, isDefault: isDefault)
  }

  private mutating func add(_ body: BodyTemplate) {
    let key = body.key.value
    switch body.kind {
    case .json(let value), .plist(let value): add(value, key, isDefault: body.isDefault)
    case .form(let parameters): add(parameters.value, key, isDefault: body.isDefault)
    case .text(let template), .base64(let template): add(template, key, isDefault: body.isDefault)
    case .file(let file, let slice): add(file, slice, key, isDefault: body.isDefault)
    case .graphql(let query, let variables, let operation, let allowsErrors):
      if !allowsErrors { ownNeeds.insert(.json) }
      add(query, key, isDefault: body.isDefault)
      if let variables { add(variables, key, isDefault: body.isDefault) }
      if let operation { add(operation, key, isDefault: body.isDefault) }
    case .multipart(let parts):
      for part in parts { add(part, key, isDefault: body.isDefault) }
    }
  }

  private mutating func add(_ transport: TransportSettings, isDefault: Bool) {
    add(transport.timeout, "timeout", isDefault: isDefault)
    add(transport.deadline, "deadline", isDefault: isDefault)
    add(transport.followRedirects, "redirect", isDefault: isDefault)
    add(transport.maxRedirects, "redirect", isDefault: isDefault)
    add(transport.proxy, "proxy", isDefault: isDefault)
    add(transport.httpVersion, "http", isDefault: isDefault)
    add(transport.compression, "compress", isDefault: isDefault)
    for mapping in transport.resolve { add(mapping.to, "resolve", isDefault: isDefault) }
    for mapping in transport.connectTo { add(mapping.to, "connect_to", isDefault: isDefault) }
    add(transport.unixSocket, "unix_socket", isDefault: isDefault)
    add(transport.interface, "interface", isDefault: isDefault)
    add(transport.rateLimit, "rate_limit", isDefault: isDefault)
    add(transport.cookieJar, "cookies", isDefault: isDefault)
    add(transport.maxBody, "max_body", isDefault: isDefault)
    add(transport.cache.isEnabled, "cache", isDefault: isDefault)
    add(transport.cache.directory, "cache", isDefault: isDefault)
    add(transport.cache.policy, "cache", isDefault: isDefault)
    add(transport.waitForConnectivity, "wait_for_connectivity", isDefault: isDefault)
    add(transport.traces, "trace", isDefault: isDefault)
    add(transport.tls.ca, "tls", isDefault: isDefault)
    add(transport.tls.cert, "tls", isDefault: isDefault)
    add(transport.tls.key, "tls", isDefault: isDefault)
    if let password = transport.tls.password { add(password, "tls", isDefault: isDefault) }
    add(transport.tls.minVersion, "tls", isDefault: isDefault)
    for pin in transport.tls.pins { add(pin, "tls", isDefault: isDefault) }
    add(transport.tls.verify, "tls", isDefault: isDefault)
  }

  // MARK: Checks

  mutating func add(_ expectation: Expectation, key: @autoclosure () -> String) {
    let isDefault = expectation.isDefault
    ownNeeds.formUnion(expectation.check.needs)
    add(expectation.check, key(), isDefault: isDefault)
  }

  private mutating func add(_ check: Expectation.Check, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch check {
    case .named(let name, let check):
      add(name, key(), isDefault: isDefault)
      add(check, key(), isDefault: isDefault)
    case .status(let patterns): for pattern in patterns { add(pattern, key(), isDefault: isDefault) }
    case .type(let patterns): for pattern in patterns { add(pattern, key(), isDefault: isDefault) }
    case .schema: break
    case .sha256(.hex(let digest)): add(digest, key(), isDefault: isDefault)
    case .sha256(.file(let file)): add(file, key(), isDefault: isDefault)
    case .snapshot(let snapshot): add(snapshot.file, key(), isDefault: isDefault)
    case .error(let error):
      for name in error.names { add(name, key(), isDefault: isDefault) }
      for predicate in error.message { add(predicate, key(), isDefault: isDefault) }
    case .that(let condition): add(condition, key(), isDefault: isDefault)
    case .firstBytes(let settings): for setting in settings { add(setting, key(), isDefault: isDefault) }
    case .header(_, let predicates), .cookie(_, let predicates), .json(_, let predicates), .xpath(_, let predicates),
      .tls(_, let predicates), .cookieFact(_, _, let predicates), .plist(_, let predicates), .firstBytesPredicates(let predicates),
      .statusPredicates(let predicates),
      .typePredicates(let predicates), .body(let predicates), .time(let predicates), .size(let predicates), .redirects(let predicates),
      .url(let predicates), .version(let predicates), .method(let predicates), .query(_, let predicates):
      for predicate in predicates { add(predicate, key(), isDefault: isDefault) }
    }
  }

  private mutating func add(_ predicate: Predicate, _ key: @autoclosure () -> String, isDefault: Bool) {
    switch predicate.kind {
    case .eq(let value), .ne(let value), .gt(let value), .gte(let value), .lt(let value), .lte(let value), .in(let value),
      .contains(let value), .startsWith(let value), .endsWith(let value), .subset(let value):
      add(value, key(), isDefault: isDefault)
    case .matches(let pattern): add(pattern, key(), isDefault: isDefault)
    case .type, .schema: break
    case .empty(let setting), .exists(let setting): add(setting, key(), isDefault: isDefault)
    case .length(let predicates), .each(let predicates), .any(let predicates), .none(let predicates), .not(let predicates):
      for predicate in predicates { add(predicate, key(), isDefault: isDefault) }
    case .json(let selected):
      for part in selected { for predicate in part.predicates { add(predicate, key(), isDefault: isDefault) } }
    case .date(let date):
      for value in [date.before, date.after, date.at] { if let value { add(value, key(), isDefault: isDefault) } }
      add(date.within, key(), isDefault: isDefault)
    }
  }

  mutating func add(_ extraction: Extraction) {
    // Most have no expression, and so no place.
    if extraction.defaultValue == nil, extraction.refinement == nil, case .json = extraction.source {
      ownNeeds.insert(.json)
      return
    }
    let key = "extract.\(extraction.name.value)"
    switch extraction.source {
    case .json, .pointer: ownNeeds.insert(.json)
    case .xpath: ownNeeds.insert(.markup)
    case .regex(let pattern):
      ownNeeds.insert(.text)
      add(pattern, key, isDefault: false)
    case .header(let name):
      ownNeeds.insert(.headers)
      add(name, key, isDefault: false)
    case .plist: ownNeeds.insert(.propertyList)
    case .firstBytes: ownNeeds.insert(.beginning)
    case .cookieFact(let name, _):
      ownNeeds.insert(.headers)
      add(name, key, isDefault: false)
    case .cookie(let name):
      ownNeeds.insert(.cookies)
      add(name, key, isDefault: false)
    case .query(let name):
      ownNeeds.insert(.facts)
      add(name, key, isDefault: false)
    case .output: break
    case .url: ownNeeds.insert(.facts)
    case .urlPattern(let pattern):
      ownNeeds.insert(.facts)
      add(pattern, key, isDefault: false)
    case .expression(let template): add(template, key, isDefault: false)
    }
    if let value = extraction.defaultValue { add(value, key, isDefault: false) }
    if let refinement = extraction.refinement {
      if let pattern = refinement.pattern { add(pattern, key, isDefault: false) }
      if let filters = refinement.filters { add(filters, key, isDefault: false) }
    }
  }
}

extension RequestTemplate {
  /// Whether what is sent depends on the time: `now()` stands in it.
  package var readsClock: Bool {
    var collector = ReferenceCollector(looksForClock: true)
    collector.add(self, StepSettings(), methodKey: "")
    return collector.readsClock
  }
}

extension PageTemplate {
  /// Whether there is an expression in it.
  var hasExpression: Bool {
    url.map { $0.constant == nil } ?? false || query.map { $0.value.constant == nil } ?? false
      || headers.contains { header in header.nameTemplate != nil || header.values.contains { $0.constant == nil } }
      || json.map { $0.constant == nil } ?? false || form.map { $0.value.constant == nil } ?? false
  }
}

extension Expectation.Check {
  /// What of the response it looks at.
  var needs: ResponseNeeds {
    switch self {
    case .status, .statusPredicates, .time, .size, .redirects, .url, .version, .tls, .method, .query: .facts
    case .type, .typePredicates, .header: .headers
    case .cookie: .cookies
    case .cookieFact: .headers
    case .plist: .propertyList
    case .firstBytes, .firstBytesPredicates: .beginning
    case .json, .schema: .json
    case .xpath: .markup
    case .body: .text
    case .sha256: .digest
    case .snapshot: .text
    case .named(_, let check): check.needs
    case .that, .error: []
    }
  }
}
