import GarlandTransfer

/// The stage of a run: whether it has started, whether every step has ended, and whether all work has ended. Also stores the callers that
/// wait for the end of the steps or of all work.
struct RunStage {
  /// The reason for a stop that was requested before the run started, so that the run stops as soon as it starts; nil without such a
  /// request.
  private(set) var stopAtStart: StopReason?
  /// Whether the run was aborted, so that it ends immediately, without waiting for transfers or cleanups.
  var isAborted = false
  /// Whether every step has ended.
  private(set) var isFinished = false
  /// Whether `start()` has finished all its work.
  private(set) var hasEnded = false
  var deadlineTimer: (any Cancellable)?
  private var finishing: CheckedContinuation<Void, Never>?
  private var endWaiters: [CheckedContinuation<Void, Never>] = []
  /// The callback that notifies the calling run when every step has ended; nil unless this is the run of a called document.
  private var whenFinished: (@Sendable () -> Void)?

  /// Whether the run has started and its last step has not ended, so that the caller of `start()` waits.
  var hasStarted: Bool { finishing != nil }

  mutating func begins(until continuation: CheckedContinuation<Void, Never>) { finishing = continuation }

  /// Marks the run of a called document as begun, and stores the callback that notifies the calling run of its end.
  mutating func begins(whenFinished: @escaping @Sendable () -> Void) { self.whenFinished = whenFinished }

  mutating func stops(atStartFor reason: StopReason) { stopAtStart = stopAtStart ?? reason }

  /// Records that every step has ended. Returns the callback with which a calling run continues; nil if no run waits for the end.
  mutating func finish() -> (@Sendable () -> Void)? {
    isFinished = true
    finishing?.resume()
    finishing = nil
    defer { whenFinished = nil }
    return whenFinished
  }

  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) { endWaiters.append(continuation) }

  mutating func end() {
    hasEnded = true
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
  }
}
