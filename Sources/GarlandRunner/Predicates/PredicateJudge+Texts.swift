import GarlandJSON
import GarlandWorkflow

/// Checks the predicates `json` and `date`, which parse the checked text.
extension PredicateJudge {
  // MARK: JSON

  func json(_ selected: [SelectedPredicates], _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    guard case .string(let text) = actual else {
      var mismatch = unfit("is \(Shown.found(actual)), but the predicate `json` needs text that contains JSON", predicate, actual)
      if case .object = actual { mismatch.help = "to check a member of an object, write its JSONPath" }
      return [mismatch]
    }
    let root: JSONValue
    do throws(JSONParsingError) {
      root = try JSONValue(parsing: text)
    } catch {
      return [
        unfit("is text that is not JSON: \(error.message) at line \(error.line), column \(error.column)", predicate, actual)
      ]
    }
    let judge = PredicateJudge(context: context, target: .json)
    return selected.flatMap { part in
      judge.mismatches(part, in: root).map { mismatch in
        var inner = mismatch.selected(by: "`\(part.path.text)`", in: "is JSON text in which")
        // The place is inside the parsed text, and the failure shows no excerpt of this text.
        inner.place = []
        return inner
      }
    }
  }

  private func mismatches(_ part: SelectedPredicates, in root: JSONValue) -> [Mismatch] {
    var found: [Mismatch]
    var isMissing: Bool
    if let elements = part.path.singularElements {
      let value = root.value(at: elements)
      isMissing = value == nil
      found = mismatches(part.predicates, of: value)
    } else {
      do throws(JSONPathEvaluationError) {
        let values = try part.path.values(in: root)
        isMissing = values.isEmpty
        found = part.predicates.flatMap { mismatches($0, ofSelected: values) }
      } catch {
        return [Mismatch("can't be evaluated: \(error)", at: part.predicates.first?.range)]
      }
    }
    guard isMissing, !found.isEmpty else { return found }
    let help = PathExplanation(part.path, in: root).help
    for index in found.indices { found[index].help = help ?? found[index].help }
    return found
  }

  // MARK: Dates

  func date(_ template: DateTemplate, _ actual: JSONValue, _ predicate: Predicate) throws(EvaluationError) -> [Mismatch] {
    let found = template.format.map { Timestamp(reading: actual, format: $0) } ?? Timestamp(reading: actual)
    guard let time = found else {
      let format = template.format.map { " in the format `\(Shown.cut($0, 60))`" } ?? ""
      return [unfit("is \(Shown.value(actual)), which is not a time\(format)", predicate, actual)]
    }
    var result: [Mismatch] = []
    if let before = template.before {
      result += try order(time, "before", before, predicate) { $0.nanoseconds < $1.nanoseconds }
    }
    if let after = template.after {
      result += try order(time, "after", after, predicate) { $0.nanoseconds > $1.nanoseconds }
    }
    if let other = template.at { result += try order(time, "at", other, predicate) { $0.nanoseconds == $1.nanoseconds } }
    if let within = template.within {
      let limit = try within.resolve(in: context)
      let now = Timestamp(seconds: context.services.now()) ?? Timestamp(nanoseconds: 0)
      let distance = Duration.nanoseconds(time.nanoseconds - now.nanoseconds)
      if max(distance, .zero - distance) > limit {
        let far = Target.time.amount(JSONNumber(max(distance, .zero - distance).seconds) ?? JSONNumber(0))
        result.append(
          Mismatch(
            "is \(time.iso), \(far) \(distance < .zero ? "ago" : "from now"), expected a time within \(within.range.text) of now",
            at: within.range, expected: "within \(within.range.text) of now", actual: time.iso))
      }
    }
    return result
  }

  private func order(
    _ time: Timestamp, _ words: String, _ template: ValueTemplate, _ predicate: Predicate, _ holds: (Timestamp, Timestamp) -> Bool
  ) throws(EvaluationError) -> [Mismatch] {
    let expected = try template.evaluate(in: context)
    guard let other = Timestamp(reading: expected.json) else {
      return [unfit("can't be compared: the argument of `\(words)` is \(Shown.found(expected.masked)), not a time", predicate)]
    }
    if holds(time, other) { return [] }
    let shown = expected.isTainted ? "***" : other.iso
    let relation = words == "at" ? "exactly" : words
    return [
      Mismatch("is \(time.iso), expected \(relation) \(shown)", at: template.range, expected: "\(relation) \(shown)", actual: time.iso)
    ]
  }
}
