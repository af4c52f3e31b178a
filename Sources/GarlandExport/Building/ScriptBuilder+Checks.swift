import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// Converts the expectations and extractions of a step to nodes of the script.
extension ScriptBuilder {
  mutating func checks(of step: Step, _ request: RequestTemplate, _ scope: Scope) -> [ScriptNode] {
    var calls: [ScriptNode] = []
    var hasStatus = false
    var hasType = false
    for expectation in step.expectations {
      switch expectation.check {
      case .status, .statusPredicates: hasStatus = true
      case .type, .typePredicates: hasType = true
      default: break
      }
      if let call = check(expectation.check, expectation, scope) { calls.append(call) }
    }
    if !hasStatus { calls.insert(.call("status", [.list([.list([.number(200), .number(299)])])]), at: 0) }
    if !hasType, let accept = accepted(request) { calls.append(.call("accept", [accept])) }
    if case .graphql(_, _, _, false)? = request.body?.kind {
      calls.append(.call("graphql", []))
    }
    return calls
  }

  /// Returns the media types that the step's own `Accept` header allows; nil if the step sets no such header. If the value of the header is
  /// not constant, reports an error and returns nil.
  private mutating func accepted(_ request: RequestTemplate) -> ScriptNode? {
    let own = request.headers.filter { $0.name.value.lowercased() == "accept" && !$0.isDefault }
    guard let header = own.first else { return nil }
    guard header.values.count == 1, let text = header.values[0].constantText else {
      refuse("an `Accept` with an expression", at: header.name.range, help: "add `type: \"*/*\"` to `expect`")
      return nil
    }
    let types = text.split(separator: ",").map { String($0.prefix { $0 != ";" }.filter { $0 != " " }).lowercased() }
    return .list(types.map { .text($0.contains("/") ? $0 : "*/*") })
  }

  private mutating func check(_ check: Expectation.Check, _ expectation: Expectation, _ scope: Scope) -> ScriptNode? {
    func own(_ member: String) -> ScriptNode { .call("own", [.text(member)]) }
    func expect(_ subject: String, _ value: ScriptNode, _ predicates: ScriptNode, _ target: String? = nil) -> ScriptNode {
      .call("expect", [.text(subject), .later(value), predicates] + (target.map { [.text($0)] } ?? []))
    }
    switch check {
    case .status(let patterns):
      let ranges = patterns.compactMap { pattern in pattern.constant.map { $0.codes } }
      guard ranges.count == patterns.count else { break }
      return .call("status", [.list(ranges.map { .list([.number($0.lowerBound), .number($0.upperBound)]) })])
    case .type(let patterns):
      let types = patterns.compactMap(\.constant)
      guard types.count == patterns.count, types.allSatisfy(\.parameters.isEmpty) else { break }
      return .call("media", [.list(types.map { .text("\($0.type)/\($0.subtype)") })])
    case .statusPredicates(let predicates): return expect("status", own("status"), self.predicates(predicates, .plain, scope))
    case .typePredicates(let predicates):
      let value = ScriptNode.call("header", [.literal(.null), .text("Content-Type")])
      return expect("type", value, self.predicates(predicates, .plain, scope), "text")
    case .header(let name, let predicates):
      return expect("header \(name)", .call("header", [.literal(.null), .text(name)]), self.predicates(predicates, .plain, scope), "text")
    case .cookie(let name, let predicates):
      return expect("cookie \(name)", .call("cookie", [.literal(.null), .text(name)]), self.predicates(predicates, .plain, scope), "text")
    case .json(let path, let predicates):
      let value = ScriptNode.call("select", [own("json"), self.path(path, at: expectation.keyRange)])
      let target = path.singularElements == nil ? "list" : nil
      return expect("json \(path.text)", value, self.predicates(predicates, .plain, scope), target)
    case .body(let predicates): return expect("body", own("text"), self.predicates(predicates, .plain, scope), "text")
    case .time(let predicates): return expect("time", own("time"), self.predicates(predicates, .seconds, scope))
    case .size(let predicates): return expect("size", own("size"), self.predicates(predicates, .bytes, scope))
    case .url(let predicates): return expect("url", own("url"), self.predicates(predicates, .plain, scope), "text")
    case .that(let condition): return .call("that", [.later(self.condition(condition, scope)), .text(condition.range.text)])
    case .sha256(.hex(let setting)) where target == .locust:
      guard let digest = setting.constant else { break }
      return .call("digest", [.text(digest.hex)])
    case .sha256(.file(let file)) where target == .locust:
      guard let path = file.resolved else { break }
      return .call("digest", [.members([("file", self.path(of: path, isText: false))])])
    case .cookieFact, .xpath, .plist, .firstBytes, .firstBytesPredicates, .schema, .items, .timeToFirstItem, .item, .sha256, .redirects,
      .version, .tls, .snapshot, .method, .query, .named, .error:
      break
    }
    refuse("the expectation `\(expectation.keyRange.text)`", at: expectation.keyRange)
    return nil
  }

  // MARK: Predicates

