import Synchronization

/// A credential that many requests share, and that is refreshed once for all of them.
///
/// If a request that waits for a refresh is cancelled, the refresh continues for the other requests.
package final class SharedCredential<Credential: Sendable>: Sendable {
  private struct Shared {
    var state: RefreshState<Credential>
    var lastNumber = 0
    /// The requests that wait for a refresh. A request is added before it begins to wait, and removed when it receives the result of the
    /// refresh or is cancelled.
    var waiters: [Int: Waiter] = [:]
  }

  private enum Waiter {
    /// The request will wait for the result of the refresh, but the task of the request is not suspended yet.
    case announced
    /// The request waits for the refresh. Code that removes this continuation from the state must hold the lock for the removal, and must
    /// then resume the continuation. So the continuation is resumed exactly once.
    case waiting(UnsafeContinuation<Result<Credential, NetworkingError>, Never>)
    /// The result of the refresh arrived before the request began to wait for it.
    case answered(Result<Credential, NetworkingError>)
  }

  private let shared: Mutex<Shared>
  private let now: @Sendable () -> ContinuousClock.Instant
  private let isStale: @Sendable (Credential) -> Bool
  private let renew: @Sendable (Credential) async throws -> Credential

  /// Creates a credential that is refreshed at most `limit` times within `interval`. `now` returns the current time. `isStale` returns
  /// whether a credential must be refreshed before use.
  package init(
    _ credential: Credential?, limit: Int, interval: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    isStale: @escaping @Sendable (Credential) -> Bool, renew: @escaping @Sendable (Credential) async throws -> Credential
  ) {
    let window = RefreshState<Credential>.Window(limit: limit, interval: interval)
    shared = Mutex(Shared(state: RefreshState(credential: credential, window: window)))
    self.now = now
    self.isStale = isStale
    self.renew = renew
  }

  /// The current credential, which may need a refresh; nil if there is none. A credential that the caller sets overrides the result of a
  /// refresh that began earlier.
  package var current: Credential? {
    get { shared.withLock { $0.state.credential } }
    set { shared.withLock { $0.state.replace(newValue) } }
  }

  /// Returns the credential. Refreshes the credential first if that is needed.
  package func fresh() async throws(NetworkingError) -> Credential {
    try await credential { (state, number, now) in state.adapt(number, at: now, isStale: isStale) }.get()
  }

  /// Returns the credential with which the caller repeats a refused request. If the refused request had an older credential, returns the
  /// current credential. Otherwise, refreshes the current credential, and returns the new one.
  package func replacement(wasSentWith: (Credential) -> Bool) async -> Result<Credential, NetworkingError> {
    await credential { (state, number, now) in state.refused(number, at: now, wasSentWith: wasSentWith) }
  }

  private func credential(
    _ ask: (inout RefreshState<Credential>, Int, ContinuousClock.Instant) -> RefreshState<Credential>.Action
  ) async -> Result<Credential, NetworkingError> {
    let now = now()
    let (action, number) = shared.withLock { shared in
      shared.lastNumber += 1
      let action = ask(&shared.state, shared.lastNumber, now)
      switch action {
      case .wait, .refresh: shared.waiters[shared.lastNumber] = .announced
      case .use, .fail: break
      }
      return (action, shared.lastNumber)
    }
    switch action {
    case .use(let credential): return .success(credential)
    case .fail(let reason): return .failure(NetworkingError(.authentication(reason)))
    case .wait: return await wait(number)
    case .refresh(let old):
      // A separate task continues for the other requests if the request that started it is cancelled.
      Task {
        do {
          finish(.success(try await renew(old)))
        } catch {
          finish(.failure(NetworkingError(.authentication(.refreshFailed(.init(error))))))
        }
      }
      return await wait(number)
    }
  }

  private func wait(_ number: Int) async -> Result<Credential, NetworkingError> {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let early: Result<Credential, NetworkingError>? = shared.withLock { shared in
          if case .answered(let result) = shared.waiters[number] {
            shared.waiters[number] = nil
            return result
          }
          shared.waiters[number] = .waiting(continuation)
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      answer([number], .failure(NetworkingError(.cancelled)))
    }
  }

  private func finish(_ result: Result<Credential, NetworkingError>) {
    let (waiting, ending) = shared.withLock { $0.state.finish(try? result.get()) }
    switch ending {
    case .refreshed: answer(waiting, result)
    case .replaced(let credential?): answer(waiting, .success(credential))
    case .replaced(nil): answer(waiting, .failure(NetworkingError(.authentication(.missingCredential))))
    }
  }

  /// Delivers a result to waiting requests. A request that already has a result keeps it.
  private func answer(_ numbers: [Int], _ result: Result<Credential, NetworkingError>) {
    let continuations = shared.withLock { shared in
      numbers.compactMap { number -> UnsafeContinuation<Result<Credential, NetworkingError>, Never>? in
        shared.state.leave(number)
        switch shared.waiters[number] {
        case .announced: shared.waiters[number] = .answered(result)
        case .waiting(let continuation):
          shared.waiters[number] = nil
          return continuation
        case .answered, nil: break
        }
        return nil
      }
    }
    for continuation in continuations { continuation.resume(returning: result) }
  }
}
