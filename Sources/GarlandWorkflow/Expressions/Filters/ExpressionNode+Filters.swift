import GarlandCrypto
import GarlandJSON
import GarlandText

extension ExpressionNode {
  /// The maximum number of items that the filter `range` creates.
  static let longestRange = 1_000_000

  func apply(
    _ filter: Filter, _ input: ExpressionNode, _ arguments: [ExpressionNode], _ frame: EvaluationFrame
  ) throws(ExpressionFailure) -> Value {
    let value = try filter.passesOverGaps ? input.evaluate(frame) : input.evaluateWhole(frame)
    try checkTime(64)
    let signature = filter.signature
    guard signature.input.contains(ValueKinds(value.kind)) else { throw Self.wrongInput(filter, value, input) }
    try checkTime(value.letters / 8)
    // A filter holds up to three copies of a text and its result.
    try checkRoom(4 * value.letters)
    var isSecret = value.isTainted
    var given: [JSONValue] = []
    for (argument, parameter) in zip(arguments, signature.parameters) where !parameter.isPerItem && filter != .range {
      let value = try argument.evaluate(frame)
      guard parameter.kinds.contains(ValueKinds(value.kind)) else {
        throw .wrong(
          .wrongType, "expected \(parameter.kinds.words), found \(Words.found(value))", at: argument.range,
          help: parameter.kinds == .text ? Self.textHelp(value.kind) : nil)
      }
      if value.isTainted { isSecret = true }
      given.append(value.json)
    }
    switch try result(of: filter, value, given, arguments, frame, input) {
    case .value(let value): return value
    case .computed(let result):
      if case .string(let text) = result {
        try checkSize(text.utf8.count)
        try checkTime(text.utf8.count / 8)
      }
      return isSecret ? frame.derived(.secret(result), by: range) : .plain(result)
    }
  }

