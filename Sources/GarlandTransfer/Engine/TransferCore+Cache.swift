extension TransferCore {
  /// Consults the cache, and starts or continues to deliver a cached response. Returns false if the request
  /// has to be sent.
  func answersFromCache(_ transfer: Transfer) -> Bool {
    if transfer.cache.replay == nil {
      switch transfer.consultCache() {
      case .send: return false
      case .answered: transfer.beginHop(at: now)
      case .failed(let reason):
        end(transfer, with: reason)
        return true
      }
    }
    advanceReplay(of: transfer)
    return true
  }

  /// Continues to deliver a cached response. Each iteration of the event loop delivers one piece, so that other transfers can run in
  /// between.
  private func advanceReplay(of transfer: Transfer) {
    switch transfer.stepReplay() {
    case .blocked: transfer.state = .held
    case .ended(let outcome): proceed(transfer, outcome)
    case .more: proceed(transfer, .nextHop)
    case .damaged:
      transfer.abandonReplay()
      proceed(transfer, .nextHop)
    }
  }

  /// Stores a response in the cache, and then continues the transfer with `outcome`. The response is stored before it is delivered, so that
  /// the caller's next request already finds it in the cache.
  func store(_ transfer: Transfer, then outcome: Transfer.Outcome) {
    guard let recorded = transfer.cache.recorded, let handler = transfer.request.cachedResponseHandler else {
      transfer.cache.recorded.take()?.settle()
      proceed(transfer, outcome)
      return
    }
    transfer.state = .settling
    let proposal = recorded.proposal
    let loop = loop
    // Run the caller's own code in a task, not on this thread.
    Task.detached {
      let action = await handler.handle(proposal, for: transfer.request)
      loop.perform {
        guard transfer.state == .settling else { return }
        transfer.cache.recorded.take()?.settle(action)
        loop.withCore { $0.proceed(transfer, outcome) }
      }
    }
  }
}
