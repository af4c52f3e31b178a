import Synchronization

/// A result on its way from the engine's thread to the task that waits for it, whoever comes first. It is filled once and waited for once.
///
/// An unsafe continuation may be resumed once only: it is in the state, from which whoever fills takes it under the lock, or it never gets there and is resumed
/// on the spot. So it is with all of this target's: a checked one would cost an allocation for every request, and what it orders can't be told to
/// ThreadSanitizer (Tests/Sanitizers/runtime.c).
final class ResultSlot<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(UnsafeContinuation<Value, Never>)
    case filled(Value)
  }
  private let state = Mutex(State.empty)

  func fill(_ value: Value) {
    let waiting: UnsafeContinuation<Value, Never>? = state.withLock { state in
      if case .waiting(let continuation) = state {
        state = .empty
        return continuation
      }
      state = .filled(value)
      return nil
    }
    waiting?.resume(returning: value)
  }

  func value() async -> Value {
    await withUnsafeContinuation { continuation in
      let value: Value? = state.withLock { state in
        if case .filled(let value) = state { return value }
        state = .waiting(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
