import GarlandJSON

extension ExpressionNode {
  func evaluate(_ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    switch kind {
    case .constant(let value): return .plain(value)
    case .variable(let index):
      do {
        return try frame.context.variable(index)
      } catch {
        throw .outer(error)
      }
    case .secret(let index, let name):
      guard let text = frame.context.secret(index) else {
        throw frame.undefined(
          "the secret `\(name)` is not set", at: range, help: "set it in the environment, or with `--secret` or `--secrets-file`")
      }
      return .secret(.string(text))
    case .environment(let index, let name):
      guard let text = frame.context.environmentVariable(index) else {
        throw frame.undefined(
          "the environment variable `\(name)` is not set", at: range, help: "set it, or give another value with `?? 'other'`")
      }
      return .plain(.string(text))
    case .input(let index, let name):
      do {
        if let value = try frame.context.input(index) { return value }
      } catch {
        throw .outer(error)
      }
      throw frame.undefined("the input `\(name)` has no value", at: range, help: "give it with `with:`, or by `--var \(name)=…`")
    case .authentication(let index, let name, let member):
      guard let value = frame.context.authentication(index, member) else {
        let why =
          member == .claims ? "an ID token is validated only with an `issuer` and `openid` in the scope" : "the provider sent none"
        throw frame.undefined("`auth.\(name)` has no `\(member.rawValue)`: \(why)", at: range, help: "give another value with `??`")
      }
      return value
    case .runID: return .plain(.string(frame.context.services.runID))
    case .runIteration: return .plain(JSONValue(frame.context.services.iteration))
    case .item:
      if let local = frame.local { return local.item }
      guard let item = frame.context.item else { throw frame.undefined("there is no `item` outside of a loop", at: range) }
      return item
    case .index:
      if let local = frame.local { return .plain(JSONValue(local.index)) }
      guard let index = frame.context.index else { throw frame.undefined("there is no `index` outside of a loop", at: range) }
      return .plain(JSONValue(index))
    case .extract(let index, let step, let id, let name):
      guard let value = frame.context.extracted(Int(index), of: Int(step)) else {
        throw frame.undefined(
          "`\(id)` has no `\(name)`: \(frame.context.absence(of: Int(step)) ?? "nothing was found to extract")", at: range,
          help: "give another value with `??`")
      }
      return value
    case .response(let source, let member): return try response(source, frame).value(of: member, at: range)
    case .streamItem(let member, let name):
      guard let item = frame.context.streamItem else { throw frame.undefined("there is no `\(name)` yet", at: range) }
      do {
        return .plain(try item.value(of: member))
      } catch {
        throw frame.undefined("`\(name)` has no `\(member.rawValue)`: \(error.message)", at: range)
      }
    case .header(let source, let name):
      let name = try name.text(frame)
      let response = try response(source, frame)
      let values = response.headers(named: name)
      if values.count > 1 { return .plain(.array(values.map { .string($0) })) }
      guard let value = values.first else {
        throw frame.undefined(
          "the \(source.noun) has no header `\(name)`", at: range, help: Self.available(response.allHeaders.map(\.name), near: name))
      }
      return .plain(.string(value))
    case .cookie(let source, let name):
      let name = try name.text(frame)
      let response = try response(source, frame)
      guard let value = response.cookie(named: name) else {
        throw frame.undefined(
          "the response sets no cookie `\(name)`", at: range, help: Self.available(response.allCookies.map(\.name), near: name))
      }
      return .plain(.string(value))
    case .parameter(let source, let name):
      let name = try name.text(frame)
      let query = try response(source, frame).query
      let values = query.filter { $0.name == name }.map(\.value)
      if values.count > 1 { return .plain(.array(values.map { .string($0) })) }
      guard let value = values.first else {
        throw frame.undefined(
          "the request's query has no `\(name)`", at: range, help: Self.available(query.map(\.name), near: name))
      }
      return .plain(.string(value))
    case .address(let step, let id):
      let found: Value?
      do throws(EvaluationError) { found = try frame.context.address(of: step) } catch { throw .outer(error) }
      guard let address = found else {
        let why = frame.context.absence(of: step)
        throw frame.undefined("`\(id)` listens nowhere\(why.map { ": \($0)" } ?? "")", at: range)
      }
      return frame.derived(address, by: range)
    case .eachIteration(let step, let id, let node): return try node.evaluateEach(of: step, id: id, frame)
    case .access(let base, let steps):
      if let item = try item(of: base, steps.first, frame) { return try access(item, steps.dropFirst(), frame) }
      return try access(base.evaluate(frame), steps[...], frame)
    case .subject: return frame.subject ?? .plain(.null)
    case .list(let items):
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for item in items { values.append(try item.evaluateWhole(frame)) }
      return .list(of: values)
    case .not(let operand): return .plain(.bool(try !operand.condition(frame)))
    case .negate(let operand):
      let value = try operand.evaluate(frame)
      let number = try operand.number(value)
      return Value(.number(number.negated), isSecret: value.isTainted)
    case .and(let left, let right):
      guard try left.condition(frame) else { return .plain(false) }
      return .plain(.bool(try right.condition(frame)))
    case .or(let left, let right):
      if try left.condition(frame) { return .plain(true) }
      return .plain(.bool(try right.condition(frame)))
    case .coalesce(let left, let right):
      do {
        let value = try left.evaluate(frame.guarded)
        if value.kind != .null { return value }
      } catch {
        guard error.isUndefined else { throw error }
      }
      return try right.evaluate(frame)
    case .equality(let operation, let left, let right):
      let equal = try isEqual(left, left.evaluateWhole(frame), right, right.evaluateWhole(frame))
      return .plain(.bool(operation == .equal ? equal : !equal))
    case .comparison(let operation, let left, let right):
      return .plain(.bool(try compare(operation, left, left.evaluate(frame), right, right.evaluate(frame))))
    case .arithmetic(let operation, let left, let right):
      let (leftValue, rightValue) = (try left.evaluate(frame), try right.evaluate(frame))
      let result = try calculate(operation, left.number(leftValue), right.number(rightValue))
      let isSecret = leftValue.isTainted || rightValue.isTainted
      return isSecret ? frame.derived(.secret(.number(result)), by: range) : .plain(.number(result))
    case .filter(let filter, let input, let arguments): return try apply(filter, input, arguments, frame)
    case .function(let function, let arguments): return try call(function, arguments, frame)
    }
  }

