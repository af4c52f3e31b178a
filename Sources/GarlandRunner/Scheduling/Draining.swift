/// Sees to it that the values that are kept for steps to come don't become too many.
///
/// The longest path first means that a wide layer of steps runs before those that use what it brings, and all its values are kept meanwhile. Above
/// a limit the steps that use kept values come first, and the others take the slots that these leave. Far above it steps whose own values would be
/// kept as well don't begin while one of those is in line, as where all slots of one host are taken and those of another are not. Nobody waits for
/// steps that are not ready, or at work: so nothing waits for ever, and a large value alone holds nobody up.
struct Draining {
  /// How many times the limit is far above it.
  private static let leeway = 3

  let limit: Int
  private let farLimit: Int
  private var held = 0
  /// Steps that use values that are kept, and have not ended.
  private var users: Set<Int> = []
  /// Those of them that wait for a slot to begin.
  private var inLine: Set<Int> = []

  init(limit: Int) {
    self.limit = limit
    let (product, overflows) = limit.multipliedReportingOverflow(by: Draining.leeway)
    farLimit = overflows ? .max : product
  }

  /// Whether those that use kept values come first.
  var comesFirst: Bool { held > limit && !inLine.isEmpty }

  /// Whether nothing more is to be kept for now.
  var holdsBack: Bool { held > farLimit && !inLine.isEmpty }

  mutating func hold(_ bytes: Int) { held += bytes }

  mutating func release(_ bytes: Int) { held -= bytes }

  mutating func insert(_ step: Int) { users.insert(step) }

  /// It waits for a slot. Gives whether it uses what is kept.
  mutating func linesUp(_ step: Int) -> Bool {
    guard !users.isEmpty, users.contains(step) else { return false }
    inLine.insert(step)
    return true
  }

  /// It has a slot, or waits for something else.
  mutating func leavesLine(_ step: Int) {
    if !inLine.isEmpty { inLine.remove(step) }
  }

  /// It has ended.
  mutating func remove(_ step: Int) {
    guard !users.isEmpty else { return }
    users.remove(step)
    inLine.remove(step)
  }
}
