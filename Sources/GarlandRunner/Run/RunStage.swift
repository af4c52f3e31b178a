import GarlandTransfer

/// The stage of a run between its beginning and its end, and the callers that wait for it.
struct RunStage {
  /// Why a run is to stop that has not started.
  private(set) var stopAtStart: StopReason?
  /// Whether it ends at once, without waiting.
  var isAborted = false
  /// Whether every step has ended.
  private(set) var isFinished = false
  /// Whether `start()` has nothing more to do.
  private(set) var hasEnded = false
  var deadlineTimer: (any Cancellable)?
  private var finishing: CheckedContinuation<Void, Never>?
  private var endWaiters: [CheckedContinuation<Void, Never>] = []
  /// Called when every step has ended, in a run that was called.
  private var whenFinished: (@Sendable () -> Void)?

  /// Whether somebody waits for the last step.
  var hasStarted: Bool { finishing != nil }

  mutating func begins(until continuation: CheckedContinuation<Void, Never>) { finishing = continuation }

  /// A run that another has called begins.
  mutating func begins(whenFinished: @escaping @Sendable () -> Void) { self.whenFinished = whenFinished }

  mutating func stops(atStartFor reason: StopReason) { stopAtStart = stopAtStart ?? reason }

  /// Notes that every step has ended. Returns the callback of the calling run.
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
