/// From being made to its end: what a request does when it is started, suspended, resumed, cancelled, waited for, and left alone.
///
/// A pure value. Each change returns what is to be done.
struct RequestLife: Sendable, Hashable {
  enum Phase: Sendable, Hashable {
    /// Made; nothing has begun.
    case new
    /// Its work goes on, or would if it were not suspended.
    case running
    case finished
  }

  enum Action: Sendable, Hashable {
    case nothing
    /// Begin the work.
    case start
    /// Hold the transfer, if there is one.
    case suspendTransfer
    case resumeTransfer
    /// Stop the work. It will then end by itself.
    case stop
    /// There is no work that could end by itself: end it here.
    case finishCancelled
  }

  private(set) var phase = Phase.new
  private(set) var isSuspended = false
  private(set) var isCancelled = false
  /// Whether it would have begun if it were not suspended.
  private var wantsStart = false
  private var waiters: Set<Int> = []
  private var departed: Set<Int> = []
  private var lastWaiter = 0

  /// Somebody wants it to run.
  mutating func begin() -> Action {
    guard phase == .new else { return .nothing }
    if isSuspended {
      wantsStart = true
      return .nothing
    }
    phase = .running
    return .start
  }

  /// Somebody wants it to run, and to go on if it is suspended.
  mutating func resume() -> Action {
    let wasSuspended = isSuspended
    isSuspended = false
    switch phase {
    case .new: return begin()
    case .running: return wasSuspended ? .resumeTransfer : .nothing
    case .finished: return .nothing
    }
  }

  mutating func suspend() -> Action {
    guard phase != .finished, !isSuspended else { return .nothing }
    isSuspended = true
    return phase == .running ? .suspendTransfer : .nothing
  }

  mutating func cancel() -> Action {
    guard phase != .finished, !isCancelled else { return .nothing }
    isCancelled = true
    if phase == .running { return .stop }
    phase = .finished
    return .finishCancelled
  }

  /// The work has ended. False if it had before.
  mutating func finish() -> Bool {
    if phase == .finished { return false }
    phase = .finished
    return true
  }

  // MARK: Those who wait

  /// A number for somebody who is about to wait.
  mutating func newWaiter() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  /// They wait now. False if they have gone already.
  mutating func join(_ waiter: Int) -> Bool {
    if departed.remove(waiter) != nil { return false }
    waiters.insert(waiter)
    return true
  }

  /// They do not wait any more. When they were the last one, nobody wants the result and the request is cancelled.
  mutating func leave(_ waiter: Int) -> Action {
    guard waiters.remove(waiter) != nil else {
      departed.insert(waiter)
      return .nothing
    }
    return waiters.isEmpty ? cancel() : .nothing
  }
}
