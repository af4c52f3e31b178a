import GarlandJSON

extension ExpressionNode {
  func evaluate(_ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    switch kind {
    case .constant(let value): return .plain(value)
    case .variable(let index): return try variable(index, frame)
    case .secret(let index, let name): return try secret(index, name, frame)
    case .environment(let index, let name): return try environmentVariable(index, name, frame)
    case .input(let index, let name): return try input(index, name, frame)
    case .authentication(let index, let name, let member): return try authentication(index, name, member, frame)
    case .runID: return .plain(.string(frame.context.services.runID.text))
    case .runIteration: return .plain(JSONValue(frame.context.services.iteration))
    case .item:
      if let local = frame.local { return local.item }
      guard let item = frame.context.item else { throw frame.undefined("`item` has a value only in a loop", at: range) }
      return item
    case .index:
      if let local = frame.local { return .plain(JSONValue(local.index)) }
      guard let index = frame.context.index else { throw frame.undefined("`index` has a value only in a loop", at: range) }
      return .plain(JSONValue(index))
    case .extract(let index, let step, let id, let name):
      guard let value = frame.context.extracted(Int(index), of: Int(step)) else {
        throw frame.undefined(
          "the step `\(id)` has no value for the extract `\(name)`: \(frame.context.absence(of: Int(step)) ?? "nothing was found")",
          at: range,
          help: "give another value with `??`")
      }
      return value
    case .response(let source, let member): return try response(source, frame).value(of: member, at: range)
    case .streamItem(let member, let name): return try streamItem(member, name, frame)
    case .header(let source, let name): return try header(name.text(frame), response(source, frame), source.noun, frame)
    case .cookie(let source, let name): return try cookie(name.text(frame), response(source, frame), frame)
    case .parameter(let source, let name): return try parameter(name.text(frame), response(source, frame), frame)
    case .address(let step, let id): return try address(of: step, id, frame)
    case .eachIteration(let step, let id, let node): return try node.evaluateEach(of: step, id: id, frame)
    case .access(let base, let steps):
      if let item = try item(of: base, steps.first, frame) { return try access(item, steps.dropFirst(), frame) }
      return try access(base.evaluate(frame), steps[...], frame)
    case .subject: return frame.subject ?? .plain(.null)
    case .list(let items): return try list(of: items, frame)
    case .not(let operand): return .plain(.bool(try !operand.condition(frame)))
    case .negate(let operand): return try negated(operand, frame)
    case .and(let left, let right):
      guard try left.condition(frame) else { return .plain(false) }
      return .plain(.bool(try right.condition(frame)))
    case .or(let left, let right):
      if try left.condition(frame) { return .plain(true) }
      return .plain(.bool(try right.condition(frame)))
    case .coalesce(let left, let right): return try coalesced(left, right, frame)
    case .equality(let operation, let left, let right):
      let equal = try isEqual(left, left.evaluateWhole(frame), right, right.evaluateWhole(frame))
      return .plain(.bool(operation == .equal ? equal : !equal))
    case .comparison(let operation, let left, let right):
      return .plain(.bool(try compare(operation, left, left.evaluate(frame), right, right.evaluate(frame))))
    case .arithmetic(let operation, let left, let right): return try result(of: operation, left, right, frame)
    case .filter(let filter, let input, let arguments): return try apply(filter, input, arguments, frame)
    case .function(let function, let arguments): return try call(function, arguments, frame)
    }
  }

  private func variable(_ index: Int, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    do {
      return try frame.context.variable(index)
    } catch {
      throw .outer(error)
    }
  }

  private func secret(_ index: Int, _ name: String, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    guard let text = frame.context.secret(index) else {
      throw frame.undefined(
        "the secret `\(name)` is not set", at: range, help: "set it in the environment, or with `--secret` or `--secrets-file`")
    }
    return .secret(.string(text))
  }

  private func environmentVariable(_ index: Int, _ name: String, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    guard let text = frame.context.environmentVariable(index) else {
      throw frame.undefined(
        "the environment variable `\(name)` is not set", at: range, help: "set it, or give another value with `?? 'other'`")
    }
    return .plain(.string(text))
  }

  private func input(_ index: Int, _ name: String, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    do {
      if let value = try frame.context.input(index) { return value }
    } catch {
      throw .outer(error)
    }
    throw frame.undefined("the input `\(name)` has no value", at: range, help: "give it with `with:`, or by `--var \(name)=…`")
  }

  private func authentication(
    _ index: Int, _ name: String, _ member: AuthMember, _ frame: EvaluationFrame
  ) throws(ExpressionFailure) -> Value {
    guard let value = frame.context.authentication(index, member) else {
      let why =
        member == .claims ? "an ID token is validated only with an `issuer` and `openid` in the scope" : "the provider sent none"
      throw frame.undefined("`auth.\(name)` has no `\(member.rawValue)`: \(why)", at: range, help: "give another value with `??`")
    }
    return value
  }

  private func streamItem(_ member: StreamItemMember, _ name: String, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    guard let item = frame.context.streamItem else { throw frame.undefined("`\(name)` has no value yet", at: range) }
    do {
      return .plain(try item.value(of: member))
    } catch {
      throw frame.undefined("`\(name)` has no `\(member.rawValue)`: \(error.message)", at: range)
    }
  }

  private func header(
    _ name: String, _ response: any ResponseData, _ noun: String, _ frame: EvaluationFrame
  ) throws(ExpressionFailure) -> Value {
    let values = response.headers(named: name)
    if values.count > 1 { return .plain(.array(values.map { .string($0) })) }
    guard let value = values.first else {
      throw frame.undefined(
        "the \(noun) has no header `\(name)`", at: range, help: Self.available(response.allHeaders.map(\.name), near: name))
    }
    return .plain(.string(value))
  }

