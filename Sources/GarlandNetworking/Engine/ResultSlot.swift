import Synchronization

/// A result on its way from the engine's thread to the task that waits for it, whoever comes first.
final class ResultSlot<Value: Sendable>: Sendable {
  private enum State {
    case empty
    case waiting(CheckedContinuation<Value, Never>)
    case filled(Value)
  }
  private let state = Mutex(State.empty)

  func fill(_ value: Value) {
    let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
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
    await withCheckedContinuation { continuation in
      let value: Value? = state.withLock { state in
        if case .filled(let value) = state { return value }
        state = .waiting(continuation)
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
