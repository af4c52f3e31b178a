import GarlandJSON
import GarlandWorkflow

/// Checks the predicates `type`, `length`, `empty`, `subset` and `schema`.
extension PredicateJudge {
  func type(_ names: [JSONTypeName], _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    if names.contains(where: { $0.matches(actual) }) { return [] }
    let wanted = names.map(\.rawValue).joined(separator: " or ")
    var mismatch = Mismatch(
      "is \(Shown.found(actual)), expected the type \(wanted)", at: predicate.range, expected: wanted, actual: line(actual))
    if case .string(let text) = actual, JSONNumber(text) != nil, names.contains(.number) || names.contains(.integer) {
      mismatch.help = "the response has text that looks like a number; for text, write `type: string`"
    }
    return [mismatch]
  }

  func length(_ inner: [Predicate], _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    let size: (count: Int, noun: String)
    switch actual {
    case .string(let text): size = (text.unicodeScalars.count, "character")
    case .array(let items): size = (items.count, "item")
    case .object(let object): size = (object.count, "member")
    default: return [unfit("is \(Shown.found(actual)), so `length` does not apply: it needs text, a list or an object", predicate, actual)]
    }
    return length(inner, of: size)
  }

  /// Checks the predicates within `length`, such as `gt`, against the number of items, characters or members of a value. The method needs
  /// only this number, and not the value itself.
  func length(_ inner: [Predicate], of size: (count: Int, noun: String)) -> [Mismatch] {
    let judge = PredicateJudge(context: context, target: .number)
    return judge.mismatches(inner, of: JSONValue(size.count)).map { mismatch in
      var result = mismatch
      let rest =
        mismatch.message.hasPrefix("is \(size.count),")
        ? String(mismatch.message.dropFirst("is \(size.count),".count)) : ": its length \(mismatch.message)"
      result.message = "has \(Shown.count(size.count, size.noun))\(rest.hasPrefix(":") ? rest : ",\(rest)")"
      result.actual = Shown.count(size.count, size.noun)
      return result
    }
  }

  func empty(_ wanted: Bool, _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    let isEmpty: Bool
    switch actual {
    case .string(let text): isEmpty = text.isEmpty
    case .array(let items): isEmpty = items.isEmpty
    case .object(let object): isEmpty = object.isEmpty
    default: return [unfit("is \(Shown.found(actual)), so `empty` does not apply: it needs text, a list or an object", predicate, actual)]
    }
    if isEmpty == wanted { return [] }
    return [
      Mismatch(
        wanted ? "is \(Shown.found(actual)), expected it to be empty" : "is \(Shown.found(actual)), expected it not to be empty",
        at: predicate.range,
        expected: wanted ? "empty" : "not empty", actual: line(actual))
    ]
  }

  func subset(_ expected: Value, _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    if SubsetMatch.holds(expected.json, in: actual) { return [] }
    let shown = expected.masked
    var mismatch = Mismatch(
      "lacks a part of the expected value", at: predicate.range, expected: line(shown), actual: line(actual))
    if shown.kind != actual.kind {
      let isPart = shown.kind == .object || shown.kind == .array
      let wanted = isPart ? "\(Shown.kind(shown.kind)) that contains the argument of `subset`" : Shown.value(shown)
      mismatch.message = "is \(Shown.found(actual)), expected \(wanted)"
    } else {
      let difference = StructuralDifference(subset: shown, of: actual)
      mismatch.message = "differs from the expected value \(difference.summary)"
      mismatch.difference = difference.lines
      mismatch.place = difference.firstPlace ?? []
    }
    return [mismatch]
  }

  func schema(_ template: SchemaTemplate, _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    SchemaJudge.mismatches(template, actual, at: predicate.range)
  }
}
