import Synchronization

/// Random numbers that are the same for each attempt of a request: an idempotency key stays the
/// same for a retry.
final class RandomTape: Sendable {
  private struct State {
    var drawn: [UInt64] = []
    var position = 0
  }

  private let state = Mutex(State())
  private let source: @Sendable () -> UInt64

  /// - Parameter source: where new ones come from.
  init(_ source: @escaping @Sendable () -> UInt64) { self.source = source }

  /// Begins again with the first.
  func rewind() { state.withLock { $0.position = 0 } }

  func next() -> UInt64 {
    state.withLock { state in
      if state.position == state.drawn.count { state.drawn.append(source()) }
      defer { state.position += 1 }
      return state.drawn[state.position]
    }
  }
}
