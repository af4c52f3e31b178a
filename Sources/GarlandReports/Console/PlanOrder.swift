/// Puts the texts of steps and loop items back into plan order. The texts arrive in the order in which the steps and items end.
///
/// A text is held back until the texts of all earlier steps and items have been written. To limit memory, all held texts are written once
/// they exceed `limit` bytes. So if an early step takes very long while a hundred thousand other steps end, the texts are not in plan
/// order, but the machine does not run out of memory.
struct PlanOrder {
  private struct Pending {
    /// The texts of the step's loop items that are held back because an earlier text is missing. The key is the index of the item.
    var held: [Int: [UInt8]] = [:]
    /// The index of the loop item whose text must be written next. The text of an item with a smaller index is late: it is written as
    /// soon as it arrives.
    var nextIteration = 0
    var arrivals = 0
    var hasEnded = false
  }

  /// The position in the plan of the step whose texts must be written next. All earlier steps have ended, and their texts were written.
  private var nextStep = 0
  private var pending: [Int: Pending] = [:]
  /// The console lines of steps without a loop. The lines of a step are kept here until the lines of all earlier steps are printed. Each
  /// key is the position of a step in the plan.
  private var whole: [Int: [UInt8]] = [:]
  private var heldBytes = 0
  private let limit: Int

  /// Creates a buffer that holds no texts of steps yet.
  ///
  /// - Parameters:
  ///   - firstIterations: for each loop of which this run executes only a part, the index of the first item in this run. The key is the
  ///     index of the loop's step.
  ///   - limit: the maximum number of bytes of stored texts. If the stored texts exceed this limit, all of them are written at once,
  ///     even if the text of an earlier step has not arrived yet.
  init(firstIterations: [Int: Int] = [:], limit: Int = 16 << 20) {
    pending = firstIterations.mapValues { Pending(nextIteration: $0) }
    self.limit = limit
  }

  /// Adds the text of an item, and passes each text that the caller must write now to `write`.
  /// - Parameters:
  ///   - text: the text to hold back until its turn.
  ///   - step: the position of the item's step in the plan.
  ///   - iteration: the position of the item in the loop; nil to place the item after the items of the step that have arrived so far.
  ///   - endsStep: whether the item is the last one of its step.
  mutating func add(_ text: [UInt8], step: Int, iteration: Int?, endsStep: Bool, write: ([UInt8]) -> Void) {
    guard step >= nextStep else { return write(text) }
    if iteration == nil, endsStep, pending.isEmpty || pending[step] == nil {
      if step == nextStep {
        write(text)
        nextStep += 1
      } else {
        // The step has already ended.
        guard whole[step] == nil else { return write(text) }
        whole[step] = held(text)
      }
    } else {
      var entry = pending.removeValue(forKey: step) ?? Pending()
      let place = iteration ?? max(entry.arrivals, entry.nextIteration)
      entry.arrivals += 1
      entry.hasEnded = entry.hasEnded || endsStep
      // An item is late if later items were already written when the memory limit was reached.
      if place < entry.nextIteration || entry.held[place] != nil {
        write(text)
      } else {
        entry.held[place] = held(text)
      }
      pending[step] = entry
    }
    release(write)
    if heldBytes > limit { drain(write) }
  }

  /// Returns a copy of a text to hold back, which takes only the memory of its bytes. The text itself may have the memory of a longer line,
  /// since the caller uses the memory of a line again.
  private mutating func held(_ text: [UInt8]) -> [UInt8] {
    heldBytes += text.count
    return text.withUnsafeBufferPointer { Array($0) }
  }

  /// Removes all texts that are held back, and passes them to `write` in the order of the plan.
  mutating func drain(_ write: ([UInt8]) -> Void) {
    for step in (Array(pending.keys) + Array(whole.keys)).sorted() {
      if let text = whole.removeValue(forKey: step) {
        write(text)
        // Further items of the step are then treated as late.
        pending[step] = Pending(nextIteration: 1, arrivals: 1, hasEnded: true)
        continue
      }
      guard var entry = pending.removeValue(forKey: step) else { continue }
      writeHeld(of: &entry, write)
      pending[step] = entry
    }
    heldBytes = 0
    release(write)
  }

  /// Passes the texts whose turn has come to `write`.
  private mutating func release(_ write: ([UInt8]) -> Void) {
    while true {
      if !whole.isEmpty, let text = whole.removeValue(forKey: nextStep) {
        write(text)
        heldBytes -= text.count
        nextStep += 1
        continue
      }
      guard !pending.isEmpty, var entry = pending.removeValue(forKey: nextStep) else { break }
      while let text = entry.held.removeValue(forKey: entry.nextIteration) {
        write(text)
        heldBytes -= text.count
        entry.nextIteration += 1
      }
      guard entry.hasEnded else {
        pending[nextStep] = entry
        break
      }
      writeHeld(of: &entry, write)
      nextStep += 1
    }
  }

  /// Passes all texts of a step that are held back to `write`.
  private mutating func writeHeld(of entry: inout Pending, _ write: ([UInt8]) -> Void) {
    for (place, text) in entry.held.sorted(by: { $0.key < $1.key }) {
      write(text)
      heldBytes -= text.count
      entry.nextIteration = max(entry.nextIteration, place + 1)
    }
    entry.held = [:]
  }
}
