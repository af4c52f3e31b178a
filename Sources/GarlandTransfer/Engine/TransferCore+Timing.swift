/// Methods that handle the time limits of transfers.
extension TransferCore {
  func armIdle(of transfer: Transfer) {
    guard let idle = transfer.limits.idle else { return }
    let timer = transfer.place.idleTimer ?? spareTimers.popLast() ?? LoopTimer(.none)
    if transfer.place.idleTimer == nil {
      timer.purpose = .idle(transfer)
      transfer.place.idleTimer = timer
    }
    timer.due = now &+ idle
    timers.insert(timer)
  }

  /// Ends a transfer if it has been idle for too long; otherwise schedules its idle timer again. The timer is not moved for each byte that
  /// arrives. Instead, this method checks the time of the last byte when the timer is due.
  private func idleTimerFired(_ transfer: Transfer) {
    guard transfer.state == .running, let idle = transfer.limits.idle else { return }
    // Until the request is sent, the connect timeout applies. A transfer that waits for its caller does not
    // wait for the network.
    if transfer.phase <= .securing || transfer.isSuspended || transfer.waitsForCaller { transfer.lastActivity = now }
    let due = transfer.lastActivity &+ idle
    if due > now {
      guard let timer = transfer.place.idleTimer else { return }
      timer.due = due
      timers.insert(timer)
    } else {
      end(transfer, with: .timeout(.init(limit: .idle, phase: transfer.phase, duration: .nanoseconds(Int64(idle)))))
    }
  }

  func armDeadline(of transfer: Transfer) {
    guard let deadline = transfer.request.settings.deadline else { return }
    let timer = LoopTimer(.deadline(transfer))
    timer.due = transfer.startedAt &+ max(.milliseconds(1), deadline - transfer.request.usedTime).nanoseconds
    transfer.place.deadlineTimer = timer
    timers.insert(timer)
  }

  /// Records that a transfer begins to wait for a connection. Stops the timer of the transfer's deadline, unless the waiting time counts
  /// towards deadlines.
  func beginWaiting(_ transfer: Transfer) {
    guard transfer.place.waitingSince == nil else { return }
    transfer.place.waitingSince = now
    if !configuration.waitingCountsForDeadlines, let timer = transfer.place.deadlineTimer { timers.remove(timer) }
  }

  /// Records that a transfer no longer waits for a connection, and how long it has waited. If this wait does not count for deadlines, moves
  /// the deadline by the duration of the wait.
  func endWaiting(_ transfer: Transfer) {
    guard let since = transfer.place.waitingSince else { return }
    transfer.place.waitingSince = nil
    let waited = now &- since
    // Before the first request all time is waiting time.
    if !transfer.metrics.transactions.isEmpty { transfer.metrics.queued += .nanoseconds(Int64(waited)) }
    guard !configuration.waitingCountsForDeadlines, let timer = transfer.place.deadlineTimer else { return }
    timer.due &+= waited
    timers.insert(timer)
  }

  /// Reports the progress of a transfer, immediately or as soon as the interval between reports has passed.
  /// The last value is reported even if no further bytes arrive.
  func deliverProgress(of transfer: Transfer) {
    guard let due = transfer.deliverProgress(at: now) else { return }
    let timer = transfer.place.progressTimer ?? LoopTimer(.progress(transfer))
    transfer.place.progressTimer = timer
    timer.due = due
    timers.insert(timer)
  }

  func fire(_ timer: LoopTimer) {
    switch timer.purpose {
    case .none: break
    case .progress(let transfer): deliverProgress(of: transfer)
    case .action(let action): action()
    case .idle(let transfer): idleTimerFired(transfer)
    case .deadline(let transfer):
      guard let deadline = transfer.request.settings.deadline else { return }
      end(transfer, with: .timeout(.init(limit: .deadline, phase: transfer.phase, duration: deadline)))
    }
  }
}
