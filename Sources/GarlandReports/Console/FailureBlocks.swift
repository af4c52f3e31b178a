import GarlandDiagnostics
import GarlandResults

/// The failures that the console shows after the last step, up to a limit.
struct FailureBlocks {
  /// The lines about a result that did not pass.
  struct Block {
    let step: Int
    let iteration: Int
    let lines: [StyledText]
    let annotations: [String]
    /// The number of further items of the same loop that were not sent for the same reason. The lines of this block represent these items,
    /// too.
    fileprivate(set) var alike = 0

    init(step: Int, iteration: Int, lines: [StyledText], annotations: [String]) {
      self.step = step
      self.iteration = iteration
      self.lines = lines
      self.annotations = annotations
    }
  }

  private let limit: Int
  private var blocks: [Block] = []
  /// For items of a loop that were not sent, the index in `blocks` of the block that represents them. All items of the loop that were not
  /// sent for the same reason share a block. The key is a text with the index of the loop's step and the reason.
  private var unsent: [String: Int] = [:]
  /// The number of failures for which no block was stored, because the limit on the number of blocks was reached.
  private(set) var omittedCount = 0

  init(limit: Int) { self.limit = limit }

  /// The blocks in plan order, regardless of the order in which the steps ended.
  var inPlanOrder: [Block] { blocks.sorted { ($0.step, $0.iteration) < ($1.step, $1.iteration) } }

  /// Adds the block of a result. If an earlier block already represents the result, or if there are too many blocks, the result is only
  /// counted, and `block` is not called.
  mutating func add(_ result: StepResult, _ block: () -> Block) {
    if result.iteration != nil, result.exchanges.isEmpty, result.failures.isEmpty, let reason = result.reason {
      let key = "\(result.step.index) \(reason)"
      if let known = unsent[key] {
        blocks[known].alike += 1
        return
      }
      if blocks.count < limit { unsent[key] = blocks.count }
    }
    guard blocks.count < limit else {
      omittedCount += 1
      return
    }
    blocks.append(block())
  }
}
