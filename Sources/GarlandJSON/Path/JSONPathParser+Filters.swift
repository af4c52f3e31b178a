import GarlandText

extension JSONPathParser {
  /// The types of function parameters and results ([RFC 9535
  /// §2.4.1](https://www.rfc-editor.org/rfc/rfc9535#section-2.4.1)).
  enum FunctionType {
    case value
    case logical
    case nodes
  }

  /// The function extensions of [RFC 9535 §2.4](https://www.rfc-editor.org/rfc/rfc9535#section-2.4)
  /// with their parameters and results.
  static let functions: [String: (parameters: [FunctionType], result: FunctionType)] = [
    "length": ([.value], .value),
    "count": ([.nodes], .value),
    "value": ([.nodes], .value),
    "match": ([.value, .value], .logical),
    "search": ([.value, .value], .logical),
  ]

  /// A parsed term of a filter. The parser decides later whether the term is an operand of a comparison, a test or an argument of a
  /// function.
  private enum Term {
    case literal(JSONValue)
    case query(JSONPathQuery)
    case value(JSONPathOperand, function: String)
    case test(JSONPathPatternTest, function: String)
  }

  mutating func filter() throws(JSONPathError) -> JSONPathFilter {
    guard nesting < JSONPathParser.deepestNesting else {
      throw failure("more than \(JSONPathParser.deepestNesting) filters, parentheses and functions are nested")
    }
    nesting += 1
    defer { nesting -= 1 }
    var alternatives = [try conjunction()]
    while try takeOperator("||", single: UInt8(ascii: "|")) { alternatives.append(try conjunction()) }
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  private mutating func conjunction() throws(JSONPathError) -> JSONPathFilter {
    var conditions = [try condition()]
    while try takeOperator("&&", single: UInt8(ascii: "&")) { conditions.append(try condition()) }
    return conditions.count == 1 ? conditions[0] : .all(conditions)
  }

  /// Consumes the operator `token` (such as `&&`) and the blanks around it, and returns true. If other text follows, consumes nothing and
  /// returns false. Throws an error if only the character `single` (such as `&`) follows.
  private mutating func takeOperator(_ token: StaticString, single: UInt8) throws(JSONPathError) -> Bool {
    let before = position
    skipBlanks()
    guard isNext(token) else {
      if current == single {
        throw failure("'\(Character(Unicode.Scalar(single)))' is not an operator", length: 1, suggestion: "write '\(token)'")
      }
      position = before
      return false
    }
    position += token.utf8CodeUnitCount
    skipBlanks()
    return true
  }

  private mutating func condition() throws(JSONPathError) -> JSONPathFilter {
    let start = position
    guard take(UInt8(ascii: "!")) else { return try unnegatedCondition(isNegated: false, from: start) }
    skipBlanks()
    if current == UInt8(ascii: "!") { throw failure("only one '!' is allowed", length: 1) }
    return .not(try unnegatedCondition(isNegated: true, from: start))
  }

  private mutating func unnegatedCondition(isNegated: Bool, from start: Int) throws(JSONPathError) -> JSONPathFilter {
    if take(UInt8(ascii: "(")) {
      let opening = position - 1
      skipBlanks()
      let inner = try filter()
      skipBlanks()
      guard take(UInt8(ascii: ")")) else {
        guard position < bytes.count else { throw failure("')' is missing: '(' was not closed", opening..<opening + 1) }
        throw unexpectedInFilter(expected: "an operator or ')'")
      }
      let end = position
      skipBlanks()
      if comparison() != nil { throw failure("a condition in parentheses cannot be compared", start..<end) }
      position = end
      return inner
    }
    let termStart = position
    let left = try term()
    let leftEnd = position
    skipBlanks()
    guard let comparison = comparison() else {
      if let mistake = mistakenOperator() { throw mistake }
      position = leftEnd
      return try test(left, termStart..<leftEnd)
    }
    if isNegated {
      throw failure("'!' can't negate a comparison directly", start..<start + 1, suggestion: "put the comparison in parentheses: !(…)")
    }
    position += comparison.rawValue.utf8.count
    skipBlanks()
    let rightStart = position
    let right = try term()
    let rightRange = rightStart..<position
    let condition = JSONPathFilter.comparison(
      try comparable(left, termStart..<leftEnd), comparison, try comparable(right, rightRange))
    let end = position
    skipBlanks()
    if self.comparison() != nil { throw failure("comparisons cannot be chained", length: 1, suggestion: "join two with '&&'") }
    position = end
    return condition
  }

  private func comparison() -> JSONPathComparison? {
    if isNext("==") { return .equal }
    if isNext("!=") { return .notEqual }
    if isNext("<=") { return .lessOrEqual }
    if isNext(">=") { return .greaterOrEqual }
    if isNext("<>") { return nil }
    if isNext("<") { return .less }
    if isNext(">") { return .greater }
    return nil
  }

  /// Returns the error for an operator of another language, such as `=~`, at the current position; nil if there is no such operator at this
  /// position.
  private func mistakenOperator() -> JSONPathError? {
    if isNext("=~") {
      return failure("'=~' is not an operator of JSONPath", length: 2, suggestion: "write match(…, '…') or search(…, '…')")
    }
    if isNext("=") { return failure("'=' is not an operator of JSONPath", length: 1, suggestion: "write '=='") }
    if isNext("<>") { return failure("'<>' is not an operator of JSONPath", length: 2, suggestion: "write '!='") }
    for (word, symbol) in [("and", "&&"), ("or", "||"), ("AND", "&&"), ("OR", "||")] where isWord(word) {
      return failure("'\(word)' is not an operator of JSONPath", length: word.utf8.count, suggestion: "write '\(symbol)'")
    }
    for word in ["in", "nin", "contains", "matches", "like"] where isWord(word) {
      return failure(
        "'\(word)' is not an operator of JSONPath", length: word.utf8.count,
        suggestion: "compare with '==' and join with '||', or use match()")
    }
    return nil
  }

  private func isWord(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    return byte(word.utf8.count).map { !JSONPathParser.continuesName($0) } ?? true
  }

  private func unexpectedInFilter(expected: String) -> JSONPathError {
    mistakenOperator() ?? failure("\(expected) was expected, found \(found)", length: scalarLength)
  }

  // MARK: Terms

  private mutating func term() throws(JSONPathError) -> Term {
    guard let byte = current else { throw failure("a condition is missing at the end") }
    switch byte {
    case UInt8(ascii: "@"), UInt8(ascii: "$"):
      position += 1
      return .query(JSONPathQuery(isAbsolute: byte == UInt8(ascii: "$"), segments: try segments()))
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .literal(.string(try string()))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .literal(.number(try number()))
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      throw failure("a list or an object cannot be written in a filter", length: 1)
    case UInt8(ascii: "/"):
      throw failure("a pattern is not written in slashes", length: 1, suggestion: "write match(…, '…') or search(…, '…')")
    case _ where JSONPathParser.startsName(byte): return try word()
    default: throw failure("expected a value, a query or a function, found \(found)", length: scalarLength)
    }
  }

  private mutating func word() throws(JSONPathError) -> Term {
    let start = position
    while let byte = current, JSONPathParser.continuesName(byte) { position += 1 }
    let name = source(start..<position)
    if current == UInt8(ascii: "(") { return try function(name, from: start) }
    switch name {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    default:
      let suggestion: String
      switch name.lowercased() {
      case "true", "false", "null": suggestion = "write \(name.lowercased())"
      case "not": suggestion = "write '!'"
      case _ where JSONPathParser.functions[name] != nil: suggestion = "the parentheses of a function follow its name directly"
      default: suggestion = "write '\(name)' in quotes, or @.\(name) for a member"
      }
      throw failure("the word '\(name)' has no meaning in a filter", start..<position, suggestion: suggestion)
    }
  }

  /// Reads a number with the grammar of JSON: `-0`, fractions and exponents are allowed.
  private mutating func number() throws(JSONPathError) -> JSONNumber {
    let start = position
    while let byte = current, JSONPathParser.continuesNumber(byte, after: position > start ? bytes[position - 1] : 0) { position += 1 }
    let text = source(start..<position)
    guard let number = JSONNumber(text) else {
      throw failure("'\(text)' is not a number", start..<position, suggestion: "numbers are written as in JSON: -12.5e3")
    }
    return number
  }

  private static func continuesNumber(_ byte: UInt8, after previous: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "-"): previous == 0 || previous | 0x20 == UInt8(ascii: "e")
    case UInt8(ascii: "."): true
    default: byte.isDigit || byte | 0x20 == UInt8(ascii: "e")
    }
  }

  private func test(_ term: Term, _ range: Range<Int>) throws(JSONPathError) -> JSONPathFilter {
    switch term {
    case .query(let query): return .exists(query)
    case .test(let test, _): return .matches(test)
    case .value(_, let function):
      throw failure("the value of \(function)() is not a condition", range, suggestion: "compare it: \(source(range)) > 0")
    case .literal:
      throw failure("\(source(range)) alone is not a condition", range, suggestion: "compare it with a value")
    }
  }

  private func comparable(_ term: Term, _ range: Range<Int>) throws(JSONPathError) -> JSONPathOperand {
    switch term {
    case .literal(let value): return .literal(value)
    case .value(let operand, _): return operand
    case .query(let query):
      guard query.singularElements != nil else {
        throw failure(
          "'\(source(range))' may select many nodes, so it cannot be compared", range,
          suggestion: "use only names and indexes, or value(\(source(range)))")
      }
      return .query(query)
    case .test(_, let function):
      throw failure(
        "\(function)() is a condition and cannot be compared", range,
        suggestion: "leave the comparison out, or put '!' in front")
    }
  }

  // MARK: Functions

  private mutating func function(_ name: String, from start: Int) throws(JSONPathError) -> Term {
    guard let signature = JSONPathParser.functions[name] else {
      let near = JSONPathParser.functions.keys.sorted().first { NameDistance.areNear(name, $0) }
      throw failure(
        "there is no function '\(name)'", start..<position,
        suggestion: near.map { "did you mean \($0)?" } ?? "there are count, length, match, search and value")
    }
    guard nesting < JSONPathParser.deepestNesting else {
      throw failure("more than \(JSONPathParser.deepestNesting) filters, parentheses and functions are nested", start..<position)
    }
    nesting += 1
    defer { nesting -= 1 }
    position += 1
    skipBlanks()
    var arguments: [(term: Term, range: Range<Int>)] = []
    while !take(UInt8(ascii: ")")) {
      if !arguments.isEmpty {
        guard take(UInt8(ascii: ",")) else {
          guard position < bytes.count else { throw failure("missing ')' after the arguments of \(name)", start..<bytes.count) }
          throw unexpectedInFilter(expected: "',' or ')'")
        }
        skipBlanks()
      }
      let argumentStart = position
      let argument = try term()
      arguments.append((argument, argumentStart..<position))
      skipBlanks()
      if comparison() != nil || isNext("&&") || isNext("||") {
        throw failure("\(name)() takes no condition", argumentStart..<position)
      }
    }
    guard arguments.count == signature.parameters.count else {
      let wanted = signature.parameters.count == 1 ? "one argument" : "\(signature.parameters.count) arguments"
      throw failure("\(name)() takes \(wanted), not \(arguments.count)", start..<position)
    }
    return try call(name, arguments)
  }

  private func call(_ name: String, _ arguments: [(term: Term, range: Range<Int>)]) throws(JSONPathError) -> Term {
    switch name {
    case "length": return .value(.length(try valueArgument(arguments[0], of: name)), function: name)
    case "count": return .value(.count(try nodesArgument(arguments[0], of: name)), function: name)
    case "value": return .value(.value(try nodesArgument(arguments[0], of: name)), function: name)
    default:
      let text = try valueArgument(arguments[0], of: name)
      let pattern = try valueArgument(arguments[1], of: name)
      let matchesWholeText = name == "match"
      var compiled: RegularExpression?
      if case .literal(.string(let source)) = pattern {
        compiled = try compile(source, matchesWholeText: matchesWholeText, arguments[1].range)
      }
      return .test(
        JSONPathPatternTest(text: text, pattern: pattern, compiled: compiled, matchesWholeText: matchesWholeText), function: name)
    }
  }

  private func compile(_ pattern: String, matchesWholeText: Bool, _ range: Range<Int>) throws(JSONPathError) -> RegularExpression {
    do {
      return try RegularExpression(iRegexp: pattern, matchesWholeText: matchesWholeText)
    } catch {
      // If the literal has no escapes, an offset in the pattern is also an offset in the path.
      let isPlain = range.count == pattern.utf8.count + 2
      let place = isPlain ? min(range.lowerBound + 1 + error.offset, range.upperBound - 1) : range.lowerBound
      let parts = error.message.split(separator: ": write ", maxSplits: 1)
      throw failure(
        "the pattern is not a valid I-Regexp: \(parts[0])", isPlain ? place..<place + 1 : range,
        suggestion: parts.count == 2 ? "write \(parts[1])" : nil)
    }
  }

  private func valueArgument(_ argument: (term: Term, range: Range<Int>), of name: String) throws(JSONPathError) -> JSONPathOperand {
    switch argument.term {
    case .literal(let value): return .literal(value)
    case .value(let operand, _): return operand
    case .query(let query):
      guard query.singularElements != nil else {
        throw failure(
          "\(name)() takes one value, but '\(source(argument.range))' may select many nodes", argument.range,
          suggestion: "use only names and indexes, or value(\(source(argument.range)))")
      }
      return .query(query)
    case .test(_, let function):
      throw failure("\(name)() takes a value, which \(function)() does not give", argument.range)
    }
  }

  private func nodesArgument(_ argument: (term: Term, range: Range<Int>), of name: String) throws(JSONPathError) -> JSONPathQuery {
    guard case .query(let query) = argument.term else {
      throw failure("\(name)() takes a query, which '\(source(argument.range))' is not", argument.range, suggestion: "such as @.items[*]")
    }
    return query
  }
}
