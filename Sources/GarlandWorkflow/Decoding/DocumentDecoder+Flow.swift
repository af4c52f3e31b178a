import GarlandDiagnostics
import GarlandJSON
import GarlandText
import GarlandYAML

/// Decodes the settings that control when and how often a step sends requests: delays, retries, pagination, resources.
extension DocumentDecoder {
  // MARK: Waiting and trying again

  /// Decodes `delay`, `retry`, `poll` and `paginate` of a step, and merges each with the same setting of `defaults:`.
  func decodeRepetition(_ reader: MappingReader<StepKey>, _ scope: ExpressionScope, over defaults: Repetition) -> Repetition {
    guard reader.has(oneOf: StepKey.repetitions) else { return defaults }
    var changed = false
    func own<Value>(_ key: StepKey, _ inherited: Value?, _ decode: (YAMLNode) -> Value?) -> Value? {
      guard let entry = reader[key] else { return inherited }
      changed = true
      return entry.value.isNull ? nil : decode(entry.value)
    }
    let delay = own(.delay, defaults.delay) { setting($0, scope, as: Duration.self) }
    let retry = own(.retry, defaults.retry) { node in
      decodeRetry(node, scope).map { own in defaults.retry.map { own.merged(over: $0) } ?? own }
    }
    let poll = own(.poll, defaults.poll) { decodePoll($0, scope.withResponse) }
    let pagination = own(.paginate, defaults.pagination) { decodePagination($0, scope.withResponse) }
    return changed ? Repetition(delay: delay, retry: retry, poll: poll, pagination: pagination) : defaults
  }

