import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Everything between a step and its transfers: loops, waiting, trying again, pages, resources.
extension DocumentDecoder {
  // MARK: Loops

  /// The loop of a step, and what its own expressions can see of it.
  func decodeLoop(_ reader: MappingReader<StepKey>, _ scope: ExpressionScope) -> (loop: Loop?, scope: ExpressionScope) {
    guard reader.has(oneOf: StepKey.loops) || reader.has(.limit) || reader.has(.label) else {
      // A mistyped loop is told of, and that there is no `item` would be the same mistake again.
      return (
        nil, reader.hasKey(near: .forEach) || reader.hasKey(near: .rows) || reader.hasKey(near: .matrix) ? scope.inLoop(.unknown) : scope
      )
    }
    let entries = reader.entries.filter { StepKey.loops.contains($0.key) && !$0.entry.value.isNull }
    let limit = reader[.limit].flatMap { entry in
      setting(entry.value, scope, as: Int.self).map { setting in
        if let value = setting.constant, value < 1 {
          report(.wrongType, "expected a number from 1, found \(value)", at: entry.value.range)
        }
        return setting
      }
    }
    guard let (key, entry) = entries.first else {
      if let entry = reader[.limit] {
        report(
          .conflict, "`limit` says how many items of a loop are at work at once, and there is no loop", at: entry.key.range,
          help: "a loop is `for_each`, `rows` or `matrix`; how often something is sent again is `retry: { limit: 3 }`")
      }
      if let entry = reader[.label] {
        report(
          .conflict, "`label` is what an item of a loop is called, and there is no loop", at: entry.key.range,
          help: "a loop is `for_each`, `rows` or `matrix`; what a step is for is its `description`")
      }
      return (nil, scope)
    }
    if entries.count > 1 {
      diagnostics.report(
        Diagnostic(.conflict, "a step has one loop: `\(entries[1].entry.name)` beside `\(entry.name)`", at: entries[1].entry.key.range)
          .note("`\(entry.name)` is here", at: entry.key.range).help("a `matrix` combines several lists"))
    }
    let source: Loop.Source
    let inner: ExpressionScope
    switch key {
    case .rows:
      guard let (rows, names) = decodeRows(entry.value, scope) else { return (nil, scope.inLoop(.unknown)) }
      (source, inner) = (rows, scope.inLoop(LoopItems(names: names)))
    case .matrix:
      guard let (axes, names) = decodeMatrix(entry.value, scope) else { return (nil, scope.inLoop(.unknown)) }
      (source, inner) = (axes, scope.inLoop(LoopItems(names: names)))
    default:
      guard let (list, items) = decodeForEach(entry, scope) else { return (nil, scope.inLoop(.unknown)) }
      (source, inner) = (list, scope.inLoop(items))
    }
    let label = reader.value(.label).flatMap { template($0, inner) }
    return (Loop(source: source, key: Located(entry.name, at: entry.key.range), limit: limit, label: label), inner)
  }

  private func decodeForEach(_ entry: YAMLMapping.Entry, _ scope: ExpressionScope) -> (Loop.Source, LoopItems)? {
    let node = entry.value
    let value = value(node, scope)
    switch value {
    case .list, .constant(.array, _): break
    case .scalar(let template):
      if case .expression(let expression) = template.content, !expression.kinds.contains(.list) {
        report(.wrongType, "expected a list, found \(expression.kinds.words)", at: expression.range)
        return nil
      }
      if case .text = template.content {
        report(
          .wrongType, "expected a list, found text", at: node.range,
          help: "one whole `${…}` keeps the type of its value: leave out what stands around it")
        return nil
      }
    case .constant, .object:
      // What was wrong with an expression has been reported, and left null behind.
      if let constant = value.constant, constant.isNull, !node.isNull { return nil }
      refuseLoop(entry)
      return nil
    }
    return (.list(value), LoopItems(of: value, names))
  }