  /// The kind of the numbers in a predicate: plain numbers, durations in seconds, or sizes in bytes.
  enum Amounts {
    case plain, seconds, bytes
  }

  private mutating func predicates(_ predicates: [Predicate], _ amounts: Amounts, _ scope: Scope) -> ScriptNode {
    .list(
      predicates.compactMap { predicate in
        argument(of: predicate, amounts, scope).map { .list([.text(predicate.name), .later($0)]) }
      })
  }

  /// Converts the inner predicates of a predicate such as `each` to a list. Each element is a pair: the name of an inner predicate, and its
  /// argument. In the script, one closure contains the whole list, so the arguments need no closures of their own.
  private mutating func inner(_ predicates: [Predicate], _ amounts: Amounts, _ scope: Scope) -> ScriptNode {
    .list(predicates.compactMap { predicate in argument(of: predicate, amounts, scope).map { .list([.text(predicate.name), $0]) } })
  }

  private mutating func argument(of predicate: Predicate, _ amounts: Amounts, _ scope: Scope) -> ScriptNode? {
    switch predicate.kind {
    case .eq(let value), .ne(let value), .gt(let value), .gte(let value), .lt(let value), .lte(let value):
      return amount(value, amounts, scope)
    case .in(let value), .contains(let value), .startsWith(let value), .endsWith(let value), .subset(let value):
      return node(value, scope)
    case .matches(let template): return pattern(template)
    case .type(let types): return .list(types.map { .text($0.rawValue) })
    case .empty(let flag), .exists(let flag): return condition(flag, scope)
    case .length(let inner): return self.inner(inner, .plain, scope)
    case .each(let inner), .any(let inner), .none(let inner), .not(let inner): return self.inner(inner, amounts, scope)
    case .schema, .json, .date:
      refuse("the predicate `\(predicate.name)`", at: predicate.keyRange)
      return nil
    }
  }

  /// Returns the script node for the expected value of a check. In a check of a duration or a size, a text such as `30s` becomes a number.
  private mutating func amount(_ value: ValueTemplate, _ amounts: Amounts, _ scope: Scope) -> ScriptNode {
    guard case .constant(.string(let text), _) = value else { return node(value, scope) }
    switch amounts {
    case .plain: break
    case .seconds: if let duration = Duration(workflowText: text) { return Self.seconds(duration) }
    case .bytes: if let size = ByteSize(text) { return .number(size.bytes) }
    }
    return .text(text)
  }

  // MARK: Extractions

  mutating func extraction(_ extraction: Extraction, _ scope: Scope) -> ScriptNode {
    var options: [(String, ScriptNode)] = []
    if let value = extraction.defaultValue { options.append(("default", .later(node(value, scope)))) }
    if extraction.isOptional { options.append(("optional", .flag(true))) }
    if let form = form(of: extraction) { options.append(("form", .text(form))) }
    if extraction.isSecret { options.append(("secret", .flag(true))) }
    if let refinement = extraction.refinement {
      var value = ScriptNode.parameter("subject")
      if let pattern = refinement.pattern { value = .call("defined", [.call("match", [value, self.pattern(pattern)])]) }
      if let filters = refinement.filters {
        if refinement.pattern != nil { refuse("`matches` with `then`", at: extraction.range) }
        value = node(filters, scope)
      }
      options.append(("then", .closure(["subject"], value)))
    }
    return .call("extract", [.text(extraction.name.value), .later(value(of: extraction, scope)), .members(options)])
  }

  /// Returns the name of the operation that the script applies to the extracted value: `list` refuses an empty list, `first` returns the
  /// first item of a list, and `wrap` returns a list with the value as its only item. Returns nil if the script uses the value unchanged.
  private mutating func form(of extraction: Extraction) -> String? {
    switch (extraction.source, extraction.choice) {
    case (.expression, _): return nil
    case (.json(let path), .first) where path.singularElements == nil: return "first"
    case (.json(let path), _) where path.singularElements == nil: return "list"
    case (.regex, .all), (.urlPattern, .all):
      refuse("`all` of a pattern", at: extraction.range)
      return nil
    case (_, .all): return "wrap"
    case (_, .found), (_, .first): return nil
    }
  }

  private mutating func value(of extraction: Extraction, _ scope: Scope) -> ScriptNode {
    switch extraction.source {
    case .json(let path): return .call("select", [.call("own", [.text("json")]), self.path(path, at: extraction.range)])
    case .header(let name):
      guard let name = name.constant else { break }
      return .call("header", [.literal(.null), .text(name)])
    case .cookie(let name):
      guard let name = name.constant else { break }
      return .call("cookie", [.literal(.null), .text(name)])
    case .regex(let template): return .call("match", [.call("own", [.text("text")]), pattern(template)])
    case .url: return .call("own", [.text("url")])
    case .urlPattern(let template): return .call("match", [.call("own", [.text("url")]), pattern(template)])
    case .expression(let template): return node(template, scope)
    case .pointer, .xpath, .cookieFact, .firstBytes, .plist, .query, .output, .item: break
    }
    refuse("the extract `\(extraction.name.value)`", at: extraction.range)
    return .literal(.null)
  }
}
