import Synchronization

/// Records the random numbers of a request, so that each attempt uses the same ones. An idempotency key, for example, then stays the same
/// for a retry.
final class RandomTape: Sendable {
  private struct State {
    var drawn: [UInt64] = []
    var position = 0
  }

  private let state = Mutex(State())
  private let source: @Sendable () -> UInt64

  /// Creates an empty recording of random numbers.
  ///
  /// - Parameter source: returns new random numbers.
  init(_ source: @escaping @Sendable () -> UInt64) { self.source = source }

  /// Starts again at the first recorded number, so that the next attempt of the request uses the same numbers.
  func rewind() { state.withLock { $0.position = 0 } }

  func next() -> UInt64 {
    state.withLock { state in
      if state.position == state.drawn.count { state.drawn.append(source()) }
      defer { state.position += 1 }
      return state.drawn[state.position]
    }
  }
}