  /// What is no list in place of one: a file of rows, a number of times, lists by names, or one item.
  private func refuseLoop(_ entry: YAMLMapping.Entry) {
    let node = entry.value
    let text = node.scalar?.text ?? ""
    let whole = SourceRange(file, entry.key.range.offsets.lowerBound..<node.range.offsets.upperBound)
    let help: String
    var replacement: String?
    var place = node.range
    if node.mapping != nil {
      help = "lists by names are a `matrix`"
      let isMatrix = node.mapping?.entries.allSatisfy { $0.value.sequence != nil } ?? false
      if isMatrix { (replacement, place) = (YAMLQuoting.key("matrix", inPlaceOf: entry.key.range.text), entry.key.range) }
    } else if RowsFormat(fileName: text) != nil {
      let rows = "rows: \(YAMLQuoting.scalar(text))"
      help = "the rows of a file are `\(Words.excerpt(rows))`"
      if isFile(text) { (replacement, place) = (rows, whole) }
    } else if case .number(let number) = node.scalar.map(TemplateCompiler.constant), let count = number.intValue, count > 0 {
      help = "as often as that is `${\(count) | range}`"
      replacement = "\"${\(count) | range}\""
    } else {
      help = "write `[\(Words.excerpt(text.isEmpty ? "a" : text))]`, or `${…}`"
      if !node.range.offsets.isEmpty { replacement = "[\(node.range.text)]" }
    }
    report(
      .wrongType, "expected a list, found \(found(node))", at: node.range, help: help, replacement: node.isAlias ? nil : replacement,
      fixRange: place)
  }

  private func decodeMatrix(_ node: YAMLNode, _ scope: ExpressionScope) -> (Loop.Source, [String])? {
    guard let mapping = mapping(node, "lists by names, such as `{ size: [s, m], color: [red] }`") else { return nil }
    guard !mapping.isEmpty else {
      report(.missingKey, "the matrix has no names", at: node.range, help: "write `{ size: [s, m] }`")
      return nil
    }
    var axes: [(name: Located<String>, values: ValueTemplate)] = []
    for entry in mapping.entries {
      let value = value(entry.value, scope)
      switch value {
      case .list, .constant(.array, _): break
      case .scalar(let template):
        if case .expression(let expression) = template.content, expression.kinds.contains(.list) { break }
        report(.wrongType, "expected a list of values, found text", at: entry.value.range)
      case .constant, .object:
        if value.constant?.isNull == true, !entry.value.isNull { break }
        report(
          .wrongType, "expected a list of values, found \(found(entry.value))", at: entry.value.range,
          help: entry.value.scalar.map { "write `[\(Words.excerpt($0.text))]`" },
          replacement: entry.value.isAlias || entry.value.range.offsets.isEmpty ? nil : "[\(entry.value.range.text)]")
      }
      axes.append((Located(entry.name, at: entry.key.range), value))
    }
    return (.matrix(axes), axes.map(\.name.value))
  }

  private func decodeRows(_ node: YAMLNode, _ scope: ExpressionScope) -> (Loop.Source, [String]?)? {
    var fileNode = node
    var format: RowsFormat?
    if node.mapping != nil {
      guard let reader = reader(node, RowsKey.table, "a file of rows") else { return nil }
      guard let named = reader.value(.file) else {
        report(.missingKey, "`rows` names no `file`", at: startOf(node))
        return nil
      }
      fileNode = named
      if let given = reader.value(.format) {
        guard let word = word(given, of: RowsFormat.self) else { return nil }
        format = word
      }
    }
    guard let file = fileTemplate(fileNode, scope, canBeDownloaded: true) else { return nil }
    if format == nil, let path = file.path.constantText, RowsFormat(fileName: path) == nil {
      report(
        .wrongType, "the extension of `\(Words.excerpt(path))` does not say how its rows are written", at: fileNode.range,
        help: "`.csv`, `.tsv`, `.jsonl` and `.json` are known; for others write `rows: { file: \(Words.excerpt(path)), format: csv }`")
      return nil
    }
    return (.rows(file, format), checkRows(file, format, fileNode.range))
  }

