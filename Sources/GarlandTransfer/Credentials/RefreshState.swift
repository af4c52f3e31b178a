/// Decides which request refreshes a credential, which requests wait, and which requests fail.
///
/// The type is a pure value: methods receive events and return actions. Requests are identified by numbers; the state machine does not
/// inspect `Credential`.
struct RefreshState<Credential: Sendable>: Sendable {
  /// The limit of refreshes: at most `limit` refreshes may begin within `interval`.
  struct Window: Sendable, Hashable {
    var limit = 5
    var interval = Duration.seconds(30)
  }

  /// The next action for a request that is about to be sent, or whose credential the server has refused.
  enum Action: Sendable {
    /// Send the request with this credential.
    case use(Credential)
    /// Refresh this credential, and pass the result to ``finish(_:)``. The request for which this action was returned also waits for the
    /// result.
    case refresh(Credential)
    /// Wait for the result of the running refresh.
    case wait
    /// The request fails with this error.
    case fail(NetworkingError.Authentication)
  }

  private(set) var credential: Credential?
  let window: Window
  private var isRefreshing = false
  /// Whether the program has set another credential since the refresh began.
  private var isReplaced = false
  private var waiting: [Int] = []
  /// The start times of the refreshes in the current time window. Only these refreshes count towards the limit of refreshes; see `Window`.
  private var refreshes: [ContinuousClock.Instant] = []

  init(credential: Credential?, window: Window = Window()) {
    self.credential = credential
    self.window = window
  }

  /// Decides what to do before a request is sent. `isStale` returns whether a credential must be refreshed
  /// before use.
  mutating func adapt(_ request: Int, at now: ContinuousClock.Instant, isStale: (Credential) -> Bool) -> Action {
    // A credential set by the program is valid at once, without waiting for a refresh.
    if isRefreshing, !isReplaced { return wait(request) }
    guard let credential else { return .fail(.missingCredential) }
    if isRefreshing, isStale(credential) { return wait(request) }
    return isStale(credential) ? refresh(credential, for: request, at: now) : .use(credential)
  }

  /// Decides what to do after a request was refused. `wasSentWith` returns whether the request was sent with a given credential.
  mutating func refused(_ request: Int, at now: ContinuousClock.Instant, wasSentWith: (Credential) -> Bool) -> Action {
    guard let credential else { return .fail(.missingCredential) }
    // The request was sent with an older credential, which was refreshed in the meantime.
    if !wasSentWith(credential) { return isRefreshing ? wait(request) : .use(credential) }
    return isRefreshing ? wait(request) : refresh(credential, for: request, at: now)
  }

  /// The effect of a refresh: its result is used, or its result is discarded, because the program has set another credential during the
  /// refresh.
  enum Ending {
    /// The program has not set another credential during the refresh. If the refresh succeeded, each waiting request receives the new
    /// credential; otherwise it receives the error.
    case refreshed
    /// During the refresh, the program has replaced the credential with the associated value, or has removed it (nil). The refreshed
    /// credential is discarded, since it belongs to a user who may have logged out.
    case replaced(Credential?)
  }

  /// Ends the refresh. `credential` is the new credential, or nil if the refresh failed. Returns the waiting requests and the ``Ending`` of
  /// the refresh.
  mutating func finish(_ credential: Credential?) -> (waiting: [Int], ending: Ending) {
    let ending: Ending = isReplaced ? .replaced(self.credential) : .refreshed
    if !isReplaced, let credential { self.credential = credential }
    isRefreshing = false
    isReplaced = false
    defer { waiting = [] }
    return (waiting, ending)
  }

  /// Replaces the credential; nil removes the credential. If a refresh is in progress, its result will be discarded.
  mutating func replace(_ credential: Credential?) {
    self.credential = credential
    isReplaced = isRefreshing
  }

  /// Removes a request from the requests that wait for the refresh.
  mutating func leave(_ request: Int) { waiting.removeAll { $0 == request } }

  private mutating func wait(_ request: Int) -> Action {
    waiting.append(request)
    return .wait
  }

  private mutating func refresh(_ credential: Credential, for request: Int, at now: ContinuousClock.Instant) -> Action {
    let interval = window.interval
    refreshes.removeAll { $0.duration(to: now) >= interval }
    if refreshes.count >= window.limit { return .fail(.excessiveRefresh(limit: window.limit, within: window.interval)) }
    refreshes.append(now)
    isRefreshing = true
    waiting.append(request)
    return .refresh(credential)
  }
}
