import Synchronization

/// Sends a credential with every request, and keeps it fresh.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(BearerAuthenticator(), credential: token)
/// let book = try await session.request(url, interceptor: interceptor).validate().response(of: Book.self).value
/// ```
/// - A credential that is about to expire is refreshed before it is used.
/// - A request that is refused with the credential of the day has it refreshed, and is sent again; one that was sent with an older one is only sent again.
/// - However many requests need it, one refresh is under way, and all wait for it. When it fails, all of them fail with its error.
/// - At most five refreshes within 30 s, so that a server that refuses every token is not asked forever.
///
/// Several sessions may share one. When a request does not want to wait any more, because it was cancelled, the refresh goes on for the others.
public final class AuthenticationInterceptor<Source: Authenticator>: RequestInterceptor {
  /// What a credential is.
  public typealias Credential = Source.Credential

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

  private let authenticator: Source
  private let shared: Mutex<Shared>
  private let now: @Sendable () -> ContinuousClock.Instant

  /// An interceptor. `limit` refreshes within `interval` are allowed; `now` tells the time for that.
  public init(
    _ authenticator: Source, credential: Credential? = nil, limit: Int = 5, interval: Duration = .seconds(30),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.authenticator = authenticator
    self.now = now
    let window = RefreshState<Credential>.Window(limit: limit, interval: interval)
    shared = Mutex(Shared(state: RefreshState(credential: credential, window: window)))
  }

  /// The credential. Set it to one from elsewhere, a login for example, or to nil to send no requests any more.
  public var credential: Credential? {
    get { shared.withLock { $0.state.credential } }
    set { shared.withLock { $0.state.replace(newValue) } }
  }

  /// The credential, once there is one that is fresh: what ``adapt(_:)`` puts into requests.
  public func freshCredential() async throws(NetworkingError) -> Credential {
    try await credential { (state, number, now) in
      state.adapt(number, at: now) { $0.requiresRefresh }
    }.get()
  }

  /// Puts the credential in, once there is one that is fresh.
  public func adapt(_ request: TransferRequest) async throws -> TransferRequest {
    let credential = try await freshCredential()
    var request = request
    authenticator.apply(credential, to: &request)
    return request
  }

  /// Has the credential refreshed, if the response says that it is not valid any more.
  public func retry(_ attempt: RequestAttempt) async -> RetryDecision {
    guard let response = attempt.response, authenticator.didFail(response) else { return .doNotRetry }
    // Without a way to send it again, nobody needs another credential now.
    guard attempt.isBodyRepeatable else { return .refuse(.bodyNotRepeatable) }
    switch await replacement(for: attempt.request) {
    case .success: return .retry
    case .failure(let error): return .fail(error.reason)
    }
  }

  /// Another credential than that of a request which was refused: that of the day if it was sent with an older one, else a fresh one.
  public func replacement(for request: TransferRequest) async -> Result<Credential, NetworkingError> {
    await credential { (state, number, now) in
      state.refused(number, at: now) { self.authenticator.isRequest(request, authenticatedWith: $0) }
    }
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
          finish(.success(try await authenticator.refresh(old)))
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
