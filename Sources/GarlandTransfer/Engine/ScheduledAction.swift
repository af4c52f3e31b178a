/// An action scheduled on the engine's thread.
public struct ScheduledAction: Sendable {
  let timer: LoopTimer
  let loop: EngineLoop

  /// Prevents the action, unless it has begun.
  public func cancel() { loop.cancel(timer) }
}
