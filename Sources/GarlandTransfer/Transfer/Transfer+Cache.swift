import CCurl
import HTTPTypes

extension Transfer {
  /// The cache's decision about a request before it is sent.
  enum CacheStep {
    case send
    /// The response comes from the cache: ``CacheUse/replay`` is set.
    case answered
    case failed(NetworkingError.Reason)
  }

  /// Asks the cache whether it can answer the current request. Asks only once for each request: a second call returns `send`, so that the
  /// request is sent to the server.
  func consultCache() -> CacheStep {
    guard let hop, cache.hop == nil, local.resource == nil, request.responder == nil else { return .send }
    guard let store = request.settings.cache else {
      guard request.settings.cachePolicy == .returnCacheOnly else { return .send }
      return .failed(.notCached)
    }
    // A resumable download requests ranges and is large; FTP has no caching rules.
    guard keepingTarget == nil, !isFTP, let context = CacheContext(request, hop, cookies: cookies(for: hop)),
      let exchange = CacheHop(store, context)
    else { return request.settings.cachePolicy == .returnCacheOnly ? .failed(.notCached) : .send }
    cache.hop = exchange
    switch exchange.decide(usesStored: !cache.isDistrusted) {
    case .serve(let isStale):
      cache.replay = exchange.replay(isStale: isStale)
      return cache.replay == nil ? .send : .answered
    case .fail: return .failed(.notCached)
    case .fetch, .revalidate: return .send
    }
  }

  /// Returns the outcome of the transfer if the cache changes it, for example to a stored response instead of an error. Returns nil if the
  /// cache changes nothing.
  ///
  /// - Parameter reason: the error of the request; nil if the request has a response.
  func cacheOutcome(after reason: NetworkingError.Reason? = nil) -> Outcome? {
    guard let cacheHop = cache.hop else { return nil }
    if case .isUnknown = cacheHop.answer {
      cache.distrust()
      return .nextHop
    }
    if cacheHop.answer == nil {
      // Bytes that the caller has begun to read cannot be taken back.
      guard let reason, !intake.head.isComplete || request.channel == nil, cacheHop.mayStandIn(after: reason) else { return nil }
    }
    guard let replay = cacheHop.replay() else { return nil }
    intake.sink.abandon()
    cache.replay = replay
    return .replay
  }

  /// The result of a call of ``stepReplay()``, which delivers a part of a cached response.
  enum ReplayStep {
    /// A part of the stored response has not been delivered yet. The next call of `stepReplay()` continues the delivery.
    case more
    /// The reader of the body cannot receive more at the moment.
    case blocked
    /// The stored response is unusable, and no part of it was delivered.
    case damaged
    case ended(Outcome)
  }

  /// Continues to deliver a cached response. Returns after about a millisecond, so that other transfers are not delayed.
  func stepReplay() -> ReplayStep {
    guard let replay = cache.replay else { return .damaged }
    if !replay.isChecked {
      if !replay.check() { return .damaged }
      if !replay.isChecked { return .more }
    }
    if !replay.hasHead {
      beginReplay(replay)
      if replay.isFromResponder ? !headEnded() : !takeHead() { return endReplay(replay) }
    }
    if hop?.method == .head { return endReplay(replay) }
    for _ in 0..<8 {
      if mustWait { return .blocked }
      do throws(EntryFile.Absence) {
        guard let goesOn = try replay.next({ takeBody($0) }), goesOn else { return endReplay(replay) }
      } catch {
        // The file was complete a moment ago: it was overwritten, or the disk fails.
        let directory = request.settings.cache?.directory ?? ""
        intake.failure = .cache(.init(path: directory, operation: .read, detail: "a file that was read before can't be read again"))
        return endReplay(replay)
      }
    }
    return .more
  }

  private func beginReplay(_ replay: CacheReplay) {
    replay.hasHead = true
    intake.head = ResponseHead(
      status: replay.head.status, reason: replay.head.reason, fields: replay.head.fields, version: replay.head.version)
    intake.failure = nil
    intake.isSatisfied = false
    intake.received = 0
    intake.decoding = nil
    if let cacheHop = cache.hop, let hop, !cacheHop.hasSent {
      sentHead.fields = hop.headerFields
      sentHead.cookies = cacheHop.context.cookies
    }
    if let last = metrics.transactions.indices.last { metrics.transactions[last].source = replay.source }
  }

  private func endReplay(_ replay: CacheReplay) -> ReplayStep {
    if let last = metrics.transactions.indices.last, cache.hop?.hasSent != true {
      if replay.isFromResponder { metrics.transactions[last].responseBodyBytes = replay.length }
      metrics.transactions[last].total = .now - metrics.transactions[last].start
      metrics.transactions[last].version = intake.head.version
    }
    metrics.total = .nanoseconds(Int64(max(MonotonicClock.now, startedAt) &- startedAt))
    let outcome = networkOutcome(of: CURLE_OK, easy: nil)
    cache.replay = nil
    return .ended(outcome)
  }

  /// Discards the stored response, which is damaged. The transfer continues as if no response were stored.
  func abandonReplay() {
    cache.hop?.foundIsDamaged()
    if cache.hop?.hasSent != true { metrics.transactions.removeLast() }
    cache.distrust()
  }
}
