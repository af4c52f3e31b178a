/// An action that is scheduled on the engine's thread.
public struct ScheduledAction: Sendable {
  let timer: LoopTimer
  let loop: EngineLoop

  /// Cancels the action, unless it has begun.
  public func cancel() { loop.cancel(timer) }
}
