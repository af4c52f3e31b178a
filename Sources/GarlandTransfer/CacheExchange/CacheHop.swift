import HTTPTypes

/// Handles the cache for one request: finds the stored response, and stores or updates it after the network's response. Used on the
/// engine's thread only.
final class CacheHop {
  /// The effect of the server's response on the use of the stored response.
  enum Answer {
    /// The stored response is still valid. The associated value is its updated head.
    case confirmed(StoredHead)
    /// The server failed, and the stored response is used in place of the error.
    case standsIn
    /// The 304 response refers to another response than the stored one, so the request is sent again without conditions.
    case isUnknown
  }

  let cache: ResponseCache
  let primary: CacheKey
  let query: CacheQuery
  let context: CacheContext
  /// The stored response that matches the request; nil if there is none.
  private(set) var found: ResponseCache.Found?
  /// The conditional header fields that are sent in addition to the request's own fields.
  private(set) var conditions = HTTPFields()
  private(set) var answer: Answer?
  /// Whether the cache may answer the request with a stored response, and may store the new response.
  let isAnswerable: Bool
  private let hasConditions: Bool
  private var requestTime: Int64 = 0
  /// Whether the request was sent to the network.
  private(set) var hasSent = false
  private var recorder: CacheRecorder?
  private var newHead: StoredHead?

  /// Prepares the use of the cache for one request. Returns nil if the cache key of the URL cannot be computed.
  init?(_ cache: ResponseCache, _ context: CacheContext) {
    guard let primary = context.primary else { return nil }
    self.cache = cache
    self.context = context
    self.primary = primary
    query = CacheQuery(policy: context.policy, fields: context.fields)
    hasConditions = StorageRules.hasConditions(context.fields)
    isAnswerable = StorageRules.isAnswerable(context.method, context.fields, hasBody: context.hasBody)
  }

  /// Decides how to respond to the request (see ``CacheDecision``). If `usesStored` is false, the stored response is ignored, since it
  /// turned out to be unusable.
  func decide(usesStored: Bool) -> CacheDecision {
    let now = cache.now()
    requestTime = now
    guard isAnswerable, !hasConditions || query.policy == .returnCacheOnly else { return query.policy == .returnCacheOnly ? .fail : .fetch }
    if query.policy != .reload, usesStored { found = cache.find(primary, context.value) }
    let decision = query.decision(on: found?.head, at: now)
    switch decision {
    case .serve: cache.count { $0.hits += 1 }
    case .revalidate(let fields): conditions = fields
    case .fetch, .fail: cache.count { $0.misses += 1 }
    }
    return decision
  }

  // MARK: Responses from the network

  /// Records that the request is being sent, and discards the state of an earlier attempt.
  func began() {
    hasSent = true
    requestTime = cache.now()
    recorder = nil
    newHead = nil
    answer = nil
  }

  /// Processes the header of a response. Returns true if the caller must not receive this response, which happens in two cases:
  ///
  /// - The status is 304, which tells the cache whether a stored response is still valid.
  /// - The response is an error, and a stored response is delivered instead.
  func received(_ head: ResponseHead, sentCookies: String?) -> Bool {
    recorder = nil
    newHead = nil
    let now = cache.now()
    let fields = head.fields
    guard isAnswerable else {
      if !StorageRules.isSafe(context.method) { invalidate(fields, status: head.status) }
      return false
    }
    if !conditions.isEmpty, let found {
      if head.status == 304 {
        let isMeant = found.head.isMeant(by: fields)
        context.cookies = sentCookies
        answer = isMeant ? .confirmed(found.head.updated(by: fields, requestTime: requestTime, responseTime: now)) : .isUnknown
        if !isMeant { cache.remove(primary) }
        return true
      }
    }
    if CacheQuery.isFailure(head.status), let found, query.mayStandIn(found.head, at: now) {
      answer = .standsIn
      return true
    }
    if context.method == .head {
      if head.status == 200 { freshen(with: fields, now: now) }
      return false
    }
    guard !hasConditions || head.status != 304 else { return false }
    if StorageRules.mayStore(status: head.status, fields, request: context.fields),
      head.contentLength ?? 0 <= cache.bodyLimit
    {
      context.cookies = sentCookies
      newHead = StoredHead(
        status: head.status, reason: head.reason, version: head.version, fields: StorageRules.storable(fields), requestTime: requestTime,
        responseTime: now)
      recorder = CacheRecorder(cache)
    } else if head.status < 400 || head.status == 404 || head.status == 410 {
      // The server's new response cannot be stored.
      cache.remove(primary)
    }
    return false
  }

