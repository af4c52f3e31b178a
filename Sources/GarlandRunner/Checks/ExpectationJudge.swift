import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandResults
import GarlandText
import GarlandWorkflow

/// Checks a response against all expectations of a step, including the default expectations.
struct ExpectationJudge<Response: ResponseView> {
  let step: Step
  let response: Response
  let context: any EvaluationContext
  let snapshots: SnapshotRules
  var values: BodyValues
  var failures: [CheckFailure] = []
  var checkCount = 0
  /// The snapshot files to write after all checks, if the response has no failure.
  var snapshotWrites: [SnapshotWrite] = []
  var statusIsWrong = false
  /// The value that each expectation compared, in short form; nil for an expectation without one. Empty if ``keepsFound`` is false.
  private(set) var foundWords: [String?] = []
  /// Whether the judge stores each compared value in ``foundValue``, for a report that shows these values.
  var keepsFound = false
  /// The value that the current expectation compared; nil if the expectation compared no value, or if ``keepsFound`` is false.
  var foundValue: JSONValue?
  /// The computation in which the checks run. It has a time limit, which applies to all checks together.
  private let computation = Computation.current

  /// Creates a judge.
  ///
  /// - Parameter paths: the JSONPaths whose values are read in a single pass over the body; if nil, all those of the step.
  init(
    step: Step, response: Response, context: any EvaluationContext, snapshots: SnapshotRules = SnapshotRules(), paths: BodyPaths? = nil
  ) {
    self.step = step
    self.response = response
    self.context = context
    self.snapshots = snapshots
    values = BodyValues(of: step, in: response, paths: paths)
  }

  mutating func judgeAll(_ traits: StepTraits) {
    if traits.contains(.expectsError) { return judgeMissingError() }
    keepsFound = traits.contains(.keepsFound)
    // A received request has no status, and its media type is not restricted.
    let isListening = step.action.isListening
    if !isListening, !traits.contains(.saysStatus) { judgeStatusByDefault() }
    if !isListening, !traits.contains(.saysType) { judgeTypeByDefault() }
    if traits.contains(.refusesErrors) { judgeGraphQL() }
    for expectation in step.expectations {
      let first = failures.count
      count(expectation)
      if !expectation.isDefault, failures.count > first { place(failures: first) }
      if let computation, computation.hasEnded { return }
    }
  }

  /// Checks the expectations of a poll, and returns a failure for each expectation that is not met.
  mutating func unmet(_ awaited: [Expectation]) -> [CheckFailure] {
    for expectation in awaited { count(expectation) }
    return failures
  }

  private mutating func count(_ expectation: Expectation) {
    checkCount += 1
    let first = failures.count
    if keepsFound { foundValue = nil }
    do {
      try judge(expectation)
    } catch {
      report(error)
    }
    if keepsFound { foundWords.append(foundValue.map(Shown.brief)) }
    guard let computation, computation.hasEnded else { return }
    // The failures so far are meaningless, because the search was not finished.
    failures.removeSubrange(first...)
    failures.append(.outOfTime(expectation.check.subject, at: expectation.range))
  }

  /// Sets the source ranges of the failures, from the index `first` on, to ranges in the checked step. Steps with equal expectations share
  /// the objects of their expectations, so a failure may contain a range in another step.
  private mutating func place(failures first: Int) {
    for index in first..<failures.count { failures[index].range = failures[index].range.map(step.place) }
  }