  private func response(_ source: Source, _ frame: EvaluationFrame) throws(ExpressionFailure) -> any ResponseData {
    switch source {
    case .own:
      guard let response = frame.context.currentResponse else { throw frame.undefined("there is no response yet", at: range) }
      return response
    case .step(let ordinal, let id):
      guard let response = frame.context.response(of: ordinal) else {
        throw frame.undefined(
          "`\(id)` has no response: \(frame.context.absence(of: ordinal) ?? "it did not get one")", at: range,
          help: "give another value with `??`")
      }
      return response
    case .item(let name):
      guard let item = frame.context.streamItem as? any ResponseData else { throw frame.undefined("there is no `\(name)` yet", at: range) }
      return item
    }
  }

  /// Evaluates the expression for each item of a loop. An item without a value leaves a gap in the list.
  private func evaluateEach(of step: Int, id: String, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    guard let count = frame.context.iterationCount(of: step) else {
      throw frame.undefined(
        "`\(id)` has no items: \(frame.context.absence(of: step) ?? "it did not begin")", at: range, help: "give another value with `??`")
    }
    var values: [Value?] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      var one = EvaluationFrame(context: frame.context.iteration(index, of: step), expression: frame.expression)
      one.isGuarded = true
      do {
        values.append(try evaluate(one))
      } catch {
        guard error.isUndefined else { throw error }
        values.append(nil)
      }
    }
    return .loop(of: values)
  }

  /// Returns the value of one item of a loop, if an expression uses only that item: in another
  /// loop, `${create.id[index]}` would otherwise build the list of all items once for each. Nil if
  /// the expression has another form.
  private func item(of base: ExpressionNode, _ access: Access?, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value? {
    guard case .eachIteration(let step, _, let node) = base.kind, let access, let count = frame.context.iterationCount(of: step) else {
      return nil
    }
    let index: Int
    switch access.key {
    case .index(let place): index = place
    case .dynamic(let key):
      guard case .number(let number) = try key.evaluate(frame).json, let place = number.intValue else { return nil }
      index = place
    case .name: return nil
    }
    let position = index < 0 ? count + index : index
    guard 0..<count ~= position else { return nil }
    var one = EvaluationFrame(context: frame.context.iteration(position, of: step), expression: frame.expression)
    one.isGuarded = true
    do {
      return try node.evaluate(one)
    } catch {
      guard error.isUndefined else { throw error }
      throw frame.undefined(
        "`\(frame.text(range.lowerBound..<access.baseEnd))` has no value for item \(index), because this item did not pass",
        at: access.range)
    }
  }

  /// Returns a list of names for help, such as "it has `a` and `b`", with the name most similar to `name` first.
  static func available(_ names: [String], near name: String) -> String? {
    Words.available(names, near: name)
  }

  // MARK: Looking into values

  private func access(_ base: Value, _ steps: ArraySlice<Access>, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    var value = base
    for step in steps {
      switch step.key {
      case .name(let name): value = try member(name, of: value, step, frame)
      case .index(let index): value = try element(index, of: value, step, frame)
      case .dynamic(let node):
        let key = try node.evaluate(frame).json
        switch key {
        case .string(let name): value = try member(name, of: value, step, frame)
        case .number(let number):
          guard let index = number.intValue else {
            throw .wrong(.wrongType, "an index must be a whole number, found \(Words.found(key))", at: node.range)
          }
          value = try element(index, of: value, step, frame)
        default:
          throw .wrong(.wrongType, "expected an index or a name, found \(Words.found(key))", at: node.range)
        }
      }
    }
    return value
  }

  private func member(_ name: String, of value: Value, _ step: Access, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    switch value {
    case .plain(.object(let object)): if let found = object[name] { return .plain(found) }
    case .secret(.object(let object)): if let found = object[name] { return .secret(found) }
    case .object(let members): if let found = members.last(where: { $0.key == name }) { return found.value }
    default: break
    }
    let base = frame.text(range.lowerBound..<step.baseEnd)
    guard value.kind == .object else {
      var help: String?
      if name == "length" || name == "size" || name == "count" { help = "the number of its items is `\(base) | length`" }
      if value.kind == .array, help == nil {
        help = "for one item, write `\(base)[0].\(name)`; for all items, write `\(base) | map(item.\(name))`"
      }
      throw frame.undefined("`\(base)` is \(Words.kind(value.kind)) and has no `\(name)`", at: step.range, help: help)
    }
    throw frame.undefined(
      "`\(base)` has no `\(name)`", at: step.range, help: Words.available(value.json.objectValue?.keys ?? [], near: name))
  }

  private func element(_ index: Int, of value: Value, _ step: Access, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    var count = 0
    switch value {
    case .plain(.array(let items)):
      if let found = Self.at(index, items) { return .plain(found) }
      count = items.count
    case .secret(.array(let items)):
      if let found = Self.at(index, items) { return .secret(found) }
      count = items.count
    case .list(let items):
      if let found = Self.at(index, items) { return found }
      count = items.count
    case .sparse(let items):
      if let place = Self.at(index, items) {
        if let found = place { return found }
        let base = frame.text(range.lowerBound..<step.baseEnd)
        throw frame.undefined("`\(base)` has no value for item \(index), because this item did not pass", at: step.range)
      }
      count = items.count
    default:
      let base = frame.text(range.lowerBound..<step.baseEnd)
      throw frame.undefined("`\(base)` is \(Words.kind(value.kind)), not a list, and has no item \(index)", at: step.range)
    }
    let base = frame.text(range.lowerBound..<step.baseEnd)
    throw frame.undefined(
      "`\(base)` has no item \(index): \(count == 0 ? "it is empty" : count == 1 ? "it has one item" : "it has \(count) items")",
      at: step.range)
  }

  private static func at<Item>(_ index: Int, _ items: [Item]) -> Item? {
    let position = index < 0 ? items.count + index : index
    return items.indices.contains(position) ? items[position] : nil
  }

  // MARK: Types

  func condition(_ frame: EvaluationFrame) throws(ExpressionFailure) -> Bool {
    let value = try evaluate(frame)
    guard case .bool(let condition) = value.json else {
      var help: String?
      if case .string(let text) = value.json, text == "true" || text == "false" { help = "compare it: `== 'true'`" }
      throw .wrong(.wrongType, "expected true or false, found \(Words.found(value))", at: range, help: help)
    }
    return condition
  }

  func number(_ value: Value) throws(ExpressionFailure) -> JSONNumber {
    guard case .number(let number) = value.json else {
      var help: String?
      if case .string(let text) = value.json {
        help =
          JSONNumber(text) == nil ? "to join texts, write them side by side: `${a}${b}`" : "convert the text to a number with `| number`"
      }
      throw .wrong(.wrongType, "expected a number, found \(Words.found(value))", at: range, help: help)
    }
    return number
  }

  func text(_ frame: EvaluationFrame) throws(ExpressionFailure) -> String {
    if case .constant(.string(let text)) = kind { return text }
    let value = try evaluate(frame)
    guard case .string(let text) = value.json else {
      throw .wrong(.wrongType, "expected text, found \(Words.found(value))", at: range, help: Self.textHelp(value.kind))
    }
    return text
  }

  static func textHelp(_ kind: JSONValue.Kind) -> String? {
    switch kind {
    case .number, .boolean: "convert the value to text with `| string`"
    case .array, .object: "convert the value to JSON with `| json`"
    case .null, .string: nil
    }
  }
}

