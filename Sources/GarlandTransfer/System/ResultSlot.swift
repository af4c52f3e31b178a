import Synchronization

/// Passes a result from the engine's thread to a task. The result may arrive before or after the task begins to wait for it.
///
/// A slot is filled once and awaited once.
///
/// An unsafe continuation must be resumed exactly once. If the slot is empty, the continuation is stored in the state. The thread that
/// fills the slot removes the continuation from the state under the lock, and then resumes it. If the slot is already filled, the
/// continuation is resumed immediately and never stored. All continuations in this module follow this rule. A checked continuation would
/// cost an allocation per request, and ThreadSanitizer would report data races that do not exist (Tests/Sanitizers/runtime.c).
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
