/// Puts the texts of steps and loop items back into plan order. The texts arrive in the order in which the steps and items end.
///
/// A text is returned as soon as the texts of all earlier steps and items have been returned. To limit memory, all held texts are returned
/// once they exceed `limit` bytes. If an early step takes very long while a hundred thousand others end, the texts lose their order, but
/// the machine does not run out of memory.
struct PlanOrder {
  private struct Pending {
    /// The texts of a step's loop items that are held back, by the index of the item.
    var held: [Int: String] = [:]
    /// The index of the loop item whose text is passed on next.
    var nextIteration = 0
    var arrivals = 0
    var hasEnded = false
  }

  /// The position in the plan of the step whose texts are returned next.
  private var nextStep = 0
  private var pending: [Int: Pending] = [:]
  /// The held lines of steps with a single item (as most steps have), by the position of the step in the plan. They are printed only after
  /// the lines of earlier steps.
  private var whole: [Int: String] = [:]
  private var heldBytes = 0
  private let limit: Int

  /// Creates an empty buffer.
  ///
  /// - Parameters:
  ///   - firstIterations: the index of the first item of a loop in this run, if the run has only a part of the loop. The key is the index
  ///     of the step.
  ///   - limit: the number of held bytes above which all held texts are returned.
  init(firstIterations: [Int: Int] = [:], limit: Int = 16 << 20) {
    pending = firstIterations.mapValues { Pending(nextIteration: $0) }
    self.limit = limit
  }

  /// Adds the text of an item, and returns all texts that the caller must write now.
  /// - Parameters:
  ///   - text: the text to hold back until its turn.
  ///   - step: the position of the item's step in the plan.
  ///   - iteration: the position of the item in the loop; nil to place the item after the items of the step that have arrived so far.
  ///   - endsStep: whether the item is the last one of its step.
  mutating func add(_ text: String, step: Int, iteration: Int?, endsStep: Bool) -> [String] {
    guard step >= nextStep else { return [text] }
    if iteration == nil, endsStep, pending.isEmpty || pending[step] == nil {
      if let others = pass(step: step) { return [text] + others }
      // The step has already ended.
      guard whole[step] == nil else { return [text] }
      whole[step] = text
      heldBytes += text.utf8.count
      return heldBytes > limit ? drain() : []
    }
    var entry = pending.removeValue(forKey: step) ?? Pending()
    let place = iteration ?? max(entry.arrivals, entry.nextIteration)
    entry.arrivals += 1
    entry.hasEnded = entry.hasEnded || endsStep
    // An item is late if later items were already written when the memory limit was reached.
    let isLate = place < entry.nextIteration || entry.held[place] != nil
    if !isLate {
      entry.held[place] = text
      heldBytes += text.utf8.count
    }
    pending[step] = entry
    let ready = (isLate ? [text] : []) + release()
    return heldBytes > limit ? ready + drain() : ready
  }

  /// Makes it the turn of the step after `step`. The step `step` must have a single item, whose text the caller writes itself. Has an
  /// effect only if the texts of all earlier steps have been returned.
  ///
  /// - Returns: the held texts that follow the step's text. Nil if an earlier step is missing; the caller must then add the text with
  ///   `add`.
  mutating func pass(step: Int) -> [String]? {
    guard step == nextStep, pending.isEmpty || pending[step] == nil else { return nil }
    nextStep += 1
    return whole.isEmpty && pending.isEmpty ? [] : release()
  }

  /// Removes all lines that are held back, and returns them in the order of the plan.
  mutating func drain() -> [String] {
    var all: [String] = []
    for step in (Array(pending.keys) + Array(whole.keys)).sorted() {
      if let text = whole.removeValue(forKey: step) {
        all.append(text)
        // Further items of the step are then treated as late.
        pending[step] = Pending(nextIteration: 1, arrivals: 1, hasEnded: true)
        continue
      }
      guard var entry = pending.removeValue(forKey: step) else { continue }
      all += PlanOrder.empty(&entry)
      pending[step] = entry
    }
    heldBytes = 0
    return all + release()
  }

  private mutating func release() -> [String] {
    var ready: [String] = []
    while true {
      if !whole.isEmpty, let text = whole.removeValue(forKey: nextStep) {
        ready.append(text)
        heldBytes -= text.utf8.count
        nextStep += 1
        continue
      }
      guard !pending.isEmpty, var entry = pending.removeValue(forKey: nextStep) else { break }
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
