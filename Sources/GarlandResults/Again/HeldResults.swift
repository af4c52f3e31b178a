/// The results of a series of runs that are not reported yet, because their steps may still run or pass in a rerun.
struct HeldResults {
  /// The key of a result: the position of its step in the first run's plan, and the index of its loop item.
  struct Key: Hashable {
    var step: Int
    /// The index of the loop item; nil for the result of a whole step.
    var item: Int?

    init(_ step: StepIdentity, item: Int?) {
      self.step = step.index
      self.item = item
    }
  }

  private var results: [Key: StepResult] = [:]
  /// The keys of the results in the order of their arrival. The list may contain keys whose result was removed.
  private var order: [Key] = []
  /// For each step with held results, the number of these results. Each key is the position of a step in the first run's plan.
  private var counts: [Int: Int] = [:]
  /// The number of held results whose steps must run again.
  private(set) var rerunCount = 0
  /// The number of held results of loop items that need not run again.
  private(set) var idleItemCount = 0

  /// Returns whether a result is final, so that it is not held. A step that passed, or whose failure is permitted, does not run again.
  static func isFinal(_ result: StepResult) -> Bool {
    result.outcome == .passed || (result.outcome.isProblem && result.isFailureAllowed)
  }

  /// Returns whether the step of a held result must run again. A step that was skipped runs again only if another step needs it, and if a
  /// step was not run, the series was stopped and has no rerun.
  private static func needsRerun(_ result: StepResult) -> Bool { result.outcome == .blocked || result.outcome.isProblem }

  /// The held result with a key; nil if there is none.
  subscript(key: Key) -> StepResult? { results[key] }

  /// Returns whether there is a held result of a step, or of an item of its loop.
  func contains(_ step: Int) -> Bool { counts[step] != nil }

  /// Holds a result in place of the held result with the same key.
  mutating func hold(_ result: StepResult, at key: Key) {
    if let before = results.updateValue(result, forKey: key) {
      count(before, at: key, by: -1)
    } else {
      order.append(key)
      counts[key.step, default: 0] += 1
    }
    count(result, at: key, by: 1)
  }

  private mutating func count(_ result: StepResult, at key: Key, by change: Int) {
    if Self.needsRerun(result) {
      rerunCount += change
    } else if key.item != nil {
      idleItemCount += change
    }
  }

  /// Removes and returns the held result with a key; nil if there is none.
  @discardableResult
  mutating func remove(_ key: Key) -> StepResult? {
    guard let result = results.removeValue(forKey: key) else { return nil }
    count(result, at: key, by: -1)
    counts[key.step] = counts[key.step].flatMap { $0 > 1 ? $0 - 1 : nil }
    return result
  }

  /// The steps that must run again, as positions in the first run's plan, in ascending order.
  var stepsToRerun: [Int] { Set(results.filter { Self.needsRerun($0.value) }.map(\.key.step)).sorted() }

  /// The held results, in the order of their arrival. If a loop failed as a whole and none of its items ran afterwards, the loop has only
  /// this failure as its result.
  var inOrder: [StepResult] {
    var seen: Set<Key> = []
    return order.compactMap { key in
      guard let result = results[key], seen.insert(key).inserted else { return nil }
      return key.item != nil && results[Key(result.step, item: nil)] != nil ? nil : result
    }
  }
}
