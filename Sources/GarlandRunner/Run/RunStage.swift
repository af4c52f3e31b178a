/// The stage of a run: when the run began, whether its steps have started, whether every step has ended, and whether all work has ended. The
/// value also stores the callers that wait for the end of the steps or of all work.
struct RunStage {
  /// The time of the run's clock when the run was created. The times in events and results are counted from it.
  let beganAt: Duration
  /// The reason of a stop that was requested before the run started; nil if no stop was requested. If there is a reason, the run stops
  /// before its first step begins.
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
  /// The callback that tells the calling run that all steps of this run have ended; nil unless this is the run of a called document.
  private var whenFinished: (@Sendable () -> Void)?

  init(beganAt: Duration) { self.beganAt = beganAt }

  /// Whether the run has started and its last step has not ended. During this time, the caller of `start()` waits for the end of the run.
  var hasStarted: Bool { finishing != nil }

  mutating func begins(until continuation: CheckedContinuation<Void, Never>) { finishing = continuation }

  /// Marks the run of a called document as begun, and stores the callback that tells the calling run when the called run has ended.
  mutating func begins(whenFinished: @escaping @Sendable () -> Void) { self.whenFinished = whenFinished }

  mutating func stops(atStartFor reason: StopReason) { stopAtStart = stopAtStart ?? reason }

  /// Records that every step has ended. Returns the callback that continues the calling run; nil if no run waits for the end of this run.
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
