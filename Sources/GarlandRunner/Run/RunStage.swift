import GarlandTransfer

/// The progress of a run between its beginning and its end, and the callers that wait for it.
struct RunStage {
  /// The reason why the run must stop as soon as it starts; nil for a run that may proceed.
  private(set) var stopAtStart: StopReason?
  /// Whether the run ends at once, without waiting for anything.
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

  /// Whether the run has started, so that a caller waits for its last step.
  var hasStarted: Bool { finishing != nil }

  mutating func begins(until continuation: CheckedContinuation<Void, Never>) { finishing = continuation }

  /// Stores the callback that notifies the calling run. The run of a called document begins with this call.
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