  /// Reports `retry` in a step whose method is not idempotent, unless `methods` lists the method.
  func checkRetry(_ retry: RetrySettings?, _ request: RequestTemplate, _ reader: MappingReader<StepKey>) {
    guard let entry = reader[.retry], !entry.value.isNull, let retry, retry.methods == nil, retry.limit?.constant != 0,
      request.methodTemplate == nil,
      !["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method.value)
    else { return }
    let method = request.method.value
    diagnostics.report(
      Diagnostic(
        .idleRetry, severity: .warning, "`retry` does not repeat a \(method), because the server might process the request twice",
        at: entry.key.range
      )
      .help("to repeat the request anyway, name the method: `retry: { limit: 3, methods: [\(method)] }`"))
  }

  private func decodeRetry(_ node: YAMLNode, _ scope: ExpressionScope) -> RetrySettings? {
    var retry = RetrySettings(at: node.range)
    if case .scalar(let scalar) = node.content {
      if case .bool(let isOn) = scalar.value {
        if !isOn { retry.limit = Setting(.constant(0), at: node.range) }
        return retry
      }
      retry.limit = setting(node, scope, as: Int.self)
      checkNotNegative(retry.limit)
      return retry
    }
    guard let reader = reader(node, RetryKey.table, "a number, or settings such as `{ limit: 3, delay: 1s }`") else { return nil }
    retry.limit = reader.value(.limit).flatMap { setting($0, scope) }
    retry.delay = reader.value(.delay).flatMap { setting($0, scope) }
    retry.factor = reader.value(.factor).flatMap { setting($0, scope) }
    retry.jitter = reader.value(.jitter).flatMap { setting($0, scope) }
    retry.maxDelay = reader.value(.maxDelay).flatMap { setting($0, scope) }
    retry.statuses = reader.value(.statuses).map { node in
      if case .sequence(let items) = node.content { return items.compactMap { setting($0, scope, as: StatusPattern.self) } }
      return setting(node, scope, as: StatusPattern.self).map { [$0] } ?? []
    }
    retry.methods = reader.value(.methods).map { node in
      let nodes = if case .sequence(let items) = node.content { items } else { [node] }
      return nodes.flatMap { node -> [String] in
        guard let method = plainText(node, "a method") else { return [] }
        guard HTTPToken.isToken(method) else {
          report(
            .badMethod, "`\(Words.excerpt(method))` is not a valid HTTP method", at: node.range,
            help: "a method is one word; write several as a list, such as `[POST, PATCH]`")
          return []
        }
        // `post` is a key of a step and also the name of a method.
        let isKey = StepKey.methods.keys.contains { $0.rawValue == method }
        return isKey ? [method, method.uppercased()] : [method]
      }
    }
    retry.conditions = reader[.on].flatMap { $0.value.isNull ? nil : decodeConditions($0.value) }
    if let conditions = retry.conditions, !conditions.contains(.status), let entry = reader[.statuses] {
      report(
        .conflict, "`statuses` has no effect: `on` does not name `status`", at: entry.key.range, help: "add `status` to `on`")
    }
    checkNotNegative(retry.limit)
    checkNotNegative(retry.jitter)
    if let factor = retry.factor?.constant, factor < 1, let value = reader[.factor]?.value {
      report(.wrongType, "expected a number of at least 1, found \(found(value))", at: value.range)
    }
    return retry
  }

  /// Decodes `on:` of `retry`: the kinds of failures after which a request is retried.
  private func decodeConditions(_ node: YAMLNode) -> Set<RetrySettings.Condition>? {
    let nodes = if case .sequence(let items) = node.content { items } else { [node] }
    if let status = nodes.first(where: { $0.scalar.map { Self.isStatus($0.text) } ?? false }) {
      let number = status.scalar?.text ?? ""
      report(
        .wrongType, "expected `transport`, `status` or `expect`, found \(found(status))", at: status.range,
        help: "to retry after this status, write `statuses: [\(number)]`")
      return nil
    }
    guard nodes.isEmpty else { return Set(nodes.compactMap { word($0, of: RetrySettings.Condition.self) }) }
    report(.wrongType, "`on` is an empty list", at: node.range, help: "to switch retries off, write `retry: false`")
    return nil
  }

  /// Whether a word is the number of a status or a class of statuses, such as `503` or `5xx`.
  private static func isStatus(_ word: String) -> Bool { Int(word) != nil || (try? StatusPattern.read(.string(word))) != nil }

  private func checkNotNegative<Wrapped: Comparable & Numeric>(_ setting: Setting<Wrapped>?) {
    guard let setting, let value = setting.constant, value < .zero else { return }
    report(.wrongType, "expected a number of at least 0, found \(value)", at: setting.range)
  }

  private func decodePoll(_ node: YAMLNode, _ scope: ExpressionScope) -> PollSettings? {
    guard let reader = reader(node, PollKey.table, "a condition to wait for, such as `{ until: '${response.json.done}' }`") else {
      return nil
    }
    guard let until = reader.value(.until) else {
      if !reader.hasKey(near: .until) {
        report(
          .missingKey, "`poll` has no condition", at: startOf(node),
          help: "add `until: \"${response.json.state == 'done'}\"`")
      }
      return nil
    }
    guard let goal = decodeGoal(until, scope) else { return nil }
    var poll = PollSettings(until: goal, at: until.range, in: node.range)
    poll.every = reader.value(.every).flatMap { setting($0, scope) }
    poll.within = reader.value(.within).flatMap { setting($0, scope) }
    poll.fail = reader.value(.fail).flatMap { setting($0, scope) }
    return poll
  }

  private func decodeGoal(_ node: YAMLNode, _ scope: ExpressionScope) -> PollSettings.Goal? {
    if node.mapping != nil { return .expectations(decodeAwaited(node, scope)) }
    guard let condition = setting(node, scope, as: Bool.self) else { return nil }
    if condition.constant != nil {
      report(
        .neverHolds, "the value of `until` never changes, because it does not use the response", at: node.range,
        help: "use a value of the response, such as `${response.json.state == 'done'}`")
    }
    return .condition(condition)
  }

  private func decodePagination(_ node: YAMLNode, _ scope: ExpressionScope) -> Pagination? {
    guard let reader = reader(node, PaginateKey.table, "the next page, such as `{ next: '${response.json.next}' }`") else {
      return nil
    }
    let usesLink = reader.value(.link).flatMap { plainBool($0) } ?? false
    let source: Pagination.Next
    if let next = reader.value(.next) {
      if usesLink, let link = reader[.link] {
        report(.conflict, "the next page can have only one source, found `link` and `next`", at: link.key.range)
      }
      guard let decoded = decodeNext(next, scope) else { return nil }
      source = decoded
    } else if usesLink {
      source = .link
    } else {
      if !reader.hasKey(near: .next), !reader.hasKey(near: .link) {
        report(
          .missingKey, "`paginate` does not say where the next page comes from", at: startOf(node),
          help: "add `next: '${response.json.next}'`, or `link: true` for the `Link` header")
      }
      return nil
    }
    var pagination = Pagination(next: source, at: node.range)
    pagination.condition = reader.value(.while).flatMap { setting($0, scope) }
    pagination.limit = reader.value(.limit).flatMap { setting($0, scope) }
    if let limit = pagination.limit?.constant, limit < 1, let value = reader[.limit]?.value {
      report(.wrongType, "expected a number of at least 1, found \(limit)", at: value.range)
    }
    return pagination
  }

  /// Decodes `next` of a pagination. The value is an expression for the URL of the next page, or a mapping of changes that turn the current
  /// request into the request for the next page. Returns nil if the value has a mistake.
  private func decodeNext(_ node: YAMLNode, _ scope: ExpressionScope) -> Pagination.Next? {
    func isSamePage() {
      report(
        .neverHolds, "`next` is always the same page", at: node.range, help: "use a value of the response, such as `${response.json.next}`")
    }
    guard node.mapping != nil else {
      guard let template = template(node, scope, "the URL of the next page") else { return nil }
      if template.constant != nil { isSamePage() }
      return .expression(template)
    }
    guard let reader = reader(node, NextKey.table, "changes of the next request") else { return nil }
    var page = PageTemplate()
    page.url = reader.value(.url).flatMap { template($0, scope, "the URL of the next page") }
    page.query = reader.value(.query).flatMap { decodeNamed($0, .query, scope, isDefault: false, "query") }
    page.headers = reader.value(.headers).map { decodeHeaders($0, scope, isDefault: false, allowsNull: true) } ?? []
    page.form = reader.value(.form).flatMap { decodeNamed($0, .form, scope, isDefault: false, "form") }
    page.json = reader.value(.json).flatMap { decodeMembers($0, scope) }
    for (key, entry) in reader.entries where entry.value.isNull {
      report(.wrongType, "`\(key.rawValue)` has no value", at: entry.key.range)
    }
    if !page.hasExpression, !reader.hasRefusedKeys, !diagnostics.hasErrors { isSamePage() }
    return .request(page)
  }

  /// Decodes the members that the request for the next page sets in its JSON body: a mapping, or an expression whose value is a mapping.
  private func decodeMembers(_ node: YAMLNode, _ scope: ExpressionScope) -> ValueTemplate? {
    let value = value(node, scope)
    switch value {
    case .object, .constant(.object, _): return value
    case .scalar(let template):
      if case .expression(let expression) = template.content, expression.kinds.contains(.mapping) { return value }
    case .list, .constant: break
    }
    if value.constant?.isNull != true || node.isNull {
      report(.wrongType, "expected members of the JSON body, found \(found(node))", at: node.range, help: "write `{ cursor: … }`")
    }
    return nil
  }

  /// Reports a pagination that changes the JSON body of a request without a JSON body, or the form of a request without a form. A
  /// pagination from `defaults:` is checked only when a page has been received.
  func checkPagination(_ pagination: Pagination?, _ request: RequestTemplate, _ reader: MappingReader<StepKey>) {
    guard reader.has(.paginate), case .request(let page)? = pagination?.next, request.params == nil else { return }
    switch (page.json, request.body?.kind) {
    case (nil, _), (_, .json), (_, .graphql): break
    case (let json?, _):
      report(
        .conflict, "`next.json` changes the JSON body of the request, but the request has none", at: json.range,
        help: "parameters of the URL belong in `query`, and a form in `form`")
    }
    switch (page.form, request.body?.kind) {
    case (nil, _), (_, .form): break
    case (let form?, _): report(.conflict, "`next.form` changes the form that the request sends, but the request has none", at: form.range)
    }
  }

  // MARK: Resources

  /// Decodes `resources:` of the document. Each entry contains the number of steps that may use the resource at the same time.
  func decodeResources(_ node: YAMLNode) -> [ResourceDeclaration] {
    guard let mapping = mapping(node, "a mapping of resource names to numbers, such as `{ db: 1 }`") else { return [] }
    var result: [ResourceDeclaration] = []
    for entry in mapping.entries {
      checkName(entry.name, entry.key.range, reserved: [], what: "resource")
      guard case .scalar(let scalar) = entry.value.content, case .number(let text) = scalar.value, let count = Int(text), count > 0 else {
        report(
          .wrongType, "the resource `\(Words.excerpt(entry.name))` must allow at least 1 step at once, found \(found(entry.value))",
          at: entry.value.range, help: "write `\(Words.excerpt(entry.name)): 1`")
        continue
      }
      names.resources[entry.name] = result.count
      result.append(ResourceDeclaration(name: Located(entry.name, at: entry.key.range), count: count))
    }
    return result
  }

  /// Decodes `uses:` of a step or of the defaults. The result is in the order in which the document declares the resources. All steps
  /// acquire resources in this order, which prevents deadlocks.
  func decodeUses(_ node: YAMLNode) -> [ResourceUse] {
    let nodes = if case .sequence(let items) = node.content { items } else { [node] }
    var uses: [ResourceUse] = []
    for node in nodes {
      guard let name = plainText(node, "the name of a resource") else { continue }
      guard let index = names.resources[name] else {
        let known = names.resources.keys.sorted()
        let near = Suggestion.nearest(to: name, in: known)
        report(
          .undefinedResource, "there is no resource `\(Words.excerpt(name))`", at: node.range,
          help: near.map { "did you mean `\($0)`?" }
            ?? "declare the resource at the top of the document: `resources: { \(ReservedNames.isName(name) ? name : "NAME"): 1 }`",
          replacement: near)
        continue
      }
      if !uses.contains(where: { $0.resource == index }) { uses.append(ResourceUse(resource: index, range: node.range)) }
    }
    return uses.sorted { $0.resource < $1.resource }
  }
}
