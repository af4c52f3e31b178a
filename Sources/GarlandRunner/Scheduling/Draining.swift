/// Limits the size of the values that are kept in memory for later steps.
///
/// With the longest path first, many steps may run before the steps that use their values, and all these values are kept meanwhile. If the
/// kept values exceed a limit, steps that use kept values start first, and other steps get the remaining transfer slots.
///
/// Far above the limit, a step whose own value would also be kept does not begin while a step that uses kept values waits for a
/// slot. This applies, for example, if all slots of one host are taken and slots of another host are free. No step waits for
/// steps that are not ready or are running. Therefore no step waits forever, and a single large value does not delay the run.
struct Draining {
  /// The factor by which the size of the kept values must exceed the limit to count as far above the limit.
  private static let leeway = 3

  let limit: Int
  private let farLimit: Int
  private var held = 0
  /// The steps that use kept values and have not ended.
  private var users: Set<Int> = []
  /// The steps that use kept values and are waiting for a transfer slot.
  private var inLine: Set<Int> = []

  init(limit: Int) {
    self.limit = limit
    let (product, overflows) = limit.multipliedReportingOverflow(by: Draining.leeway)
    farLimit = overflows ? .max : product
  }

  /// Whether steps that use kept values start first.
  var comesFirst: Bool { held > limit && !inLine.isEmpty }

  /// Whether steps whose own values would be kept must not begin for now.
  var holdsBack: Bool { held > farLimit && !inLine.isEmpty }

  mutating func hold(_ bytes: Int) { held += bytes }

  mutating func release(_ bytes: Int) { held -= bytes }

  mutating func insert(_ step: Int) { users.insert(step) }

  /// Records that a step waits for a transfer slot. Returns whether the step uses kept values.
  mutating func linesUp(_ step: Int) -> Bool {
    guard !users.isEmpty, users.contains(step) else { return false }
    inLine.insert(step)
    return true
  }

  /// Records that a step has received a transfer slot, or waits for something else.
  mutating func leavesLine(_ step: Int) {
    if !inLine.isEmpty { inLine.remove(step) }
  }

  /// Removes an ended step from the queues.
  mutating func remove(_ step: Int) {
    guard !users.isEmpty else { return }
    users.remove(step)
    inLine.remove(step)
  }
}
