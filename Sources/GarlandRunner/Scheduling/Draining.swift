/// Sees to it that the values that are kept for steps to come don't become too many.
///
/// The longest path first means that a wide layer of steps runs before those that use what it brings, and all its values are kept meanwhile. Above
/// a limit the steps that use kept values come before all others, as long as one of them is in line or at work. If none is, they wait for something
/// that is not there yet, and the others go on: so nothing waits for ever.
struct Draining {
  let limit: Int
  private var held = 0
  /// Steps that use values that are kept, and have not ended.
  private var users: Set<Int> = []
  /// Those of them that are in line or at work, and not waiting for time to pass.
  private var working: Set<Int> = []

  init(limit: Int) { self.limit = limit }

  /// Whether those that use kept values come first.
  var comesFirst: Bool { held > limit && !working.isEmpty }

  func contains(_ step: Int) -> Bool { users.contains(step) }

  mutating func hold(_ bytes: Int) { held += bytes }

  mutating func release(_ bytes: Int) { held -= bytes }

  mutating func insert(_ step: Int) { users.insert(step) }

  /// It is in line, or at work.
  mutating func works(_ step: Int) {
    if !users.isEmpty, users.contains(step) { working.insert(step) }
  }

  /// It waits for something that is no transfer.
  mutating func rests(_ step: Int) {
    if !working.isEmpty { working.remove(step) }
  }

  /// It has ended.
  mutating func remove(_ step: Int) {
    guard !users.isEmpty else { return }
    users.remove(step)
    working.remove(step)
  }
}