  private mutating func judge(_ expectation: Expectation) throws(EvaluationError) {
    switch expectation.check {
    case .status(let patterns): try judgeStatus(patterns, expectation)
    case .statusPredicates(let predicates):
      report(predicates, .number, of: JSONValue(response.status), "status", expectation) { Excerpt.beginning(of: $0) }
    case .type(let patterns): try judgeType(patterns, expectation)
    case .typePredicates(let predicates):
      report(predicates, .text, of: response.headers(named: "content-type").last.map { .string($0) }, "type", expectation)
    case .header(let name, let predicates): judgeHeader(name, predicates, expectation)
    case .cookie(let name, let predicates): judgeCookie(name, predicates, expectation)
    case .cookieFact(let name, let fact, let predicates): judgeCookie(name, fact, predicates, expectation)
    case .json(let path, let predicates): judgeJSON(path, predicates, expectation)
    case .plist(let path, let predicates): judgeJSON(path, predicates, expectation, in: .propertyList)
    case .firstBytes(let settings): try judgeFirstBytes(settings, expectation)
    case .firstBytesPredicates(let predicates): judgeFirstBytes(predicates, expectation)
    case .xpath(let path, let predicates): judgeXPath(path, predicates, expectation)
    case .body(let predicates): judgeBody(predicates, expectation)
    case .schema(let template): judgeSchema(template, expectation)
    case .time(let predicates): report(predicates, .time, of: JSONNumber(response.time).map { .number($0) }, "time", expectation)
    case .items(let format, let predicates): judgeItems(of: format, predicates, expectation)
    case .timeToFirstItem(let format, let predicates): judgeTimeToFirstItem(of: format, predicates, expectation)
    case .item(let member, let predicates): judgeItem(member, predicates, expectation)
    case .size(let predicates): report(predicates, .size, of: JSONValue(response.size), "size", expectation)
    case .sha256(let template): try judgeDigest(template, expectation)
    case .redirects(let predicates):
      let ofList = predicates.filter(\.speaksOfLists)
      report(predicates.filter { !$0.speaksOfLists }, .number, of: JSONValue(response.redirectCount), "redirects", expectation)
      if !ofList.isEmpty { report(ofList, .json, of: .array(response.redirects), "redirects", expectation) }
    case .url(let predicates): report(predicates, .text, of: .string(response.url), "url", expectation)
    case .version(let predicates): report(predicates, .text, of: .string(response.version), "version", expectation)
    case .snapshot(let template): try judgeSnapshot(template, expectation)
    case .tls(let fact, let predicates): judgeTLS(fact, predicates, expectation)
    case .method(let predicates): report(predicates, .text, of: .string(response.method), "method", expectation)
    case .query(let name, let predicates): judgeQuery(name, predicates, expectation)
    case .named(let name, let check): try judge(check, of: name, expectation)
    case .error: break
    case .that(let setting): try judgeCondition(setting, expectation)
    }
  }

  /// Checks a header, cookie or query parameter whose name is computed by an expression.
  private mutating func judge(_ check: Expectation.Check, of name: Template, _ expectation: Expectation) throws(EvaluationError) {
    let text = try name.evaluateText(in: context).text
    if case .query = check { return try judge(expectation.named(text)) }
    guard HTTPToken.isToken(text) else {
      var isHeader = false
      if case .header = check { isHeader = true }
      failures.append(
        CheckFailure(
          .value, subject: check.subject, message: "\(Shown.value(.string(text))) is not a valid \(isHeader ? "header" : "cookie") name",
          at: expectation.keyRange))
      return
    }
    try judge(expectation.named(text))
  }

  private mutating func judgeStatus(_ patterns: [Setting<StatusPattern>], _ expectation: Expectation) throws(EvaluationError) {
    if keepsFound { foundValue = JSONValue(response.status) }
    if let first = patterns.first?.constant, first.matches(response.status) { return }
    var wanted: [String] = []
    for setting in patterns {
      let pattern = try setting.resolve(in: context)
      if pattern.matches(response.status) { return }
      wanted.append(StatusWords.text(pattern))
    }
    statusIsWrong = true
    let words = StatusWords.alternatives(wanted)
    var failure = CheckFailure(
      .expectation, subject: "status", message: "is \(response.status), expected \(words)", at: expectation.range)
    failure.expected = words
    failure.actual = "\(response.status)"
    failure.excerpt = Excerpt.beginning(of: response)
    failure.help = missingTicket
    failures.append(failure)
  }

  private mutating func judgeType(_ patterns: [Setting<MediaTypePattern>], _ expectation: Expectation) throws(EvaluationError) {
    let type = response.headers(named: "content-type").last
    if keepsFound { foundValue = type.map { .string($0) } }
    let found = type.flatMap { MediaTypePattern($0) }
    var wanted: [String] = []
    for setting in patterns {
      let pattern = try setting.resolve(in: context)
      if let found, pattern.matches(found) { return }
      // A pattern such as `*/*` in the step's `Accept` allows any type, and also a missing type.
      if type == nil, pattern.type == "*" { return }
      wanted.append(AcceptedTypes.text(pattern))
    }
    let words = StatusWords.alternatives(wanted)
    var failure = CheckFailure(
      .expectation, subject: "type", message: "\(self.found(type)), expected \(words)", at: expectation.range)
    failure.expected = words
    failure.actual = type
    if !statusIsWrong { failure.excerpt = Excerpt.beginning(of: response) }
    if type == nil { failure.help = "the \(response.noun) has no `Content-Type`" }
    failures.append(failure)
  }

