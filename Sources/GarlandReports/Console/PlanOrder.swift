/// Puts what comes in order of completion back into the order of the plan.
///
/// An item leaves as soon as everything before it has left. To bound memory, all that is held leaves once it exceeds `limit` bytes: a
/// first step that takes for ever while a hundred thousand others end costs their order, not the machine.
struct PlanOrder {
  private struct Pending {
    /// By iteration.
    var held: [Int: String] = [:]
    /// The iteration that leaves next.
    var nextIteration = 0
    var arrivals = 0
    var hasEnded = false
  }

  /// The step that leaves next.
  private var nextStep = 0
  private var pending: [Int: Pending] = [:]
  private var heldBytes = 0
  private let limit: Int

  init(limit: Int = 16 << 20) { self.limit = limit }

  /// Adds an item and returns what can leave now.
  /// - Parameters:
  ///   - text: what is held until its turn.
  ///   - step: its step's place in the plan.
  ///   - iteration: its place in the loop; nil for the order of arrival.
  ///   - endsStep: whether it is its step's last.
  mutating func add(_ text: String, step: Int, iteration: Int?, endsStep: Bool) -> [String] {
    guard step >= nextStep else { return [text] }
    if step == nextStep, pending.isEmpty, endsStep {
      nextStep += 1
      return [text]
    }
    var entry = pending.removeValue(forKey: step) ?? Pending()
    let place = iteration ?? entry.arrivals
    entry.arrivals += 1
    entry.hasEnded = entry.hasEnded || endsStep
    // Its turn has passed when everything was let go.
    let isLate = place < entry.nextIteration || entry.held[place] != nil
    if !isLate {
      entry.held[place] = text
      heldBytes += text.utf8.count
    }
    pending[step] = entry
    let ready = (isLate ? [text] : []) + release()
    return heldBytes > limit ? ready + drain() : ready
  }

  /// Everything that is still held, in order.
  mutating func drain() -> [String] {
    var all: [String] = []
    for step in pending.keys.sorted() {
      guard var entry = pending.removeValue(forKey: step) else { continue }
      all += PlanOrder.empty(&entry)
      pending[step] = entry
    }
    heldBytes = 0
    return all + release()
  }

  private mutating func release() -> [String] {
    var ready: [String] = []
    while var entry = pending.removeValue(forKey: nextStep) {
      while let text = entry.held.removeValue(forKey: entry.nextIteration) {
        ready.append(text)
        heldBytes -= text.utf8.count
        entry.nextIteration += 1
      }
      guard entry.hasEnded else {
        pending[nextStep] = entry
        break
      }
      for text in PlanOrder.empty(&entry) {
        ready.append(text)
        heldBytes -= text.utf8.count
      }
      nextStep += 1
    }
    return ready
  }

  private static func empty(_ entry: inout Pending) -> [String] {
    let places = entry.held.keys.sorted()
    let texts = places.compactMap { entry.held[$0] }
    entry.nextIteration = max(entry.nextIteration, (places.last ?? -1) + 1)
    entry.held = [:]
    return texts
  }
}
