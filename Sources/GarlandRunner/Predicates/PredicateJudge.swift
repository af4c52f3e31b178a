import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// Checks whether predicates hold for a value, and explains why one does not.
///
/// A value of nil is undefined. Only `exists: false` holds for it. If other predicates held too, a check with a misspelt path would pass.
struct PredicateJudge {
  let context: any EvaluationContext
  let target: Target

  func mismatches(_ predicates: [Predicate], of value: JSONValue?) -> [Mismatch] {
    var result: [Mismatch] = []
    for predicate in predicates { result.append(contentsOf: mismatches(predicate, of: value)) }
    return result
  }

  /// Returns whether the expectation is a single constant that the value equals. This case is the most frequent one, and quick to check. If
  /// the result is false, the caller must still check the predicates.
  func holdsAtOnce(_ predicates: [Predicate], for value: JSONValue) -> Bool {
    guard predicates.count == 1, target == .json, case .eq(let template) = predicates[0].kind, let wanted = template.constant else {
      return false
    }
    return target.areEqual(wanted, value)
  }

  func holds(_ predicates: [Predicate], for value: JSONValue?) -> Bool { mismatches(predicates, of: value).isEmpty }

  func mismatches(_ predicate: Predicate, of value: JSONValue?) -> [Mismatch] {
    do {
      return try judge(predicate, value)
    } catch {
      return [valueError(error, predicate)]
    }
  }

  /// Checks predicates that depend only on the number of items in a list, and not on the items themselves.
  func mismatches(_ predicates: [Predicate], ofListOf count: Int) -> [Mismatch] {
    predicates.flatMap { predicate -> [Mismatch] in
      guard case .length(let inner) = predicate.kind else {
        return mismatches(predicate, of: .array(count == 0 ? [] : [.null]))
      }
      return length(inner, of: (count, "item"))
    }
  }

  /// Checks a predicate on the values that a path selects. The list of values may be empty.
  func mismatches(_ predicate: Predicate, ofSelected values: [JSONValue]) -> [Mismatch] {
    guard values.isEmpty else { return mismatches(predicate, of: .array(values)) }
    do {
      return try judgeNothing(predicate)
    } catch {
      return [valueError(error, predicate)]
    }
  }

  private func valueError(_ error: EvaluationError, _ predicate: Predicate) -> Mismatch {
    let diagnostic = error.diagnostic
    var mismatch = Mismatch(
      "can't be checked, because the expected value can't be computed: \(diagnostic.message)", at: diagnostic.range ?? predicate.range,
      help: diagnostic.helps.first?.message)
    mismatch.isUnfit = true
    mismatch.isValueError = true
    mismatch.concernsFile = diagnostic.code == .file
    return mismatch
  }

  func judge(_ predicate: Predicate, _ value: JSONValue?) throws(EvaluationError) -> [Mismatch] {
    if target == .nodes { return try judgeNodes(predicate, value) }
    switch predicate.kind {
    case .exists(let setting): return exists(try setting.resolve(in: context), value, predicate)
    case .not(let inner): return not(inner, value, predicate)
    case .ne(let template):
      let other = try template.evaluate(in: context)
      guard let value else { return [undefined(predicate)] }
      guard target.areEqual(target.operand(other.json), value) else { return [] }
      return [
        Mismatch(
          "is \(Shown.value(other.masked)), expected any other value", at: predicate.range, expected: "not \(line(other.masked))",
          actual: line(value))
      ]
    default: break
    }
    guard let value else { return [undefined(predicate)] }
    switch predicate.kind {
    case .eq(let template): return equal(try template.evaluate(in: context), value, predicate)
    case .gt(let template): return compare(try template.evaluate(in: context), value, predicate, "more than") { $0 > $1 }
    case .gte(let template): return compare(try template.evaluate(in: context), value, predicate, "at least") { $0 >= $1 }
    case .lt(let template): return compare(try template.evaluate(in: context), value, predicate, "less than") { $0 < $1 }
    case .lte(let template): return compare(try template.evaluate(in: context), value, predicate, "at most") { $0 <= $1 }
    case .in(let template): return isIn(try template.evaluate(in: context), value, predicate)
    case .contains(let template): return contains(try template.evaluate(in: context), value, predicate)
    case .startsWith(let template):
      return affix(try template.evaluate(in: context), value, predicate, "start") { $0.starts(with: $1) }
    case .endsWith(let template):
      return affix(try template.evaluate(in: context), value, predicate, "end") { $0.reversed().starts(with: $1.reversed()) }
    case .matches(let pattern): return try matches(pattern, value, predicate)
    case .type(let names): return type(names, value, predicate)
    case .length(let inner): return length(inner, value, predicate)
    case .empty(let setting): return empty(try setting.resolve(in: context), value, predicate)
    case .each(let inner): return each(inner, value, predicate)
    case .any(let inner): return any(inner, value, predicate)
    case .none(let inner): return none(inner, value, predicate)
    case .subset(let template): return subset(try template.evaluate(in: context), value, predicate)
    case .schema(let template): return schema(template, value, predicate)
    case .json(let selected): return json(selected, value, predicate)
    case .date(let template): return try date(template, value, predicate)
    case .exists, .not, .ne: return []
    }
  }