  private mutating func judgeHeader(_ name: String, _ predicates: [Predicate], _ expectation: Expectation) {
    let found = response.headers(named: name)
    let value: JSONValue? = found.count > 1 ? .array(found.map { .string($0) }) : found.first.map { .string($0) }
    report(predicates, .text, of: value, "headers.\(name)", expectation) { response in
      guard value == nil else { return nil }
      return Shown.cut(response.allHeaders.map { "\($0.name): \($0.value)" }.joined(separator: "\n"), Excerpt.bytes)
    } help: { response in
      guard found.isEmpty, let near = Suggestion.nearest(to: name, in: response.allHeaders.map(\.name)) else { return nil }
      return "the \(response.noun) has `\(near)`"
    }
  }

  private mutating func judgeCookie(_ name: String, _ predicates: [Predicate], _ expectation: Expectation) {
    let value = response.cookie(named: name).map { JSONValue.string($0) }
    let isRequest = step.action.isListening
    report(predicates, .text, of: value, "cookies.\(name)", expectation, missing: isRequest ? nil : "was not set") { _ in
      nil
    } help: {
      value == nil ? Self.cookieAdvice($0, isRequest: isRequest) : nil
    }
  }

  /// Checks an attribute of a cookie. It is a failure if the response does not set the cookie.
  private mutating func judgeCookie(_ name: String, _ fact: CookieFact, _ predicates: [Predicate], _ expectation: Expectation) {
    let subject = "cookies.\(name).\(fact.rawValue)"
    guard let cookie = response.setCookie(named: name) else {
      var failure = CheckFailure(
        .expectation, subject: subject, message: "is unknown: the cookie was not set", at: expectation.keyRange)
      failure.help = Self.cookieAdvice(response, isRequest: false)
      failures.append(failure)
      return
    }
    let target: Target = fact == .secure || fact == .httpOnly ? .json : .text
    report(predicates, target, of: fact.value(of: cookie), subject, expectation) { _ in
      nil
    } help: { response in
      // The value of the cookie is not shown, since it may be a secret.
      let field = response.headers(named: "set-cookie").last { SetCookie($0)?.name == name } ?? ""
      let attributes = field.split(separator: ";").dropFirst().joined(separator: ";").trimmed
      return attributes.isEmpty
        ? "the server sent the cookie without attributes" : "the server sent the attributes `\(Shown.cut(attributes, 120))`"
    }
  }

  /// Returns advice that lists the cookies of the response or request.
  private static func cookieAdvice(_ response: Response, isRequest: Bool) -> String {
    let names = response.allCookies.map(\.name)
    let verb = isRequest ? "has" : "set"
    // A response contains only the cookies that it sets; earlier cookies are in the cookie jar.
    let earlier =
      response.redirectCount > 0 ? "; to check a cookie that a redirect sets, write `redirect: false`" : ""
    if names.isEmpty { return "the \(response.noun) \(verb) no cookies\(earlier)" }
    return "the \(response.noun) \(verb) \(Shown.list(names))\(earlier)"
  }

  // MARK: First bytes

  private mutating func judgeFirstBytes(_ settings: [Setting<BytesText>], _ expectation: Expectation) throws(EvaluationError) {
    var wanted: [String] = []
    for setting in settings { wanted.append(try setting.resolve(in: context).hex) }
    let count = (wanted.map(\.utf8.count).max() ?? 2) / 2
    guard let found = firstBytes(count, expectation) else { return }
    guard !wanted.contains(where: { found.hasPrefix($0) }) else { return }
    let words = StatusWords.alternatives(wanted)
    var failure = CheckFailure(
      .expectation, subject: "first_bytes",
      message: "\(found.isEmpty ? "are missing: the body is empty" : "are \(found)"), expected \(words) (in hexadecimal)",
      at: expectation.range)
    failure.expected = words
    failure.actual = found
    if !statusIsWrong { failure.excerpt = Excerpt.beginning(of: response) }
    failures.append(failure)
  }

  private mutating func judgeFirstBytes(_ predicates: [Predicate], _ expectation: Expectation) {
    guard let found = firstBytes(BytesText.most, expectation) else { return }
    report(predicates, .text, of: .string(found), "first_bytes", expectation)
  }

  /// Returns the first bytes of the body in hexadecimal. If they can't be read, reports a failure and returns nil.
  private mutating func firstBytes(_ count: Int, _ expectation: Expectation) -> String? {
    do throws(ResponseDataError) {
      return Hex.encode(try response.firstBytes(min(count, response.size)))
    } catch {
      failures.append(CheckFailure(error, subject: "first_bytes", at: expectation.range))
      return nil
    }
  }

  private mutating func judgeQuery(_ name: String, _ predicates: [Predicate], _ expectation: Expectation) {
    let query = response.query
    let found = query.filter { $0.name == name }.map(\.value)
    let value: JSONValue? = found.count > 1 ? .array(found.map { .string($0) }) : found.first.map { .string($0) }
    report(predicates, .text, of: value, "query.\(name)", expectation) { _ in
      nil
    } help: { _ in
      guard value == nil else { return nil }
      return query.isEmpty ? "the request has no query" : "the query has \(Shown.list(query.map(\.name)))"
    }
  }