  /// A file that is there is read, so that what is wrong with it is known before anything is sent; gives the names that its rows have.
  private func checkRows(_ file: FileTemplate, _ format: RowsFormat?, _ range: SourceRange) -> [String]? {
    guard let path = file.resolved, let format = format ?? RowsFormat(fileName: path) else { return nil }
    do throws(RowsError) {
      let rows = try RowsFile.read(path, format, options.files.files)
      if rows.count == 0 {
        diagnostics.report(
          Diagnostic(
            .noRows, severity: .warning, "`\(Words.excerpt(file.path.constantText ?? path))` has no rows, so that nothing is done",
            at: range))
      }
      return rows.names
    } catch {
      report(.badRows, "`\(Words.excerpt(file.path.constantText ?? path))`: \(error.message)", at: range, help: error.help)
      return nil
    }
  }

  // MARK: Waiting and trying again

  /// `delay`, `retry`, `poll` and `paginate`, with those of the defaults.
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

  /// What may do something twice is sent again only where its method is named.
  func checkRetry(_ retry: RetrySettings?, _ request: RequestTemplate, _ reader: MappingReader<StepKey>) {
    guard let entry = reader[.retry], !entry.value.isNull, let retry, retry.methods == nil, retry.limit?.constant != 0, request.isSent,
      request.methodTemplate == nil,
      !["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(request.method.value)
    else { return }
    let method = request.method.value
    diagnostics.report(
      Diagnostic(
        .idleRetry, severity: .warning, "`retry` does not send a \(method) again: it might do twice what it does", at: entry.key.range
      )
      .help("if it may, name the method: `retry: { limit: 3, methods: [\(method)] }`"))
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
      return nodes.compactMap { node in
        guard let method = plainText(node, "a method") else { return nil }
        guard MediaTypePattern.isToken(method) else {
          report(.badMethod, "`\(Words.excerpt(method))` is not a method", at: node.range)
          return nil
        }
        return method.uppercased()
      }
    }
    checkNotNegative(retry.limit)
    checkNotNegative(retry.jitter)
    if let factor = retry.factor?.constant, factor < 1, let value = reader[.factor]?.value {
      report(.wrongType, "expected a number from 1, found \(found(value))", at: value.range)
    }
    return retry
  }

  private func checkNotNegative<Wrapped: Comparable & Numeric>(_ setting: Setting<Wrapped>?) {
    guard let setting, let value = setting.constant, value < .zero else { return }
    report(.wrongType, "expected a number from 0, found \(value)", at: setting.range)
  }