  /// Returns the first or last item of a list, for the filters `first` and `last`. Throws the error for an undefined value if the list is
  /// empty, or if the list has the values of a step's loop and this item of the loop has no value.
  func end(
    of value: Value, _ filter: Filter, _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> Value {
    guard case .sparse(let items) = value else {
      let items = value.elements
      guard let item = filter == .first ? items.first : items.last else {
        throw frame.undefined("\(frame.quoted(input.range)) is empty, so it has no \(filter.rawValue) item", at: range)
      }
      return item
    }
    let found = filter == .first ? items.first : items.last
    guard let item = found ?? nil else {
      let place = filter == .first ? 0 : max(0, items.count - 1)
      throw frame.undefined(
        "\(frame.quoted(input.range)) has no value for item [\(place)], because this item of the loop did not pass or extracted nothing",
        at: range)
    }
    return item
  }

  /// Throws an error if the time limit of the evaluation is exceeded.
  ///
  /// - Parameter work: the amount of work since the last call; one unit takes some nanoseconds. The clock is read only after enough work.
  func checkTime(_ work: Int) throws(ExpressionFailure) {
    if let computation = Computation.current, computation.isOver(after: work) {
      throw .wrong(.outOfTime, "the time limit was reached", at: range)
    }
  }

  /// Throws an error if the given number of bytes does not fit into the memory.
  func checkRoom(_ bytes: Int) throws(ExpressionFailure) {
    guard Computation.hasRoom(for: bytes) else { throw .wrong(.outOfTime, SizeLimit.memoryMessage, at: range) }
  }

  /// Throws an error if a text with the given number of bytes is too large.
  func checkSize(_ bytes: Int) throws(ExpressionFailure) {
    guard bytes > SizeLimit.text else { return }
    throw .wrong(.tooLarge, SizeLimit.textMessage, at: range)
  }

  /// Adds the size of a new part to the size of the value that a filter creates. Throws an error if the value becomes too large, so that a
  /// filter never needs more memory than the limits allow.
  func count(_ part: Value, in size: inout SizeLimit.Count) throws(ExpressionFailure) {
    let left = size.values
    size.add(part)
    if let message = size.excess { throw .wrong(.tooLarge, message, at: range) }
    try checkTime(left - size.values)
  }

  static func wrongInput(_ filter: Filter, _ value: Value, _ input: ExpressionNode) -> ExpressionFailure {
    .wrong(
      .wrongType, "`\(filter.rawValue)` takes \(filter.signature.input.words), found \(Words.found(value))", at: input.range,
      help: inputHelp(filter, ValueKinds(value.kind)))
  }

  static func inputHelp(_ filter: Filter, _ kinds: ValueKinds) -> String? {
    guard filter.signature.input.contains(.text) else { return nil }
    if !kinds.isDisjoint(with: [.list, .mapping]) { return "convert the value to JSON first: `| json | \(filter.rawValue)`" }
    return kinds.isDisjoint(with: [.number, .boolean]) ? nil : "convert the value to text first: `| string | \(filter.rawValue)`"
  }

  /// Returns a text after checking that it is not too large to be encoded.
  func sized(_ text: String) throws(ExpressionFailure) -> String {
    try checkSize(text.utf8.count)
    return text
  }

  func number(_ value: JSONValue, _ frame: EvaluationFrame, _ input: ExpressionNode) throws(ExpressionFailure) -> JSONNumber {
    if case .number(let number) = value { return number }
    guard case .string(let text) = value, let number = JSONNumber(text) else {
      throw .wrong(.wrongType, "\(Words.found(frame.isSecret(input) ? .secret(value) : .plain(value))) is not a number", at: input.range)
    }
    return number
  }

  func replacing(_ texts: [String], in text: String, _ arguments: [ExpressionNode]) throws(ExpressionFailure) -> String {
    guard texts.count == 2, !texts[0].isEmpty else {
      throw .wrong(.wrongType, "empty text can't be replaced", at: arguments.first?.range ?? range)
    }
    return try replacing(texts[0], with: texts[1], in: text)
  }

  func authenticationCode(of text: String, key: String) throws(ExpressionFailure) -> String {
    do {
      return try HMAC.authenticate(text.utf8, key: key.utf8, using: .sha256).hex
    } catch {
      throw .wrong(.cryptography, "HMAC-SHA-256 is not available: \(error)", at: range)
    }
  }

  func digest(of text: String, _ algorithm: DigestAlgorithm) throws(ExpressionFailure) -> String {
    do {
      return try Digest(of: text.utf8, using: algorithm).hex
    } catch {
      throw .wrong(.cryptography, "\(algorithm.rawValue) is not available: \(error)", at: range)
    }
  }

  static func plainText(_ value: JSONValue, at range: Range<Int>) throws(ExpressionFailure) -> String {
    switch value {
    case .string(let text): return text
    case .number(let number): return number.text
    case .bool(let value): return value ? "true" : "false"
    case .null, .array, .object:
      throw .wrong(.notText, "\(Words.kind(value.kind)) is not text", at: range, help: "convert the value to JSON with `| json`")
    }
  }

  static func trim(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  func integers(
    _ value: JSONValue, _ arguments: [ExpressionNode], _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> JSONValue {
    func whole(_ value: JSONValue, _ node: ExpressionNode) throws(ExpressionFailure) -> Int {
      guard let number = value.intValue else {
        throw .wrong(.wrongType, "expected a whole number, found \(Words.found(value))", at: node.range)
      }
      return number
    }
    var start = 0
    var end = try whole(value, input)
    if let argument = arguments.first {
      start = end
      end = try whole(argument.evaluate(frame).json, argument)
    }
    guard start <= end else { return .array([]) }
    let (count, overflow) = end.subtractingReportingOverflow(start)
    guard !overflow, count <= Self.longestRange else {
      throw .wrong(.wrongType, "`range` makes at most \(Self.longestRange) numbers", at: range)
    }
    return .array((start..<end).map { JSONValue($0) })
  }

  // MARK: Lists

  func join(_ items: [Value], separator: String, _ input: ExpressionNode) throws(ExpressionFailure) -> String {
    var text = ""
    for (position, item) in items.enumerated() {
      if position > 0 { text += separator }
      try checkSize(text.utf8.count)
      try checkTime(4)
      try checkRoom(2 * text.utf8.count)
      switch item.json {
      case .string(let part): text += part
      case .number(let number): text += number.text
      case .bool(let value): text += value ? "true" : "false"
      default:
        throw .wrong(
          .notText, "item \(position) is \(Words.kind(item.kind)), which `join` can't convert to text", at: input.range,
          help: "convert each item to JSON first: `| map(item | json) | join(',')`")
      }
    }
    return text
  }

  func applyPerItem(
    _ filter: Filter, _ items: [Value], _ arguments: [ExpressionNode], _ frame: EvaluationFrame, _ input: ExpressionNode
  ) throws(ExpressionFailure) -> Value {
    var keys: [Value] = []
    keys.reserveCapacity(items.count)
    if let argument = arguments.first {
      var size = SizeLimit.Count()
      for (position, item) in items.enumerated() {
        let inner = frame.with(item: item, index: position)
        try checkTime(32)
        if filter == .filter {
          keys.append(.plain(.bool(try argument.condition(inner))))
        } else {
          let key = try argument.evaluate(inner)
          try count(key, in: &size)
          keys.append(key)
        }
      }
    } else {
      keys = items
    }
    switch filter {
    case .map: return .list(of: keys)
    case .filter: return .list(of: zip(items, keys).filter { $0.1.json.boolValue == true }.map(\.0))
    case .unique:
      var seen: Set<JSONValue> = []
      var kept: [Value] = []
      for (item, key) in zip(items, keys) {
        try checkTime(32)
        if seen.insert(key.json).inserted { kept.append(item) }
      }
      return .list(of: kept)
    default: return .list(of: try sorted(items, by: keys, at: arguments.first?.range ?? input.range))
    }
  }

  private func sorted(_ items: [Value], by keys: [Value], at place: Range<Int>) throws(ExpressionFailure) -> [Value] {
    guard let first = keys.first else { return [] }
    for key in keys where key.kind != first.kind || (key.kind != .number && key.kind != .string) {
      throw .wrong(
        .wrongType, "`sort` needs only numbers or only texts, found \(Words.found(first)) and \(Words.found(key))", at: place,
        help: key.kind == .object ? "give a key to order by: `| sort(item.name)`" : nil)
    }
    let computation = Computation.current
    // With the position as the last key, equal items keep their order.
    let order = keys.indices.sorted { left, right in
      if let computation, computation.isOver(after: 8) { return left < right }
      return switch (keys[left].json, keys[right].json) {
      case (.number(let a), .number(let b)): a == b ? left < right : a < b
      case (.string(let a), .string(let b)): a == b ? left < right : a.utf8.lexicographicallyPrecedes(b.utf8)
      default: left < right
      }
    }
    try checkTime(items.count)
    return order.map { items[$0] }
  }
}

extension EvaluationFrame {
  /// Returns whether the value of a filter's input contains a secret. Call this function only to create an error, since the function
  /// evaluates the input again.
  func isSecret(_ input: ExpressionNode) -> Bool {
    guard let value = try? input.evaluate(self) else { return false }
    return value.isTainted
  }
}

extension Value {
  /// The length of a text in UTF-8 bytes; 0 for other values.
  fileprivate var letters: Int {
    switch self {
    case .plain(.string(let text)), .secret(.string(let text)): text.utf8.count
    default: 0
    }
  }

  /// Whether the value as a whole is secret, not only some of its items or members. If a whole mapping is secret, the names of its members
  /// are secret, too.
  var isSecret: Bool { if case .secret = self { true } else { false } }

  /// The members of a mapping; empty for other values. The value of each member is marked as secret or not secret.
  var members: [(key: String, value: Value)] {
    switch self {
    case .plain(.object(let object)): object.map { ($0.key, .plain($0.value)) }
    case .secret(.object(let object)): object.map { ($0.key, .secret($0.value)) }
    case .object(let members): members
    default: []
    }
  }

  /// The length of a value: the number of Unicode scalars of a text, of items of a list, or of members of a mapping.
  var length: Int {
    switch self {
    case .list(let items): items.count
    case .object(let members): members.count
    case .sparse(let items): items.count
    case .plain(let value), .secret(let value):
      switch value {
      case .string(let text): text.unicodeScalars.count
      case .array(let items): items.count
      case .object(let object): object.count
      default: 0
      }
    }
  }
}

extension Filter {
  /// Whether the filter accepts the results of a loop in which some items have no value. True for a filter that reads or counts the items
  /// one by one.
  fileprivate var passesOverGaps: Bool {
    switch self {
    case .map, .filter, .first, .last, .length, .raw: true
    default: false
    }
  }
}