  private mutating func judgeBody(_ predicates: [Predicate], _ expectation: Expectation) {
    do throws(ResponseDataError) {
      let text = try response.text()
      report(predicates, .text, of: .string(text), "body", expectation) { $0.size > Shown.line ? Excerpt.cut(text) : nil }
    } catch {
      failures.append(CheckFailure(error, subject: "body", at: expectation.range))
    }
  }

  private mutating func judgeDigest(_ template: DigestTemplate, _ expectation: Expectation) throws(EvaluationError) {
    let wanted: String
    var source = ""
    switch template {
    case .hex(let setting): wanted = try setting.resolve(in: context).hex
    case .file(let file):
      switch try DigestFile.digest(of: file, in: context) {
      case .success(let digest):
        wanted = digest.hex
        source = ", the digest of \(digest.path)"
      case .failure(let mistake):
        failures.append(CheckFailure(.file, subject: "sha256", message: mistake.message, at: file.path.range))
        return
      }
    }
    do throws(ResponseDataError) {
      let found = try response.sha256()
      guard found != wanted else { return }
      var failure = CheckFailure(
        .expectation, subject: "sha256", message: "is \(found.prefix(12))…, expected \(wanted.prefix(12))…\(source)", at: expectation.range)
      failure.expected = wanted
      failure.actual = found
      failure.help = "the body has \(Shown.count(response.size, "byte"))"
      failures.append(failure)
    } catch {
      failures.append(CheckFailure(error, subject: "sha256", at: expectation.range))
    }
  }

  private mutating func judgeCondition(_ setting: Setting<Bool>, _ expectation: Expectation) throws(EvaluationError) {
    guard try !setting.resolve(in: context) else { return }
    let text = ConditionText.of(setting)
    var failure = CheckFailure(.expectation, subject: "that", message: "`\(Shown.cut(text, 120))` is false", at: expectation.range)
    failure.expected = "true"
    failure.actual = ConditionText.values(of: setting, in: context) ?? "false"
    failures.append(failure)
  }

  // MARK: Reporting

  mutating func reportNoJSON(
    _ error: ResponseDataError, _ subject: String, _ expectation: Expectation, _ format: BodyValues.Format = .json
  ) {
    var failure = CheckFailure(error, subject: subject, at: expectation.keyRange)
    failure.help = response.noJSON(error, format).help
    if !statusIsWrong { failure.excerpt = Excerpt.beginning(of: response) }
    failures.append(failure)
  }

  mutating func report(
    _ predicates: [Predicate], _ target: Target, of value: JSONValue?, _ subject: String, _ expectation: Expectation,
    missing: String? = nil,
    excerpt: (Response) -> String? = { _ in nil }, help: (Response) -> String? = { _ in nil }
  ) {
    if keepsFound { foundValue = value.map(target.readable) }
    let found = PredicateJudge(context: context, target: target).mismatches(predicates, of: value)
    guard !found.isEmpty else { return }
    let excerpt = excerpt(response)
    let advice = help(response)
    for mismatch in found {
      var failure = failure(mismatch, subject, expectation, excerpt: excerpt)
      if value == nil, let missing, mismatch.message == Mismatch.missing { failure.message = missing }
      failure.help = failure.help ?? advice
      failures.append(failure)
    }
  }

  func failure(_ mismatch: Mismatch, _ subject: String, _ expectation: Expectation, excerpt: String?) -> CheckFailure {
    var failure = CheckFailure(
      mismatch.concernsFile ? .file : mismatch.isValueError ? .value : .expectation, subject: subject, message: mismatch.message,
      at: mismatch.range ?? expectation.range)
    failure.expected = mismatch.expected
    failure.actual = mismatch.actual
    failure.difference = mismatch.difference
    failure.help = mismatch.help
    failure.excerpt = excerpt
    return failure
  }

  private mutating func report(_ error: EvaluationError) { failures.append(CheckFailure(error)) }
}

extension Predicate {
  /// Whether the predicate applies to lists but not to numbers. Such a predicate checks the list of redirects; every other predicate checks
  /// the number of redirects.
  fileprivate var speaksOfLists: Bool {
    switch kind {
    case .eq(let value), .ne(let value):
      switch value {
      case .list, .constant(.array, _): true
      default: false
      }
    case .length, .each, .any, .none, .contains, .empty, .subset: true
    case .type(let names): names.contains(.array)
    case .not(let inner): inner.contains(where: \.speaksOfLists)
    default: false
    }
  }
}
