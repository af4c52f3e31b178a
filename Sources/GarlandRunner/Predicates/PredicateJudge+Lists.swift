import GarlandJSON
import GarlandWorkflow

/// Checks the predicates `each`, `any` and `none`.
extension PredicateJudge {
  private func items(_ actual: JSONValue, _ predicate: Predicate) -> Result<[JSONValue], ListMismatch> {
    guard case .array(let items) = actual else {
      return .failure(
        ListMismatch(unfit("is \(Shown.found(actual)), not a list, so `\(predicate.name)` does not apply", predicate, actual)))
    }
    guard !items.isEmpty else {
      var mismatch = Mismatch(
        "is an empty list, but `\(predicate.name)` needs at least one item", at: predicate.keyRange, expected: "at least one item",
        actual: "[]",
        help: predicate.name == "any" ? nil : "if an empty list is right, write `length: 0`")
      mismatch.isUnfit = true
      return .failure(ListMismatch(mismatch))
    }
    return .success(items)
  }

  private struct ListMismatch: Error {
    let mismatch: Mismatch
    init(_ mismatch: Mismatch) { self.mismatch = mismatch }
  }

  func each(_ inner: [Predicate], _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    let list: [JSONValue]
    switch items(actual, predicate) {
    case .success(let found): list = found
    case .failure(let failure): return [failure.mismatch]
    }
    var result: [Mismatch] = []
    var failed = 0
    let computation = Computation.current
    for (index, item) in list.enumerated() {
      if let computation, computation.isOver(after: 32) { break }
      let found = mismatches(inner, of: item)
      if found.isEmpty { continue }
      failed += 1
      if failed <= 5 { result.append(contentsOf: found.map { $0.inside(item: index) }) }
    }
    if failed > 5, let last = result.indices.last {
      result[last].message += " (\(failed) of \(list.count) items fail; the first five are shown)"
    }
    return result
  }

  func any(_ inner: [Predicate], _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    let list: [JSONValue]
    switch items(actual, predicate) {
    case .success(let found): list = found
    case .failure(let failure): return [failure.mismatch]
    }
    var closest: Mismatch?
    let computation = Computation.current
    for (index, item) in list.enumerated() {
      if let computation, computation.isOver(after: 32) { break }
      let found = mismatches(inner, of: item)
      guard let first = found.first else { return [] }
      if first.isValueError { return [first] }
      if closest == nil { closest = first.inside(item: index) }
    }
    var mismatch = Mismatch(
      "has \(Shown.count(list.count, "item")), but none of them meets the predicates of `any`", at: predicate.range, actual: line(actual))
    mismatch.help = closest.map { "the first mismatch: \($0.message)" }
    return [mismatch]
  }

  func none(_ inner: [Predicate], _ actual: JSONValue, _ predicate: Predicate) -> [Mismatch] {
    let list: [JSONValue]
    switch items(actual, predicate) {
    case .success(let found): list = found
    case .failure(let failure): return [failure.mismatch]
    }
    var result: [Mismatch] = []
    let computation = Computation.current
    for (index, item) in list.enumerated() where result.count < 5 {
      if let computation, computation.isOver(after: 32) { break }
      let found = mismatches(inner, of: item)
      if let unfit = found.first(where: \.isUnfit) {
        // The remaining items probably have the same kind as this item, so only one failure is reported.
        return result + [unfit.inside(item: index)]
      } else if found.isEmpty {
        var mismatch = Mismatch(
          "item \(index) is \(Shown.value(item)); no item may meet the predicates of `none`, but this one does", at: predicate.range,
          actual: line(item))
        mismatch.place = [.index(index)]
        result.append(mismatch)
      }
    }
    return result
  }
}
