/// Who refreshes a credential, who waits, and who is turned away.
///
/// A pure value: what happens goes in, what is to be done comes out. Requests are known by numbers; `Credential` is opaque.
struct RefreshState<Credential: Sendable>: Sendable {
  /// How often a credential may be refreshed.
  struct Window: Sendable, Hashable {
    var limit = 5
    var interval = Duration.seconds(30)
  }

  /// What somebody is to do who wants to send a request, or has failed with one.
  enum Action: Sendable {
    /// Go on with this credential.
    case use(Credential)
    /// Refresh this one, and tell what came of it by ``finish(_:)``. One's own number waits as well.
    case refresh(Credential)
    /// Wait until one is told.
    case wait
    /// Give up.
    case fail(NetworkingError.Authentication)
  }

  private(set) var credential: Credential?
  let window: Window
  private var isRefreshing = false
  /// Whether somebody from outside has set another credential since the refresh began.
  private var isReplaced = false
  private var waiting: [Int] = []
  /// When refreshes began, those that still count.
  private var refreshes: [ContinuousClock.Instant] = []

  init(credential: Credential?, window: Window = Window()) {
    self.credential = credential
    self.window = window
  }

  /// A request is about to be sent. `isStale` says whether a credential has to be refreshed first.
  mutating func adapt(_ request: Int, at now: ContinuousClock.Instant, isStale: (Credential) -> Bool) -> Action {
    // One from outside holds at once, and needs no refresh to end.
    if isRefreshing, !isReplaced { return wait(request) }
    guard let credential else { return .fail(.missingCredential) }
    if isRefreshing, isStale(credential) { return wait(request) }
    return isStale(credential) ? refresh(credential, for: request, at: now) : .use(credential)
  }

  /// A request was refused. `wasSentWith` says whether it carried a credential.
  mutating func refused(_ request: Int, at now: ContinuousClock.Instant, wasSentWith: (Credential) -> Bool) -> Action {
    guard let credential else { return .fail(.missingCredential) }
    // It carried an older one: in the meantime somebody else has done the work.
    if !wasSentWith(credential) { return isRefreshing ? wait(request) : .use(credential) }
    return isRefreshing ? wait(request) : refresh(credential, for: request, at: now)
  }

  /// What a refresh has come to.
  enum Ending {
    /// All who wait have what it brought.
    case refreshed
    /// Somebody from outside has set this one meanwhile, or none: what the refresh brought is of somebody who may have logged out since.
    case replaced(Credential?)
  }

  /// The refresh has ended. Returns who waited for it, and what they get.
  mutating func finish(_ credential: Credential?) -> (waiting: [Int], ending: Ending) {
    let ending: Ending = isReplaced ? .replaced(self.credential) : .refreshed
    if !isReplaced, let credential { self.credential = credential }
    isRefreshing = false
    isReplaced = false
    defer { waiting = [] }
    return (waiting, ending)
  }

  /// Somebody from outside has another credential, or none. It holds, whatever a refresh brings that began before.
  mutating func replace(_ credential: Credential?) {
    self.credential = credential
    isReplaced = isRefreshing
  }

  /// A request does not wait any more.
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
