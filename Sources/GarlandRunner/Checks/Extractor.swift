import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandText
import GarlandWorkflow

/// Extracts the values that a step's `extract` selects in a response.
struct Extractor<Response: ResponseView> {
  let response: Response
  let context: any EvaluationContext
  var values: BodyValues

  init(response: Response, context: any EvaluationContext, values: BodyValues) {
    self.response = response
    self.context = context
    self.values = values
  }

  /// The reason why an extraction found no value.
  private struct Absence: Error {
    var message: String
    var help: String?
    var excerpt: String?
    /// Whether the extract's source could not be read at all, for example because the body is not JSON. The extract's default is then not
    /// used.
    var isError = false
    /// Whether the extraction failed for a reason on this machine, such as an unreadable file, a missing library or too little memory. The
    /// API is then not at fault.
    var concernsFile = false
    var range: SourceRange?
  }

  /// Extracts a value. If no value is found, returns nil as the value, and the failure unless the extraction is optional.
  mutating func extract(_ extraction: Extraction) -> (value: Value?, failure: CheckFailure?) {
    switch find(extraction).flatMap({ refine($0, extraction) }).flatMap({ checkSize($0, extraction) }) {
    case .success(let found):
      return (extraction.isSecret ? .secret(found.json) : found, nil)
    case .failure(let absence):
      if !absence.isError, let template = extraction.defaultValue {
        do throws(EvaluationError) {
          let value = try template.evaluate(in: context)
          try SizeLimit.check(value, at: extraction.range)
          return (extraction.isSecret ? .secret(value.json) : value, nil)
        } catch {
          return (nil, CheckFailure(error))
        }
      }
      if extraction.isOptional, !absence.isError { return (nil, nil) }
      var failure = CheckFailure(
        absence.concernsFile ? .file : .extraction, subject: extraction.subject, message: absence.message,
        at: absence.range ?? extraction.range)
      failure.help = absence.help
      failure.excerpt = absence.excerpt
      return (nil, failure)
    }
  }

  private mutating func find(_ extraction: Extraction) -> Result<Value, Absence> {
    switch extraction.source {
    // A call has no response from which a value could be extracted.
    case .output: return .failure(Absence(message: "a call gives it"))
    case .item: return .failure(Absence(message: "an item gives it"))
    case .json(let path): return json(path, extraction)
    case .plist(let path): return json(path, extraction, in: .propertyList)
    case .firstBytes(let count):
      do throws(ResponseDataError) {
        let bytes = try response.firstBytes(min(count, response.size))
        if bytes.isEmpty { return .failure(Absence(message: "the body is empty")) }
        return .success(list(.string(Hex.encode(bytes)), extraction))
      } catch {
        return .failure(Absence(message: error.message, isError: true, concernsFile: error.isLocal))
      }
    case .pointer(let pointer): return self.pointer(pointer, extraction)
    case .xpath(let path): return xpath(path, extraction)
    case .regex(let pattern):
      do throws(ResponseDataError) {
        return self.pattern(pattern, in: try response.text(), "the body", extraction)
      } catch {
        return .failure(Absence(message: error.message, isError: true, concernsFile: error.isLocal))
      }
    case .header(let setting): return named(setting) { header($0, extraction) }
    case .cookie(let setting):
      return named(setting) { name in
        guard let value = response.cookie(named: name) else { return .failure(noCookie(name)) }
        return .success(list(.string(value), extraction))
      }
    case .cookieFact(let setting, let fact): return named(setting) { self.fact(fact, ofCookie: $0, extraction) }
    case .query(let setting): return named(setting) { query($0, extraction) }
    case .url: return .success(list(.string(response.url), extraction))
    case .urlPattern(let pattern): return self.pattern(pattern, in: response.url, "the URL", extraction)
    case .expression(let template):
      do throws(EvaluationError) {
        return .success(try template.evaluate(in: context))
      } catch {
        return .failure(absence(error))
      }
    }
  }

  /// Returns the value, or an error if the value is too large to be kept in memory. Even in a small body, an extract can select very many
  /// values.
  private func checkSize(_ found: Value, _ extraction: Extraction) -> Result<Value, Absence> {
    do throws(EvaluationError) {
      try SizeLimit.check(found, at: extraction.range)
      return .success(found)
    } catch {
      return .failure(absence(error))
    }
  }

  private func header(_ name: String, _ extraction: Extraction) -> Result<Value, Absence> {
    let found = response.headers(named: name)
    guard let first = found.first else {
      let near = Suggestion.nearest(to: name, in: response.allHeaders.map(\.name))
      return .failure(
        Absence(message: "the \(response.noun) has no header `\(name)`", help: near.map { "the \(response.noun) has `\($0)`" }))
    }
    return .success(texts(found, first, extraction))
  }

