/// Decides when to report the progress of a running transfer: at most every 50 ms. After a successful transfer, ``Transfer`` also reports
/// the final progress.
struct ProgressTeller {
  /// The next action of the event loop when a transfer has new progress: report the progress now (`tell`), report it later (`wait`), or
  /// do nothing because the transfer is not running (`rest`).
  enum Step: Equatable {
    case tell
    /// Progress was reported recently, so report it again only at the given time.
    case wait(until: UInt64)
    case rest
  }

  private let listener: (@Sendable (TransferProgress) -> Void)?
  private var nextAt: UInt64 = 0
  private var hasNews = false
  private static let interval: UInt64 = 50_000_000

  init(_ listener: (@Sendable (TransferProgress) -> Void)?) { self.listener = listener }

  var isHeard: Bool { listener != nil }

  /// Records that bytes were sent or received. Returns true if the caller has to schedule a progress report.
  mutating func noteBytes() -> Bool {
    guard listener != nil, !hasNews else { return false }
    hasNews = true
    return true
  }

  mutating func forgetNews() { hasNews = false }

  /// Returns the next action of the caller at the time `now`, in nanoseconds.
  ///
  /// - `tell`: report the new progress now.
  /// - `wait`: report the new progress at a later time, since the last report is too recent.
  /// - `rest`: report nothing, since the transfer is not running.
  mutating func next(at now: UInt64, isRunning: Bool) -> Step {
    if isRunning, now < nextAt { return .wait(until: nextAt) }
    hasNews = false
    guard isRunning else { return .rest }
    nextAt = now &+ Self.interval
    return .tell
  }

  func tell(_ progress: TransferProgress) { listener?(progress) }
}

/// The upload and download progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
  /// The number of bytes of the request's body that were passed to the network.
  public let sent: Int64
  /// The size of the request's body in bytes; nil if unknown.
  public let toSend: Int64?
  /// The number of decoded bytes of the response's body.
  public let received: Int64
  /// The announced size of the response's body in bytes; nil if it is unknown or the body has a content coding.
  public let toReceive: Int64?
}