  private func invalidate(_ fields: HTTPFields, status: Int) {
    for url in StorageRules.invalidated(by: fields, status: status, url: context.url) {
      if let key = try? CacheKey(url: url, route: context.route) { cache.remove(key) }
    }
  }

  /// Updates the stored response to GET with the header of a response to HEAD. If the header shows that the stored response is outdated,
  /// removes the stored response (RFC 9111, section 4.3.5).
  private func freshen(with fields: HTTPFields, now: Int64) {
    guard let found = found ?? cache.find(primary, context.value), found.head.status == 200 else { return }
    if found.head.isConfirmed(byHead: fields) {
      renew(found, as: found.head.updated(by: fields, requestTime: requestTime, responseTime: now))
    } else {
      cache.remove(primary)
    }
  }

  /// Replaces the header of a stored response that the server has validated.
  ///
  /// - If the new header forbids storing the response, the response is removed from the cache.
  /// - If the new `Vary` names different request fields than before, the response is stored again for these request fields.
  private func renew(_ found: ResponseCache.Found, as head: StoredHead) {
    if query.control.noStore { return }
    guard StorageRules.mayStore(status: head.status, head.fields, request: context.fields) else {
      cache.remove(primary)
      return
    }
    let names = StorageRules.selectingNames(head.fields)
    if names == found.head.selection?.names ?? [] {
      cache.update(found, to: head, of: primary)
    } else {
      cache.store(found, as: head, of: primary, names: names, context.value)
    }
  }

  /// Records a piece of the body as it was transferred, before content decoding.
  func record(_ piece: UnsafeRawBufferPointer) { recorder?.append(piece) }

  /// Returns whether the stored response may be delivered although the request failed with the error `reason`.
  func mayStandIn(after reason: NetworkingError.Reason) -> Bool {
    guard isAnswerable, CacheQuery.isFailure(reason), let found, query.mayStandIn(found.head, at: cache.now()) else { return false }
    answer = .standsIn
    return true
  }

  // MARK: Answering and storing

  /// Returns the stored response for delivery as the response to the request; nil if there is none.
  ///
  /// - Parameter isStale: whether the stored response is stale. If true, the metrics state that a stale response was delivered.
  func replay(isStale: Bool = false) -> CacheReplay? {
    guard let found else { return nil }
    let now = cache.now()
    let staleSource = TransactionMetrics.Source.staleCache
    switch answer {
    case .confirmed(let head):
      cache.count { $0.validations += 1 }
      renew(found, as: head)
      return CacheReplay(head, found.body, source: .validatedCache)
    case .standsIn:
      cache.count { $0.hits += 1 }
      return CacheReplay(served(found.head, now), found.body, source: staleSource)
    case .isUnknown: return nil
    case nil: return CacheReplay(served(found.head, now), found.body, source: isStale ? staleSource : .cache)
    }
  }

  private func served(_ head: StoredHead, _ now: Int64) -> StoredHead {
    var head = head
    head.fields = head.served(at: now)
    return head
  }

  /// Reports to the cache that the file of the stored response is damaged.
  func foundIsDamaged() {
    guard let found else { return }
    cache.noteDamaged(found.key)
  }

  /// Returns the completed response, so that the cache may store it; nil if the response was not recorded.
  func takeRecorded() -> Recorded? {
    guard let head = newHead.take(), let body = recorder.take()?.finish() else { return nil }
    return Recorded(hop: self, head: head, body: body)
  }

  /// A complete response that the cache may store, with its body.
  struct Recorded {
    fileprivate let hop: CacheHop
    fileprivate var head: StoredHead
    fileprivate let body: NewBody

    /// A description of the response for the handler that decides whether to store it.
    var proposal: CacheableResponse {
      let status =
        head.reason.isEmpty ? HTTPResponse.Status(code: head.status) : HTTPResponse.Status(code: head.status, reasonPhrase: head.reason)
      return CacheableResponse(
        url: hop.context.url.description, status: status, headerFields: head.fields, bodyBytes: Int64(body.length))
    }

    /// Stores or discards the response, as the ``CachedResponseHandler`` decided.
    consuming func settle(_ action: CachedResponseAction = .keep) {
      switch action {
      case .keep: break
      case .change(let fields): head.fields = StorageRules.storable(fields)
      case .refuse:
        hop.cache.remove(hop.primary)
        return
      }
      // A handler that changed the header may have forbidden storing.
      guard StorageRules.mayStore(status: head.status, head.fields, request: hop.context.fields) else {
        hop.cache.remove(hop.primary)
        return
      }
      hop.cache.store(head, body, at: hop.primary, names: StorageRules.selectingNames(head.fields), hop.context.value)
    }
  }
}
