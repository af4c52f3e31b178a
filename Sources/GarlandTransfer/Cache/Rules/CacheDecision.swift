import HTTPTypes

/// What is done about a request, given what is stored for it.
enum CacheDecision: Sendable, Hashable {
  /// The stored response is the answer.
  case serve(isStale: Bool)
  /// The server is asked whether the stored response is still good, with these fields.
  case revalidate(HTTPFields)
  /// The server is asked as if nothing were stored.
  case fetch
  /// Nothing is sent, and there is nothing to answer with.
  case fail
}

/// What a request asks of a cache: a pure value, which decides.
struct CacheQuery: Sendable, Hashable {
  let policy: CachePolicy
  let control: CacheControl

  init(policy: CachePolicy = .useProtocol, fields: HTTPFields = HTTPFields()) {
    self.policy = policy
    control = CacheControl(fields)
  }

  /// RFC 9111, section 4: what a stored response is good for at a time, in seconds since 1970.
  func decision(on stored: StoredHead?, at now: Int64) -> CacheDecision {
    switch policy {
    case .reload: return .fetch
    case .returnCacheElseLoad: return stored.map { .serve(isStale: !$0.isFresh(at: now)) } ?? .fetch
    case .returnCacheOnly: return stored.map { .serve(isStale: !$0.isFresh(at: now)) } ?? .fail
    case .useProtocol: break
    }
    if let stored, isUsable(stored, at: now) { return .serve(isStale: !stored.isFresh(at: now)) }
    // Section 5.2.1.7.
    if control.onlyIfCached { return .fail }
    guard let conditions = stored?.conditions, !conditions.isEmpty else { return .fetch }
    return .revalidate(conditions)
  }

  private func isUsable(_ stored: StoredHead, at now: Int64) -> Bool {
    let response = stored.control
    if control.noCache || response.noCache { return false }
    let staleness = stored.staleness(at: now)
    let isFresh = staleness < 0
    if let minFresh = control.minFresh, -staleness < minFresh { return false }
    if let maxAge = control.maxAge, stored.age(at: now) > maxAge {
      // RFC 8246: whoever reloads need not ask again for what can't change. `max-stale` takes it as well.
      if !(response.isImmutable && isFresh), control.maxStale == nil { return false }
    }
    if isFresh { return true }
    guard let maxStale = control.maxStale, !response.mustRevalidate else { return false }
    return staleness <= maxStale
  }

  /// RFC 5861, section 4: whether the stored response, stale or not, stands in where the server fails.
  func mayStandIn(_ stored: StoredHead, at now: Int64) -> Bool {
    guard policy == .useProtocol, !control.noCache else { return false }
    let response = stored.control
    if response.noCache || response.mustRevalidate { return false }
    guard let allowed = [response.staleIfError, control.staleIfError].compactMap({ $0 }).max() else { return false }
    return stored.staleness(at: now) <= allowed
  }

  /// Statuses that say that the server failed (RFC 5861, section 4).
  static func isFailure(_ status: Int) -> Bool { status == 500 || (502...504).contains(status) }

  /// Errors after which the server can't be said to have answered. Those that are the caller's own doing are not among them.
  static func isFailure(_ reason: NetworkingError.Reason) -> Bool {
    switch reason {
    case .resolve, .refused, .unreachable, .proxy, .connectionLost, .truncated, .invalidResponse: true
    case .timeout(let timeout): timeout.limit != .deadline
    default: false
    }
  }
}
