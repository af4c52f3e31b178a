/// The number of concurrent transfers for which there are descriptors.
struct DescriptorBudget: Equatable {
  /// The descriptors of a run besides its transfers: those of the engine, name lookups, reports,
  /// cookie files and the runtime.
  private static let reserve = 64
  private static let leastReserve = 20

  /// The requested number, if there are enough descriptors.
  let transfers: Int
  /// Whether there may be none left at some time.
  let isScarce: Bool

  /// - Parameters:
  ///   - wanted: how many transfers at once are wanted.
  ///   - limit: how many descriptors there may be.
  ///   - open: how many there are.
  ///   - hasServer: whether the embedded server, which has the other end of each connection, is in this process.
  ///   - reports: how many reports are written.
  /// - Returns: nil if there are not enough for one transfer.
  init?(wanted: Int, limit: Int, open: @autoclosure () -> Int, hasServer: Bool, reports: Int) {
    // A connection, and a file that is sent or received or a connection that is kept for later.
    let each = hasServer ? 3 : 2
    let reserve = Self.reserve + 2 * reports + (hasServer ? 8 : 0)
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

  /// The least limit with which there is one transfer.
  static func least(open: Int, hasServer: Bool, reports: Int) -> Int { open + leastReserve + 2 * reports + (hasServer ? 3 : 2) }
}