  // MARK: Presence

  func undefined(_ predicate: Predicate) -> Mismatch {
    var mismatch = Mismatch(Mismatch.missing, at: predicate.range, expected: expectation(predicate))
    mismatch.isUnfit = true
    return mismatch
  }

  private func exists(_ wanted: Bool, _ value: JSONValue?, _ predicate: Predicate) -> [Mismatch] {
    switch (wanted, value) {
    case (true, nil): return [Mismatch(Mismatch.missing, at: predicate.range, expected: "a value")]
    case (false, let value?):
      return [Mismatch("exists, expected it to be missing", at: predicate.range, expected: "nothing", actual: line(value))]
    default: return []
    }
  }

  func not(_ inner: [Predicate], _ value: JSONValue?, _ predicate: Predicate) -> [Mismatch] {
    let found = mismatches(inner, of: value)
    let unfit = found.filter(\.isUnfit)
    if !unfit.isEmpty { return unfit.map(\.negated) }
    return found.isEmpty ? [opposite(inner, value, predicate)] : []
  }

  /// Returns the failure of a `not` whose inner predicates are all true.
  func opposite(_ inner: [Predicate], _ value: JSONValue?, _ predicate: Predicate) -> Mismatch {
    let names = Shown.list(inner.map(\.name))
    var mismatch = Mismatch(
      "is \(Shown.value(value)), which satisfies \(names), so `not` fails", at: predicate.range,
      actual: value.map(line))
    mismatch.expected = "not \(predicate.range.text.split(whereSeparator: \.isWhitespace).joined(separator: " "))"
    return mismatch
  }

  // MARK: Equality and order

  private func equal(_ expected: Value, _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    let wanted = target.operand(expected.json)
    if target.areEqual(wanted, actual) { return [] }
    if target.hasUnit, !expected.isTainted, case .number(let limit) = wanted, case .number(let number) = actual {
      let found = target.amount(number)
      let words = argument(predicate) ?? target.amount(limit)
      return [Mismatch("is \(found), expected \(explained(words, limit))", at: predicate.range, expected: words, actual: found)]
    }
    let shown = expected.isTainted ? expected.masked : wanted
    var mismatch = Mismatch(
      "is \(Shown.value(actual)), expected \(Shown.value(shown))", at: predicate.range, expected: line(shown), actual: line(actual))
    switch (shown, actual) {
    case (.object, .object), (.array, .array):
      let difference = StructuralDifference(expected: shown, actual: actual)
      mismatch.message = "differs from the expected value \(difference.summary)"
      mismatch.difference = difference.lines
      mismatch.place = difference.firstPlace ?? []
      if case (.object, .object) = (shown, actual), SubsetMatch.holds(wanted, in: actual) {
        mismatch.help = "the value has all expected members, and others; to allow other members, write `subset:`"
      }
    case (.string(let wanted), .string(let found)):
      mismatch.difference = TextDifference.lines(expected: wanted, actual: found)
      mismatch.help = textHelp(wanted, found)
    default: mismatch.help = kindHelp(shown, actual)
    }
    return [mismatch]
  }

  private func textHelp(_ expected: String, _ actual: String) -> String? {
    if let predicate = predicateInWords(expected) { return predicate }
    // For longer texts, the place of the first difference is more helpful.
    if max(expected.utf8.count, actual.utf8.count) <= 10_000 {
      if expected.lowercased() == actual.lowercased() { return "the texts differ only in upper and lower case" }
      if expected.split(whereSeparator: \.isWhitespace) == actual.split(whereSeparator: \.isWhitespace) {
        return "the texts differ only in white space"
      }
    }
    return TextDifference.place(expected: expected, actual: actual)
  }

  /// Returns advice for an expected text that the author probably meant as a predicate, such as `contains json` or `/^a/`; nil for any
  /// other text.
  private func predicateInWords(_ text: String) -> String? {
    let bytes = text.utf8
    if bytes.count > 2, bytes.first == UInt8(ascii: "/"), bytes.last == UInt8(ascii: "/"),
      bytes.contains(where: { "^$*+\\[(".utf8.contains($0) })
    {
      return "for a regular expression, write `{ matches:  '\(Shown.cut(String(text.dropFirst().dropLast()), 60))' }`"
    }
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let name = Self.writtenPredicates[String(words[0]).lowercased()] else { return nil }
    return "for a predicate, write `{ \(name): \(Shown.cut(String(words[1]), 60)) }`"
  }

