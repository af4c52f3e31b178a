/// The life cycle of a request: starting, suspending, resuming, cancelling, and the tasks that wait for it.
///
/// The type only keeps the state: methods such as ``resume()`` change it, and return the action that the caller must then perform.
struct RequestLife: Sendable, Hashable {
  enum Phase: Sendable, Hashable {
    /// The request was created, but its work has not begun.
    case new
    /// The work has begun and has not ended. A suspended request stays in this state.
    case running
    case finished
  }

  enum Action: Sendable, Hashable {
    case nothing
    /// Begin the work of the request.
    case start
    /// Suspend the transfer, if there is one.
    case suspendTransfer
    case resumeTransfer
    /// Stop the work. The request ends when the work has stopped.
    case stop
    /// End the request as cancelled. Only a request whose work has not begun needs this action; the work of any other request ends the
    /// request by itself.
    case finishCancelled
  }

  private(set) var phase = Phase.new
  private(set) var isSuspended = false
  private(set) var isCancelled = false
  private var waiters: Set<Int> = []
  private var departed: Set<Int> = []
  private var lastWaiter = 0

  /// Starts the request, because a task begins to wait for its result. If the request is suspended, it starts when it is resumed.
  mutating func begin() -> Action {
    guard phase == .new else { return .nothing }
    if isSuspended { return .nothing }
    phase = .running
    return .start
  }

  /// Starts the request, or continues a suspended request.
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

  /// Records the end of the request's work. Returns false if the work had already ended before.
  mutating func finish() -> Bool {
    if phase == .finished { return false }
    phase = .finished
    return true
  }

  /// Sets the phase of a finished request back to running, for a retry. Returns false if the request was cancelled or has not finished.
  mutating func restart() -> Bool {
    guard phase == .finished, !isCancelled else { return false }
    phase = .running
    waiters = []
    return true
  }

  // MARK: Waiting tasks

  /// Returns the number that identifies a task that is about to wait for the request.
  mutating func newWaiter() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  /// Adds a task that waits for the request. Returns false if ``leave(_:)`` was already called for the task.
  mutating func join(_ waiter: Int) -> Bool {
    if departed.remove(waiter) != nil { return false }
    waiters.insert(waiter)
    return true
  }

  /// Removes a waiting task. If no task waits any more, the request is cancelled, since no task needs the result.
  mutating func leave(_ waiter: Int) -> Action {
    guard waiters.remove(waiter) != nil else {
      departed.insert(waiter)
      return .nothing
    }
    return waiters.isEmpty ? cancel() : .nothing
  }
}
