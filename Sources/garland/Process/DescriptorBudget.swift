/// The number of concurrent transfers for which there are enough file descriptors.
struct DescriptorBudget: Equatable {
  /// The number of descriptors that a run needs in addition to its transfers: for the engine, name lookups, reports, cookie files and the
  /// Swift runtime.
  private static let reserve = 64
  private static let leastReserve = 20

  /// The number of concurrent transfers: the requested number, or fewer if descriptors are scarce.
  let transfers: Int
  /// Whether the process may run out of file descriptors during the run.
  let isScarce: Bool

  /// Computes the budget.
  ///
  /// - Parameters:
  ///   - wanted: the requested number of concurrent transfers.
  ///   - limit: the maximum number of descriptors.
  ///   - open: the number of open descriptors.
  ///   - hasServer: whether the embedded server runs in this process. In this case, the process has both ends of each connection.
  ///   - reports: the number of reports that are written.
  ///   - threads: the number of threads that send. Each needs three descriptors of its own.
  /// - Returns: nil if there are not enough descriptors for a single transfer.
  init?(wanted: Int, limit: Int, open: @autoclosure () -> Int, hasServer: Bool, reports: Int, threads: Int = 1) {
    // A transfer needs a descriptor for its connection, and one for a file or for a connection that is kept for later.
    let each = hasServer ? 3 : 2
    let reserve = Self.reserve + 2 * reports + (hasServer ? 8 : 0) + 3 * (threads - 1)
    let (most, isBeyond) = wanted.multipliedReportingOverflow(by: each)
    if !isBeyond, limit - 2 * reserve >= most {
      transfers = wanted
      isScarce = false
      return
    }
    let left = limit - open()
    let possible = (left - max(Self.leastReserve + 2 * reports, min(reserve, left / 2))) / each
    guard possible >= 1 else { return nil }
    transfers = min(wanted, possible)
    isScarce = true
  }

  /// Returns the lowest limit on open descriptors that is sufficient for one transfer.
  static func least(open: Int, hasServer: Bool, reports: Int) -> Int { open + leastReserve + 2 * reports + (hasServer ? 3 : 2) }
}
