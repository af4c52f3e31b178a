import Synchronization

/// A credential that many requests use, and that is refreshed once for all of them.
///
/// When a request stops waiting, because it was cancelled, the refresh goes on for the others.
package final class SharedCredential<Credential: Sendable>: Sendable {
  private struct Shared {
    var state: RefreshState<Credential>
    var lastNumber = 0
    /// Those who wait for a refresh, from the moment they were told to until they have their answer.
    var waiters: [Int: Waiter] = [:]
  }

  private enum Waiter {
    /// Is about to wait.
    case announced
    /// Is resumed once: whoever takes it out under the lock does it.
    case waiting(UnsafeContinuation<Result<Credential, NetworkingError>, Never>)
    /// Has not begun to wait, and need not.
    case answered(Result<Credential, NetworkingError>)
  }

  private let shared: Mutex<Shared>
  private let now: @Sendable () -> ContinuousClock.Instant
  private let isStale: @Sendable (Credential) -> Bool
  private let renew: @Sendable (Credential) async throws -> Credential

  /// `limit` refreshes within `interval` are allowed, by the time that `now` tells. `isStale` says whether a credential needs a refresh before it is used.
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

  /// The credential of the moment, fresh or not. A new value from outside wins over a refresh that began before.
  package var current: Credential? {
    get { shared.withLock { $0.state.credential } }
    set { shared.withLock { $0.state.replace(newValue) } }
  }

  /// Returns the credential once it is fresh.
  package func fresh() async throws(NetworkingError) -> Credential {
    try await credential { (state, number, now) in state.adapt(number, at: now, isStale: isStale) }.get()
  }

  /// Returns another credential after a request was refused: the current one if the request was sent with an older one, else a fresh one.
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
      // A task of its own: it goes on for the others when the one who began it goes.
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

  /// Who has an answer already keeps it.
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