  private func decodePoll(_ node: YAMLNode, _ scope: ExpressionScope) -> PollSettings? {
    guard let reader = reader(node, PollKey.table, "what is waited for, such as `{ until: '${response.json.done}' }`") else { return nil }
    guard let until = reader.value(.until) else {
      if !reader.hasKey(near: .until) {
        report(
          .missingKey, "`poll` does not say what is waited for", at: startOf(node),
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
        .neverHolds, "`until` never changes: it looks at nothing", at: node.range,
        help: "look at the response: `${response.json.state == 'done'}`")
    }
    return .condition(condition)
  }

  private func decodePagination(_ node: YAMLNode, _ scope: ExpressionScope) -> Pagination? {
    guard let reader = reader(node, PaginateKey.table, "where the next page is, such as `{ next: '${response.json.next}' }`") else {
      return nil
    }
    let usesLink = reader.value(.link).flatMap { plainBool($0) } ?? false
    let source: Pagination.Next
    if let next = reader.value(.next) {
      if usesLink, let link = reader[.link] {
        report(.conflict, "the next page comes from one place: `link` beside `next`", at: link.key.range)
      }
      guard let decoded = decodeNext(next, scope) else { return nil }
      source = decoded
    } else if usesLink {
      source = .link
    } else {
      if !reader.hasKey(near: .next), !reader.hasKey(near: .link) {
        report(
          .missingKey, "`paginate` does not say where the next page is", at: startOf(node),
          help: "add `next: '${response.json.next}'`, or `link: true` for the `Link` header")
      }
      return nil
    }
    var pagination = Pagination(next: source, at: node.range)
    pagination.condition = reader.value(.while).flatMap { setting($0, scope) }
    pagination.limit = reader.value(.limit).flatMap { setting($0, scope) }
    if let limit = pagination.limit?.constant, limit < 1, let value = reader[.limit]?.value {
      report(.wrongType, "expected a number from 1, found \(limit)", at: value.range)
    }
    return pagination
  }

  /// Where the next page is, or what its request says otherwise.
  private func decodeNext(_ node: YAMLNode, _ scope: ExpressionScope) -> Pagination.Next? {
    func isSamePage() {
      report(.neverHolds, "`next` is always the same page", at: node.range, help: "look at the response: `${response.json.next}`")
    }
    guard node.mapping != nil else {
      guard let template = template(node, scope, "the URL of the next page") else { return nil }
      if template.constant != nil { isSamePage() }
      return .expression(template)
    }
    guard let reader = reader(node, NextKey.table, "what the next request says otherwise") else { return nil }
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

  /// Members of a JSON object, or an expression that gives some.
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

  /// A body of which the next page's request says a part has to be there. Of the defaults that is looked at when a page has come.
  func checkPagination(_ pagination: Pagination?, _ request: RequestTemplate, _ reader: MappingReader<StepKey>) {
    guard reader.has(.paginate), case .request(let page)? = pagination?.next, request.params == nil, request.submit == nil else { return }
    switch (page.json, request.body?.kind) {
    case (nil, _), (_, .json), (_, .graphql): break
    case (let json?, _):
      report(
        .conflict, "`next.json` changes the JSON body of the request, and there is none", at: json.range,
        help: "what stands in the URL is `query`, and a form `form`")
    }
    switch (page.form, request.body?.kind) {
    case (nil, _), (_, .form): break
    case (let form?, _): report(.conflict, "`next.form` changes the form that the request sends, and there is none", at: form.range)
    }
  }

  // MARK: Resources

  /// `resources:` of the document: how many steps may have each at once.
  func decodeResources(_ node: YAMLNode) -> [ResourceDeclaration] {
    guard let mapping = mapping(node, "numbers by the names of resources, such as `{ db: 1 }`") else { return [] }
    var result: [ResourceDeclaration] = []
    for entry in mapping.entries {
      checkName(entry.name, entry.key.range, reserved: [], what: "resource")
      guard case .scalar(let scalar) = entry.value.content, case .number(let text) = scalar.value, let count = Int(text), count > 0 else {
        report(
          .wrongType, "expected how many steps may have `\(Words.excerpt(entry.name))` at once, found \(found(entry.value))",
          at: entry.value.range, help: "write `\(Words.excerpt(entry.name)): 1`")
        continue
      }
      names.resources[entry.name] = result.count
      result.append(ResourceDeclaration(name: Located(entry.name, at: entry.key.range), count: count))
    }
    return result
  }

  /// `uses:` of a step or of the defaults, in the order of the declarations, so that all steps take them in the same order.
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
          help: near.map { "did you mean `\($0)`?" } ?? "declare it at the top of the document: `resources: { \(Words.excerpt(name)): 1 }`",
          replacement: near)
        continue
      }
      if !uses.contains(where: { $0.resource == index }) { uses.append(ResourceUse(resource: index, range: node.range)) }
    }
    return uses.sorted { $0.resource < $1.resource }
  }
}
