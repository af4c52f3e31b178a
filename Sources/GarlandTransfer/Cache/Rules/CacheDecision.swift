import HTTPTypes

/// The decision on how to respond to a request, given the stored response.
enum CacheDecision: Sendable, Hashable {
  /// The stored response is used. `isStale` is true if the response is no longer fresh.
  case serve(isStale: Bool)
  /// A request with these fields asks the server whether the stored response is still valid.
  case revalidate(HTTPFields)
  /// The request is sent as if nothing were stored.
  case fetch
  /// The request fails: it may not be sent, and no stored response can be used.
  case fail
}

/// The conditions under which a request accepts a stored response: the cache policy and the header fields of the request.
/// ``decision(on:at:)`` decides from these conditions alone how to use a stored response.
struct CacheQuery: Sendable, Hashable {
  let policy: CachePolicy
  let control: CacheControl

  init(policy: CachePolicy = .useProtocol, fields: HTTPFields = HTTPFields()) {
    self.policy = policy
    control = CacheControl(fields)
  }

  /// Decides how to use a stored response at the time `now`, in seconds since 1970 (RFC 9111, section 4).
  func decision(on stored: StoredHead?, at now: Int64) -> CacheDecision {
    switch policy {
    case .reload: return .fetch
    case .returnCacheElseLoad: return stored.map { .serve(isStale: !$0.isFresh(at: now)) } ?? .fetch
    case .returnCacheOnly: return stored.map { .serve(isStale: !$0.isFresh(at: now)) } ?? .fail
    case .useProtocol: break
    }
    if let stored, isUsable(stored, at: now) { return .serve(isStale: !stored.isFresh(at: now)) }
    // RFC 9111, section 5.2.1.7.
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
      // A reload need not validate a fresh response that cannot change (RFC 8246), nor a response that `max-stale` accepts.
      if !(response.isImmutable && isFresh), control.maxStale == nil { return false }
    }
    if isFresh { return true }
    guard let maxStale = control.maxStale, !response.mustRevalidate else { return false }
    return staleness <= maxStale
  }

  /// Whether a stored response, stale or not, may be used in place of a server error (RFC 5861, section 4).
  func mayStandIn(_ stored: StoredHead, at now: Int64) -> Bool {
    guard policy == .useProtocol, !control.noCache else { return false }
    let response = stored.control
    if response.noCache || response.mustRevalidate { return false }
    guard let allowed = [response.staleIfError, control.staleIfError].compactMap({ $0 }).max() else { return false }
    return stored.staleness(at: now) <= allowed
  }

  /// Whether a status is a server failure (RFC 5861, section 4).
  static func isFailure(_ status: Int) -> Bool { status == 500 || (502...504).contains(status) }

  /// Whether an error means that the server gave no valid response. False for an error that the caller caused, for example with a deadline.
  static func isFailure(_ reason: NetworkingError.Reason) -> Bool {
    switch reason {
    case .resolve, .refused, .unreachable, .proxy, .connectionLost, .truncated, .invalidResponse: true
    case .timeout(let timeout): timeout.limit != .deadline
    default: false
    }
  }
}
