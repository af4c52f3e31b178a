/// Says when to tell how far a transfer has come: at most every 50 ms, and what came last at its end.
struct ProgressTeller {
  /// What to do now.
  enum Step: Equatable {
    case tell
    /// It has told just before, and may again at this time.
    case wait(until: UInt64)
    case rest
  }

  private let listener: (@Sendable (TransferProgress) -> Void)?
  private var nextAt: UInt64 = 0
  private var hasNews = false
  private static let interval: UInt64 = 50_000_000

  init(_ listener: (@Sendable (TransferProgress) -> Void)?) { self.listener = listener }

  var isHeard: Bool { listener != nil }

  /// Notes that bytes moved. Returns whether that is news for the core.
  mutating func noteBytes() -> Bool {
    guard listener != nil, !hasNews else { return false }
    hasNews = true
    return true
  }

  mutating func forgetNews() { hasNews = false }

  /// Returns what to do with the news at `now`.
  mutating func next(at now: UInt64, isRunning: Bool) -> Step {
    if isRunning, now < nextAt { return .wait(until: nextAt) }
    hasNews = false
    guard isRunning else { return .rest }
    nextAt = now &+ Self.interval
    return .tell
  }

  func tell(_ progress: TransferProgress) { listener?(progress) }
}
