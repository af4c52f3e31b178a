import GarlandResults

/// Collects the slowest steps of a run, slowest first. A step with several results, as in a loop or in repetitions, is listed once, with
/// its slowest result.
struct SlowestSteps {
  struct Entry {
    let name: String
    let action: String
    /// The duration, rounded to microseconds as in reports.
    let duration: Duration
    fileprivate let step: Int
    fileprivate let iteration: Int

    /// Whether this entry comes before the given result in the list of the slowest results: it took longer, or it took the same time and
    /// comes earlier in the plan. The order in which the results ended does not matter.
    fileprivate func isBefore(_ duration: Duration, _ result: StepResult) -> Bool {
      if self.duration != duration { return self.duration > duration }
      return (step, iteration) < (result.step.index, result.iterationIndex ?? 0)
    }
  }

  private(set) var entries: [Entry] = []
  /// The number of results that were compared, including those that are not among the slowest.
  private(set) var resultCount = 0
  /// The maximum number of steps in the list.
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func count(_ result: StepResult, _ label: StepLabel) {
    resultCount += 1
    let duration = Duration.microseconds(Readable.microseconds(result.duration))
    guard duration > .zero, entries.count < limit || entries.last.map({ !$0.isBefore(duration, result) }) == true else { return }
    if let known = entries.firstIndex(where: { $0.step == result.step.index }) {
      if entries[known].isBefore(duration, result) { return }
      entries.remove(at: known)
    }
    let place = entries.firstIndex { !$0.isBefore(duration, result) } ?? entries.count
    entries.insert(
      Entry(
        name: label.name(result.step, iteration: result.iteration), action: label.action(result), duration: duration,
        step: result.step.index, iteration: result.iterationIndex ?? 0), at: place)
    if entries.count > limit { entries.removeLast() }
  }
}
