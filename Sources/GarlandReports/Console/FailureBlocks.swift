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
    /// The number of other loop items that this block also represents. These items and the item that the block shows were not sent, all for
    /// the same reason.
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
  /// The indexes, in `blocks`, of the blocks about loop items that were not sent. All items of a loop that were not sent for the same
  /// reason share one block. The key is a text with the index of the loop's step and the reason.
  private var unsent: [String: Int] = [:]
  /// The number of failures for which no block was stored, because the limit on the number of blocks was reached.
  private(set) var omittedCount = 0

  init(limit: Int) { self.limit = limit }

  /// The blocks in plan order, regardless of the order in which the steps ended.
  var inPlanOrder: [Block] { blocks.sorted { ($0.step, $0.iteration) < ($1.step, $1.iteration) } }

  /// Adds the block of lines for a failed result. In two cases, the result is only counted, and `block` is not called:
  /// - There are already too many blocks.
  /// - The result is a loop item that sent no request, and the block of another item of the loop already shows the same reason.
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
