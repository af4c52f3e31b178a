import CCurl

/// Methods that end a transfer, or a hop: one of the requests of which a transfer consists.
extension TransferCore {
  private static let mostSpareTimers = 256

  /// Ends the requests for which libcurl has finished its work, and then ends or continues their transfers.
  ///
  /// The transfers end after all requests, since ending a transfer runs the caller's code, which may be large. Alternating between
  /// libcurl's code and the caller's evicts each from the processor's instruction cache. The caller's code can end another of these
  /// transfers only later: the event loop queues cancellations.
  func reap(_ multi: OpaquePointer) {
    var ended = spareEnded
    spareEnded = []
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let result = garland_message_result(message)
      var pointer: UnsafeMutableRawPointer?
      garland_getinfo_pointer(handle, CURLINFO_PRIVATE, &pointer)
      guard let pointer else { continue }
      let transfer = Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
      if let outcome = endHop(of: transfer, result) { ended.append((transfer, outcome)) }
    }
    for (transfer, outcome) in ended {
      assert(transfer.state != .ended, "a completion ended another transfer")
      storeOrProceed(transfer, outcome)
    }
    ended.removeAll(keepingCapacity: true)
    spareEnded = ended
  }

  /// Ends a transfer's current request, and releases its handle unless a stream keeps it. Returns the outcome; nil if the request has
  /// already ended.
  private func endHop(of transfer: Transfer, _ result: CURLcode) -> Transfer.Outcome? {
    guard let easy = transfer.easy else { return nil }
    transfer.collectMetrics(from: easy, at: now)
    let outcome = transfer.outcome(of: result, easy: easy)
    // Keep the handle of a stream, since the connection continues to use it.
    if transfer.request.extent == .stream, case .finished(.success) = outcome { transfer.keepHandle() }
    detach(transfer)
    return outcome
  }

  private func storeOrProceed(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
    if transfer.cache.recorded != nil { store(transfer, then: outcome) } else { proceed(transfer, outcome) }
  }

  /// Finishes a transfer or starts its next request, depending on the outcome of the last request.
  func proceed(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
    switch outcome {
    case .finished(let result): finish(transfer, result)
    case .nextHop, .replay:
      transfer.state = .ready
      ready.append(transfer)
    }
  }

  /// Ends a transfer's use of the network: stops its idle and progress timers, and releases its handle and its connection for other
  /// transfers. The next transfer in the queue of the same origin may then begin.
  func detach(_ transfer: Transfer) {
    if let timer = transfer.place.idleTimer { timers.remove(timer) }
    if let timer = transfer.place.progressTimer { timers.remove(timer) }
    transfer.local.source?.cancel()
    transfer.local.source = nil
    if let easy = transfer.easy {
      transfer.easy = nil
      handles.giveBack(easy)
    }
    guard let queue = transfer.place.slot else { return }
    transfer.place.slot = nil
    queue.active -= 1
    if queue.opener === transfer { queue.opener = nil }
    if transfer.route.learnsHTTP2 {
      queue.speaksHTTP2 = true
      sharesConnections = true
    }
    admit(from: queue)
    origins.release(queue)
  }

  /// Starts transfers that wait for a connection to an origin, as long as connections are free.
  func admit(from queue: OriginQueue) {
    let limit = configuration.connectionsPerOrigin
    while !queue.waiting.isEmpty, queue.hasRoom(limit: limit) {
      guard let next = queue.waiting.popFirst(), next.state == .waiting else { continue }
      queue.active += 1
      next.place.slot = queue
      next.state = .ready
      ready.append(next)
    }
  }

  /// Ends a transfer because its ``BodyTap`` needs no more data. If the tap has not accepted a response yet, ends the transfer with a
  /// timeout error instead.
  ///
  /// - Parameter time: the duration that the timeout error states.
  func conclude(_ transfer: Transfer, after time: Duration) {
    guard transfer.state == .running, transfer.intake.isTapped, transfer.easy != nil else {
      return end(transfer, with: .timeout(.init(limit: .deadline, phase: transfer.phase, duration: time)))
    }
    transfer.intake.isSatisfied = true
    if let outcome = endHop(of: transfer, CURLE_WRITE_ERROR) { storeOrProceed(transfer, outcome) }
  }

  func end(_ transfer: Transfer, with reason: NetworkingError.Reason) {
    guard transfer.state != .ended else { return }
    if let easy = transfer.easy {
      transfer.collectMetrics(from: easy, at: now)
      if let outcome = transfer.cacheOutcome(after: reason) {
        detach(transfer)
        proceed(transfer, outcome)
        return
      }
    }
    if transfer.local.resource != nil { transfer.collectLocalMetrics(at: now) }
    let error = transfer.error(reason)
    detach(transfer)
    finish(transfer, .failure(error))
  }

  func finish(_ transfer: Transfer, _ result: Result<TransferResponse, NetworkingError>) {
    transfer.state = .ended
    if let timer = transfer.place.idleTimer {
      timers.remove(timer)
      timer.purpose = .none
      transfer.place.idleTimer = nil
      if spareTimers.count < Self.mostSpareTimers { spareTimers.append(timer) }
    }
    if let timer = transfer.place.deadlineTimer { timers.remove(timer) }
    let last = running.removeLast()
    if last !== transfer {
      running[transfer.place.runningIndex] = last
      last.place.runningIndex = transfer.place.runningIndex
    }
    transfer.complete(result)
  }
}