  /// Garland's predicates by the names that a user may write at the beginning of an expected text, as in `startsWith abc`. Each key is such
  /// a name in lower case. Many of these names come from other tools.
  private static let writtenPredicates = [
    "contains": "contains", "startswith": "starts_with", "starts_with": "starts_with", "endswith": "ends_with", "ends_with": "ends_with",
    "matches": "matches", "count": "length", "length": "length", "includes": "contains", ">": "gt", "<": "lt", ">=": "gte", "<=": "lte",
    "!=": "ne", "==": "eq", "equals": "eq", "not": "not",
  ]

  private func kindHelp(_ expected: JSONValue, _ actual: JSONValue) -> String? {
    switch (expected, actual) {
    case (.number(let number), .string(let text)):
      return JSONNumber(text).map { $0 == number } ?? false
        ? "the response has text; write the expected value in quotes: \(Shown.value(actual))" : nil
    case (.bool, .string("true")), (.bool, .string("false")):
      return "the response has text; write the expected value in quotes: \(Shown.value(actual))"
    case (.string(let text), _) where predicateInWords(text) != nil: return predicateInWords(text)
    case (.string(let text), .number(let number)):
      return JSONNumber(text).map { $0 == number } ?? false
        ? "the response has a number; write the expected value without quotes: \(Shown.value(actual))" : nil
    case (.string("true"), .bool), (.string("false"), .bool): return "the response has a boolean; write the expected value without quotes"
    case (.string("null"), .null): return "the response has null; write the expected value without quotes"
    default: return nil
    }
  }

  private func compare(
    _ expected: Value, _ actual: JSONValue, _ predicate: Predicate, _ words: String, _ holds: (JSONNumber, JSONNumber) -> Bool
  ) -> [Mismatch] {
    let operand = target.operand(expected.json)
    let limit: JSONNumber? =
      switch operand {
      case .number(let number): number
      // Environment variables and secrets are text.
      case .string(let text): JSONNumber(text)
      default: nil
      }
    guard let limit else {
      return [unfit("can't be compared: the argument of `\(predicate.name)` is \(Shown.found(expected.masked)), not a number", predicate)]
    }
    guard let number = target.number(actual) else {
      var mismatch = unfit("is \(Shown.found(actual)), not a number, so `\(predicate.name)` does not apply", predicate, actual)
      if case .string(let text) = actual, JSONNumber(text) != nil {
        mismatch.help =
          "the response has text, not a number; to compare it as a number, use `| number` in `that:`; to expect this text, write `eq: \(Shown.value(actual))`"
      }
      return [mismatch]
    }
    if holds(number, limit) { return [] }
    let shown = expected.isTainted ? "***" : argument(predicate) ?? target.amount(limit)
    let found = target.amount(number)
    return [
      Mismatch(
        "is \(found), expected \(words) \(explained(shown, limit))", at: predicate.range, expected: "\(words) \(shown)", actual: found)
    ]
  }

  /// Returns the argument of a comparison as written in the document, such as `300ms`, if the checked value is a time or a size and the
  /// argument is a literal. Otherwise returns nil.
  private func argument(_ predicate: Predicate) -> String? {
    switch predicate.kind {
    case .eq(let template), .gt(let template), .gte(let template), .lt(let template), .lte(let template):
      target.hasUnit && template.constant != nil ? predicate.range.text : nil
    default: nil
    }
  }

  /// Returns the argument of a predicate in the form for an error message. To a size with a unit, adds the number of bytes, as in
  /// `2KB (2000 bytes)`.
  private func explained(_ argument: String, _ number: JSONNumber) -> String {
    let amount = target.amount(number)
    guard case .size = target, argument != amount, argument.contains(where: \.isLetter) else { return argument }
    return "\(argument) (\(amount))"
  }

  private func isIn(_ expected: Value, _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    guard case .array(let items) = expected.json else {
      return [unfit("can't be compared: the argument of `in` is \(Shown.found(expected.masked)), expected a list", predicate)]
    }
    if items.contains(where: { target.areEqual(target.operand($0), actual) }) { return [] }
    let shown = Shown.value(expected.masked)
    var mismatch = Mismatch(
      "is \(Shown.value(actual)), expected one of \(shown)", at: predicate.range, expected: "one of \(line(expected.masked))",
      actual: line(actual))
    mismatch.help = items.lazy.compactMap { kindHelp($0, actual) }.first
    return [mismatch]
  }

