/// Limits the values that are kept for later steps.
///
/// With the longest path first, a wide layer of steps runs before the steps that use its values,
/// and all its values are kept meanwhile. Above a limit, the steps that use kept values start
/// first, and the others get the remaining slots. Far above it, steps whose own values would be
/// kept as well don't begin while one of those is in line, for example if all slots of one host are
/// taken and those of another are free. No step waits for steps that are not ready or are running:
/// so no step waits for ever, and one large value does not hold up the run.
struct Draining {
  /// The factor from which the amount is far above the limit.
  private static let leeway = 3

  let limit: Int
  private let farLimit: Int
  private var held = 0
  /// Steps that use values that are kept, and have not ended.
  private var users: Set<Int> = []
  /// The steps using kept values that wait for a slot.
  private var inLine: Set<Int> = []

  init(limit: Int) {
    self.limit = limit
    let (product, overflows) = limit.multipliedReportingOverflow(by: Draining.leeway)
    farLimit = overflows ? .max : product
  }

  /// Whether those that use kept values come first.
  var comesFirst: Bool { held > limit && !inLine.isEmpty }

  /// Whether no further response may be kept for now.
  var holdsBack: Bool { held > farLimit && !inLine.isEmpty }

  mutating func hold(_ bytes: Int) { held += bytes }

  mutating func release(_ bytes: Int) { held -= bytes }

  mutating func insert(_ step: Int) { users.insert(step) }

  /// Notes that a step waits for a slot. Returns whether it uses kept values.
  mutating func linesUp(_ step: Int) -> Bool {
    guard !users.isEmpty, users.contains(step) else { return false }
    inLine.insert(step)
    return true
  }

  /// Notes that a step has a slot, or waits for something else.
  mutating func leavesLine(_ step: Int) {
    if !inLine.isEmpty { inLine.remove(step) }
  }

  /// Notes that a step has ended.
  mutating func remove(_ step: Int) {
    guard !users.isEmpty else { return }
    users.remove(step)
    inLine.remove(step)
  }
}