  private func fact(_ fact: CookieFact, ofCookie name: String, _ extraction: Extraction) -> Result<Value, Absence> {
    guard let cookie = response.setCookie(named: name) else { return .failure(noCookie(name)) }
    guard let value = fact.value(of: cookie) else {
      return .failure(Absence(message: "the cookie `\(name)` of the response has no `\(fact.rawValue)`"))
    }
    return .success(list(value, extraction))
  }

  private func query(_ name: String, _ extraction: Extraction) -> Result<Value, Absence> {
    let query = response.query
    let found = query.filter { $0.name == name }.map(\.value)
    guard let first = found.first else {
      return .failure(
        Absence(
          message: "the request's query has no `\(name)`",
          help: query.isEmpty ? "the request has no query" : "the query has \(Shown.list(query.map(\.name)))"))
    }
    return .success(texts(found, first, extraction))
  }

  private var isRequest: Bool { response.noun == "request" }

  private func noCookie(_ name: String) -> Absence {
    let names = response.allCookies.map(\.name)
    let verb = isRequest ? "has" : "set"
    return Absence(
      message: "the \(response.noun) \(verb) no cookie `\(name)`",
      help: names.isEmpty ? "the \(response.noun) \(verb) no cookies" : "it \(verb) \(Shown.list(names))")
  }

  private func list(_ value: JSONValue, _ extraction: Extraction) -> Value { .plain(extraction.choice == .all ? .array([value]) : value) }

  /// Converts the texts that an extract has found, such as the values of a header field, to one value. With `all: true`, the value is a
  /// list. With `first: true`, it is the first text. With neither key, several texts become a list, and a single text is the value itself.
  private func texts(_ found: [String], _ first: String, _ extraction: Extraction) -> Value {
    let isList = extraction.choice == .all || (extraction.choice == .found && found.count > 1)
    return .plain(isList ? .array(found.map { .string($0) }) : .string(first))
  }

  private func absence(_ error: EvaluationError) -> Absence {
    Absence(
      message: error.diagnostic.message, help: error.diagnostic.helps.first?.message, isError: !error.isUndefined,
      concernsFile: error.diagnostic.code == .file, range: error.diagnostic.range)
  }

  private func named(_ setting: Setting<String>, _ find: (String) -> Result<Value, Absence>) -> Result<Value, Absence> {
    do throws(EvaluationError) {
      return find(try setting.resolve(in: context))
    } catch {
      return .failure(absence(error))
    }
  }

  // MARK: JSON

  private mutating func json(
    _ path: JSONPath, _ extraction: Extraction, in format: BodyValues.Format = .json
  ) -> Result<Value, Absence> {
    do throws(ResponseDataError) {
      if let elements = path.singularElements {
        if let value = try values.value(at: elements, in: format) { return .success(list(value, extraction)) }
      } else {
        let root = try values.root(of: format)
        do throws(JSONPathEvaluationError) {
          let found = try path.values(in: root)
          if let first = found.first { return .success(.plain(extraction.choice == .first ? first : .array(found))) }
        } catch {
          return .failure(Absence(message: "`\(path.text)` can't be evaluated: \(error)", isError: true))
        }
      }
      let explanation = PathExplanation(path, in: try values.root(of: format))
      return .failure(Absence(message: "`\(path.text)` \(explanation.message)", help: explanation.help, excerpt: explanation.excerpt))
    } catch {
      return .failure(noJSON(error, format))
    }
  }

  private func noJSON(_ error: ResponseDataError, _ format: BodyValues.Format = .json) -> Absence {
    let (message, help) = response.noJSON(error, format)
    return Absence(message: message, help: help, excerpt: Excerpt.beginning(of: response), isError: true, concernsFile: error.isLocal)
  }

  private mutating func pointer(_ pointer: JSONPointer, _ extraction: Extraction) -> Result<Value, Absence> {
    let root: JSONValue
    do throws(ResponseDataError) {
      root = try values.root()
    } catch {
      return .failure(noJSON(error))
    }
    do throws(JSONPointerResolutionError) {
      return .success(list(try pointer.value(in: root), extraction))
    } catch {
      let around = try? error.resolved.value(in: root)
      var absence = Absence(message: "`\(pointer)` is missing: \(error)", excerpt: around.map(Excerpt.of))
      if case .noMember(let name) = error.reason, let near = around?.objectValue.flatMap({ Suggestion.nearest(to: name, in: $0.keys) }) {
        absence.help = "there is `\(error.resolved.appending(near))`"
      }
      return .failure(absence)
    }
  }

  // MARK: Markup

  private func xpath(_ path: XPath, _ extraction: Extraction) -> Result<Value, Absence> {
    do throws(ResponseDataError) {
      let markup = try response.markup()
      switch try markup.select(path) {
      case .texts(let texts):
        if let first = texts.first {
          guard texts.count == 1 || extraction.choice != .found else { return .failure(tooMany(texts, path)) }
          return .success(self.texts(texts, first, extraction))
        }
        return .failure(
          Absence(
            message: "`\(path.text)` selects nothing", help: markup.advice(for: path), excerpt: Excerpt.beginning(of: response)))
      case .value(let value?): return .success(list(value, extraction))
      case .value(nil):
        return .failure(Absence(message: "the result of `\(path.text)` is not a number", excerpt: Excerpt.beginning(of: response)))
      }
    } catch {
      return .failure(
        Absence(message: error.message, excerpt: Excerpt.beginning(of: response), isError: true, concernsFile: error.isLocal))
    }
  }