  private func cookie(_ name: String, _ response: any ResponseData, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    guard let value = response.cookie(named: name) else {
      throw frame.undefined(
        "the response sets no cookie `\(name)`", at: range, help: Self.available(response.allCookies.map(\.name), near: name))
    }
    return .plain(.string(value))
  }

  private func parameter(_ name: String, _ response: any ResponseData, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    let query = response.query
    let values = query.filter { $0.name == name }.map(\.value)
    if values.count > 1 { return .plain(.array(values.map { .string($0) })) }
    guard let value = values.first else {
      throw frame.undefined("the request's query has no `\(name)`", at: range, help: Self.available(query.map(\.name), near: name))
    }
    return .plain(.string(value))
  }

  private func address(of step: Int, _ id: String, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    let found: Value?
    do throws(EvaluationError) { found = try frame.context.address(of: step) } catch { throw .outer(error) }
    guard let address = found else {
      let why = frame.context.absence(of: step)
      throw frame.undefined("the step `\(id)` does not listen\(why.map { ": \($0)" } ?? "")", at: range)
    }
    return frame.derived(address, by: range)
  }

  private func list(of items: [ExpressionNode], _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    var values: [Value] = []
    values.reserveCapacity(items.count)
    for item in items { values.append(try item.evaluateWhole(frame)) }
    return .list(of: values)
  }

  private func negated(_ operand: ExpressionNode, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    let value = try operand.evaluate(frame)
    let number = try operand.number(value)
    return Value(.number(number.negated), isSecret: value.isTainted)
  }

  private func coalesced(
    _ left: ExpressionNode, _ right: ExpressionNode, _ frame: EvaluationFrame
  ) throws(ExpressionFailure) -> Value {
    do {
      let value = try left.evaluate(frame.guarded)
      if value.kind != .null { return value }
    } catch {
      guard error.isUndefined else { throw error }
    }
    return try right.evaluate(frame)
  }

  private func result(
    of operation: BinaryOperator, _ left: ExpressionNode, _ right: ExpressionNode, _ frame: EvaluationFrame
  ) throws(ExpressionFailure) -> Value {
    let (leftValue, rightValue) = (try left.evaluate(frame), try right.evaluate(frame))
    let result = try calculate(operation, left.number(leftValue), right.number(rightValue))
    let isSecret = leftValue.isTainted || rightValue.isTainted
    return isSecret ? frame.derived(.secret(.number(result)), by: range) : .plain(.number(result))
  }

  private func response(_ source: Source, _ frame: EvaluationFrame) throws(ExpressionFailure) -> any ResponseData {
    switch source {
    case .own:
      guard let response = frame.context.currentResponse else { throw frame.undefined("no response has arrived yet", at: range) }
      return response
    case .step(let ordinal, let id):
      guard let response = frame.context.response(of: ordinal) else {
        throw frame.undefined(
          "the step `\(id)` has no response: \(frame.context.absence(of: ordinal) ?? "it did not get one")", at: range,
          help: "give another value with `??`")
      }
      return response
    case .item(let name):
      guard let item = frame.context.streamItem as? any ResponseData else { throw frame.undefined("`\(name)` has no value yet", at: range) }
      return item
    }
  }

  /// Evaluates the expression for each item of a step's loop. Returns a list with one value for each item; the value is nil if the
  /// expression has no value for the item (``Value/sparse(_:)``).
  private func evaluateEach(of step: Int, id: String, _ frame: EvaluationFrame) throws(ExpressionFailure) -> Value {
    guard let count = frame.context.iterationCount(of: step) else {
      throw frame.undefined(
        "the step `\(id)` has no items: \(frame.context.absence(of: step) ?? "it did not begin")", at: range,
        help: "give another value with `??`")
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

  /// Returns the value of an expression such as `${create.id[index]}`: the value of one item of the loop of `create`. Returns nil for an
  /// expression of another form.
  ///
  /// This function saves time if the step with the expression has a loop, too. Without this function, each item of that loop would build
  /// the list of all values of `create.id`.
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
        "`\(frame.text(access.base))` has no value for item [\(index)], because this item of the loop did not pass",
        at: access.range)
    }
  }

  /// Returns help for an unknown name: "did you mean …?" with the most similar name in `names`, or else a list of the first names. Returns
  /// nil if there are no names.
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
    let base = frame.text(step.base)
    guard value.kind == .object else {
      var help: String?
      if ["length", "size", "count"].contains(name), value.kind == .array || value.kind == .string {
        help = "use the filter: `\(base) | length`"
      }
      if value.kind == .array, help == nil {
        help = "for the list's first element, write `\(base)[0].\(name)`; for all its elements, write `\(base) | map(item.\(name))`"
      }
      throw frame.undefined("`\(base)` is \(Words.kind(value.kind)), so it has no member `\(name)`", at: step.range, help: help)
    }
    throw frame.undefined(
      "`\(base)` has no member `\(name)`", at: step.range, help: Words.available(value.json.objectValue?.keys ?? [], near: name))
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
        let base = frame.text(step.base)
        throw frame.undefined("`\(base)` has no value for item [\(index)], because this item of the loop did not pass", at: step.range)
      }
      count = items.count
    default:
      let base = frame.text(step.base)
      throw frame.undefined("`\(base)` is \(Words.kind(value.kind)), not a list, so it has no item \(index)", at: step.range)
    }
    let base = frame.text(step.base)
    throw frame.undefined(
      "`\(base)` has no item [\(index)]: \(count == 0 ? "it is empty" : count == 1 ? "it has only item [0]" : "its last item is [\(count - 1)]")",
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
