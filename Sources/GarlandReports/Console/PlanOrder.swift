/// Puts the texts of steps and loop items back into plan order. The texts arrive in the order in which the steps and items end.
///
/// A text is held back until the texts of all earlier steps and items have been returned. To limit memory, all held texts are returned once
/// they exceed `limit` bytes. So if an early step takes very long while a hundred thousand other steps end, the texts are not in plan
/// order, but the machine does not run out of memory.
struct PlanOrder {
  private struct Pending {
    /// The texts of the step's loop items that are held back because an earlier text is missing. The key is the index of the item.
    var held: [Int: String] = [:]
    /// The index of the loop item whose text must be returned next. The text of an item with a smaller index is late: it is returned as
    /// soon as it arrives.
    var nextIteration = 0
    var arrivals = 0
    var hasEnded = false
  }

  /// The position in the plan of the step whose texts must be returned next. All earlier steps have ended, and their texts were returned.
  private var nextStep = 0
  private var pending: [Int: Pending] = [:]
  /// The console lines of steps without a loop. The lines of a step are kept here until the lines of all earlier steps are printed. Each
  /// key is the position of a step in the plan.
  private var whole: [Int: String] = [:]
  private var heldBytes = 0
  private let limit: Int

  /// Creates a buffer that holds no texts of steps yet.
  ///
  /// - Parameters:
  ///   - firstIterations: for each loop of which this run executes only a part, the index of the first item in this run. The key is the
  ///     index of the loop's step.
  ///   - limit: the maximum number of bytes of stored texts. If the stored texts exceed this limit, the caller gets all of them at once,
  ///     even if the text of an earlier step has not arrived yet.
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

  /// Records that the caller writes the text of a step itself. This is possible only if the texts of all earlier steps were returned. The
  /// step must not have a loop.
  ///
  /// - Returns: the held-back texts that the caller must write directly after the text of the step. Nil if the text of an earlier step was
  ///   not returned yet: then nothing changes, and the caller must pass the text of the step to `add`.
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