  /// Returns the failure of an extract whose XPath selects several nodes. Such an XPath also fails in `expect`.
  private func tooMany(_ texts: [String], _ path: XPath) -> Absence {
    Absence(
      message: "`\(path.text)` selects \(texts.count) nodes, expected only one",
      help: "to take the first node, write `first: true`; to take all nodes, write `all: true`",
      excerpt: Excerpt.of(.array(texts.map { .string($0) })), isError: true)
  }

  // MARK: Text

  private func expression(_ template: PatternTemplate) -> Result<RegularExpression, Absence> {
    do throws(EvaluationError) {
      return try Patterns.expression(template, in: context).mapError {
        Absence(message: $0.message, isError: true, range: template.range)
      }
    } catch {
      return .failure(absence(error))
    }
  }

  private func pattern(_ template: PatternTemplate, in text: String, _ what: String, _ extraction: Extraction) -> Result<Value, Absence> {
    expression(template).flatMap { search($0, template, in: text, what, extraction) }
  }

  private func search(
    _ expression: RegularExpression, _ template: PatternTemplate, in text: String, _ what: String, _ extraction: Extraction
  ) -> Result<Value, Absence> {
    do throws(RegularExpressionMatchingError) {
      let group = expression.wantedGroup
      let isAll = extraction.choice == .all
      var found: [String] = []
      var size = SizeLimit.Count()
      try expression.forEachMatch(in: text) { match in
        // A group that does not take part in a match has no value.
        guard let part = match[group] else { return isAll }
        found.append(part)
        return size.add(JSONValue.string(part)) && isAll
      }
      if let message = size.excess { return .failure(Absence(message: message, isError: true)) }
      if let first = found.first { return .success(texts(found, first, extraction)) }
      return .failure(
        Absence(message: "\(what) does not match `\(Shown.cut(expression.pattern, 80))`", excerpt: text.isEmpty ? nil : Excerpt.cut(text)))
    } catch {
      return .failure(Absence(message: "\(what) can't be searched: \(error)", isError: true, range: template.range))
    }
  }

  // MARK: Parts

  /// Applies the extract's options `matches` and `then` to the value that was found.
  private func refine(_ found: Value, _ extraction: Extraction) -> Result<Value, Absence> {
    guard let refinement = extraction.refinement else { return .success(found) }
    var result = Result<Value, Absence>.success(found)
    if let pattern = refinement.pattern {
      result = expression(pattern).flatMap { part($0, pattern, of: found.json, extraction) }.map { .plain($0) }
    }
    guard let filters = refinement.filters else { return result }
    return result.flatMap { value in
      // If the extract is declared as a secret, the input of its filters is a secret, too, and therefore their results are secrets.
      let given = extraction.isSecret ? Value.secret(value.json) : value
      given.forEachSecret { context.secretRegistry.register(secret: $0) }
      do throws(EvaluationError) {
        return .success(try filters.evaluate(given, in: context))
      } catch {
        return .failure(absence(error))
      }
    }
  }

  /// Returns the part of a text that matches a pattern. For a list, returns the matching part of each item; this fails if an item does not
  /// match.
  private func part(
    _ expression: RegularExpression, _ template: PatternTemplate, of value: JSONValue, _ extraction: Extraction
  ) -> Result<JSONValue, Absence> {
    let text: String
    switch value {
    case .array(let items):
      var parts: [JSONValue] = []
      for item in items {
        switch part(expression, template, of: item, extraction) {
        case .success(let part): parts.append(part)
        case .failure(let absence): return .failure(absence)
        }
      }
      return .success(.array(parts))
    case .string(let string): text = string
    case .number(let number): text = number.text
    case .bool(let flag): text = flag ? "true" : "false"
    case .null, .object:
      return .failure(
        Absence(message: "the value found is \(Shown.found(value)), but `matches` needs text", isError: true, range: template.range))
    }
    do throws(RegularExpressionMatchingError) {
      if let match = try expression.firstMatch(in: text), let part = match[expression.wantedGroup] { return .success(.string(part)) }
    } catch {
      return .failure(Absence(message: "the value found can't be searched: \(error)", isError: true, range: template.range))
    }
    let shown = extraction.isSecret ? "the value found" : Shown.value(.string(text))
    return .failure(
      Absence(message: "\(shown) does not match `\(Shown.cut(expression.pattern, 80))`", range: template.range))
  }
}

extension Extraction {
  /// The subject of the extract's failures, such as `extract.id`.
  var subject: String { "extract.\(name.value)" }
}
