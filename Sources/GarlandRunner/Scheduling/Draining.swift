/// Limits the size of the values that are kept in memory for later steps.
///
/// If the steps of the longest path start first, many steps may run long before the steps that use their values, and all these values stay
/// in memory. Therefore, if the kept values exceed a limit, steps that use kept values start first, and other steps get the remaining
/// transfer slots.
///
/// A second, higher limit applies while a user (a step that uses kept values) waits for a transfer slot. If the kept values exceed this
/// limit, a step whose own values would also be kept does not start, even if it needs a slot of another host. Such a step waits only as
/// long as the user waits for its slot. Therefore no step waits forever, and a single large value does not delay the run.
struct Draining {
  /// The factor for ``holdsBack``: steps are held back only if the stored values are larger than the limit multiplied by this factor.
  private static let leeway = 3

  let limit: Int
  private let farLimit: Int
  private var held = 0
  /// The steps that use kept values and have not ended. Kept values are values of other steps that stay in memory for later steps.
  private var users: Set<Int> = []
  /// The steps in ``users`` that wait for a transfer slot.
  private var inLine: Set<Int> = []

  init(limit: Int) {
    self.limit = limit
    let (product, overflows) = limit.multipliedReportingOverflow(by: Draining.leeway)
    farLimit = overflows ? .max : product
  }

  /// Whether steps that use kept values must start before all other steps. True if the size of the kept values exceeds the limit while such
  /// a step waits for a transfer slot.
  var comesFirst: Bool { held > limit && !inLine.isEmpty }

  /// Whether to hold back steps whose values would be kept in memory for later steps. True while the kept values are far above the limit
  /// and a step that uses kept values waits for a transfer slot.
  var holdsBack: Bool { held > farLimit && !inLine.isEmpty }

  mutating func hold(_ bytes: Int) { held += bytes }

  mutating func release(_ bytes: Int) { held -= bytes }

  mutating func insert(_ step: Int) { users.insert(step) }

  /// If a step uses stored values of other steps, records that the step waits for a transfer slot, and returns true. For any other step,
  /// returns false.
  mutating func linesUp(_ step: Int) -> Bool {
    guard !users.isEmpty, users.contains(step) else { return false }
    inLine.insert(step)
    return true
  }

  /// Records that a step no longer waits for a transfer slot: the step has received a slot, or now waits for a resource instead.
  mutating func leavesLine(_ step: Int) {
    if !inLine.isEmpty { inLine.remove(step) }
  }

  /// Removes a step from ``users`` and from ``inLine``, because the step has ended.
  mutating func remove(_ step: Int) {
    guard !users.isEmpty else { return }
    users.remove(step)
    inLine.remove(step)
  }
}
