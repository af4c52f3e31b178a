/// An action that waits for its time on the engine's thread.
public struct ScheduledAction: Sendable {
  let timer: LoopTimer
  let loop: EngineLoop

  /// Prevents the action, unless it has begun already.
  public func cancel() { loop.cancel(timer) }
}