  // MARK: Parts

  private func contains(_ expected: Value, _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    let wanted = expected.json
    switch actual {
    case .string(let text):
      guard let part = plainText(wanted) else {
        return [
          unfit("is text, so the argument of `contains` must be text, found \(Shown.found(expected.masked))", predicate, actual)
        ]
      }
      if find(part, in: text) { return [] }
      var mismatch = Mismatch(
        "does not contain \(Shown.value(expected.masked))", at: predicate.range, expected: "contains \(line(expected.masked))",
        actual: line(actual))
      if find(part.lowercased(), in: text.lowercased()) {
        mismatch.help = "the value contains this text in another case; to ignore case, write `matches: (?i)…`"
      }
      return [mismatch]
    case .array(let items):
      if items.contains(where: { target.areEqual(wanted, $0) }) { return [] }
      var mismatch = Mismatch(
        "does not contain \(Shown.value(expected.masked)) (the list has \(Shown.count(items.count, "item")))", at: predicate.range,
        expected: "contains \(line(expected.masked))", actual: line(actual))
      mismatch.help = items.lazy.compactMap { kindHelp(wanted, $0) }.first
      if mismatch.help == nil, case .object = wanted, items.contains(where: { SubsetMatch.holds(wanted, in: $0) }) {
        mismatch.help = "an item has these members and others; to allow other members, write `any: {subset: …}`"
      }
      return [mismatch]
    case .object(let object):
      guard case .string(let name) = wanted else {
        return [
          unfit(
            "is an object, so the argument of `contains` must be the name of a member, found \(Shown.found(expected.masked))", predicate,
            actual)
        ]
      }
      if object[name] != nil { return [] }
      var mismatch = Mismatch(
        "has no member \(Shown.value(expected.masked))", at: predicate.range, expected: "a member \(line(expected.masked))",
        actual: line(actual))
      mismatch.help = Suggestion.nearest(to: name, in: object.keys).map { "it has `\($0)`" }
      return [mismatch]
    default:
      return [unfit("is \(Shown.found(actual)), so `contains` does not apply: it needs text, a list or an object", predicate, actual)]
    }
  }

  private func affix(
    _ expected: Value, _ actual: JSONValue, _ predicate: Predicate, _ words: String, _ holds: (String.UTF8View, String.UTF8View) -> Bool
  ) -> [Mismatch] {
    guard case .string(let text) = actual else {
      return [unfit("is \(Shown.found(actual)), not text, so `\(predicate.name)` does not apply", predicate, actual)]
    }
    guard let part = plainText(expected.json) else {
      return [unfit("can't be compared: the argument of `\(predicate.name)` is \(Shown.found(expected.masked)), expected text", predicate)]
    }
    if holds(text.utf8, part.utf8) { return [] }
    let shown = Shown.value(expected.masked)
    return [
      Mismatch(
        "is \(Shown.value(actual)), which does not \(words) with \(shown)", at: predicate.range,
        expected: "\(words)s with \(line(expected.masked))",
        actual: line(actual))
    ]
  }

  private func matches(_ template: PatternTemplate, _ actual: JSONValue, _ predicate: Predicate) throws(EvaluationError) -> [Mismatch] {
    guard case .string(let text) = actual else {
      var mismatch = unfit("is \(Shown.found(actual)), not text, so `matches` does not apply", predicate, actual)
      if case .number = actual { mismatch.help = "to match the digits, use `| string` in `that:`; to check a range, write `gte` and `lte`" }
      return [mismatch]
    }
    let expression: RegularExpression
    switch try Patterns.expression(template, in: context) {
    case .success(let found): expression = found
    case .failure(let error): return [unfit("can't be matched: \(error.message)", predicate)]
    }
    do throws(RegularExpressionMatchingError) {
      if try expression.matches(text) { return [] }
    } catch {
      return [unfit("can't be matched: \(error)", predicate, actual)]
    }
    let shown = Shown.cut(expression.pattern, 80)
    return [
      Mismatch(
        "is \(Shown.value(actual)), which does not match `\(shown)`", at: predicate.range, expected: "matches `\(shown)`",
        actual: line(actual))
    ]
  }

  private func plainText(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }

  private func find(_ part: String, in text: String) -> Bool { ByteSearch.contains(part, in: text) }

  // MARK: Words

  func unfit(_ message: String, _ predicate: Predicate, _ actual: JSONValue? = nil) -> Mismatch {
    var mismatch = Mismatch(message, at: predicate.keyRange, actual: actual.map(line))
    mismatch.isUnfit = true
    return mismatch
  }

  func line(_ value: JSONValue) -> String { Shown.value(value, limit: Shown.line) }
}
