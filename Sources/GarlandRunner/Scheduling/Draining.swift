/// Limits the size of the values that are kept in memory for later steps.
///
/// If the steps of the longest path start first, many steps may run before the steps that use their values, and all these values are kept
/// until then. If the kept values exceed a limit, steps that use kept values start first, and other steps get the remaining transfer slots.
///
/// If the kept values are far above the limit, and a step that uses kept values waits for a slot, no step begins whose own value would also
/// be kept. For example, such a step does not begin on a host with free slots while the other step waits for a slot of a busy host. No step
/// waits for steps that are not ready or are running. Therefore no step waits forever, and a single large value does not delay the run.
struct Draining {
  /// The factor by which the size of the kept values must exceed the limit to count as far above the limit.
  private static let leeway = 3

  let limit: Int
  private let farLimit: Int
  private var held = 0
  /// The steps that use kept values and have not ended.
  private var users: Set<Int> = []
  /// The steps that wait for a transfer slot and use values that are kept in memory for them.
  private var inLine: Set<Int> = []

  init(limit: Int) {
    self.limit = limit
    let (product, overflows) = limit.multipliedReportingOverflow(by: Draining.leeway)
    farLimit = overflows ? .max : product
  }

  /// Whether steps that use kept values start first.
  var comesFirst: Bool { held > limit && !inLine.isEmpty }

  /// Whether a step must not begin for now if its own value would have to be kept in memory for later steps.
  var holdsBack: Bool { held > farLimit && !inLine.isEmpty }

  mutating func hold(_ bytes: Int) { held += bytes }

  mutating func release(_ bytes: Int) { held -= bytes }

  mutating func insert(_ step: Int) { users.insert(step) }

  /// Records that a step waits for a transfer slot. Returns whether the step uses values that are kept in memory for it.
  mutating func linesUp(_ step: Int) -> Bool {
    guard !users.isEmpty, users.contains(step) else { return false }
    inLine.insert(step)
    return true
  }

  /// Records that a step has received a transfer slot, or waits for something else.
  mutating func leavesLine(_ step: Int) {
    if !inLine.isEmpty { inLine.remove(step) }
  }

  /// Removes a step that has ended from ``users`` and ``inLine``.
  mutating func remove(_ step: Int) {
    guard !users.isEmpty else { return }
    users.remove(step)
    inLine.remove(step)
  }
}