extension ResponseData {
  /// Returns a member of the response as a value.
  func value(of member: ResponseMember, at range: Range<Int>) throws(ExpressionFailure) -> Value {
    switch member {
    case .status: return .plain(JSONValue(status))
    case .url: return .plain(.string(url))
    case .time: return .plain(JSONNumber(time).map { .number($0) } ?? .null)
    case .size: return .plain(JSONValue(size))
    case .version: return .plain(.string(version))
    case .attempts: return .plain(JSONValue(attempts))
    case .redirects: return .plain(.array(redirects))
    case .json:
      do {
        return .plain(try json())
      } catch {
        throw .wrong(.responseBody, error.message, at: range)
      }
    case .text:
      do {
        return .plain(.string(try text()))
      } catch {
        throw .wrong(.responseBody, error.message, at: range)
      }
    case .headers:
      var fields = JSONObject()
      var seen: Set<String> = []
      for header in allHeaders where seen.insert(header.name.lowercased()).inserted {
        let values = headers(named: header.name)
        fields[header.name] = values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) })
      }
      return .plain(.object(fields))
    case .cookies:
      var cookies = JSONObject()
      for cookie in allCookies { cookies[cookie.name] = .string(cookie.value) }
      return .plain(.object(cookies))
    case .events, .lines, .parts:
      do {
        return .plain(.array(try items()))
      } catch {
        throw .wrong(.responseBody, error.message, at: range)
      }
    case .method: return .plain(.string(method))
    case .query:
      var parameters = JSONObject()
      for (name, value) in query {
        switch parameters[name] {
        case .array(let values)?: parameters[name] = .array(values + [.string(value)])
        case let first?: parameters[name] = .array([first, .string(value)])
        case nil: parameters[name] = .string(value)
        }
      }
      return .plain(.object(parameters))
    }
  }
}
