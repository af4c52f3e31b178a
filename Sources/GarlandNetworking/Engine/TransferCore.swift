import CCurl
import Glibc

/// What an engine's thread owns: the multi handle, the easy handles, the timers, and the transfers under way. Never leaves that thread.
final class TransferCore {
  var timers = TimerHeap()
  /// The time of this turn of the loop, in nanoseconds.
  var now: UInt64 = 0
  /// What tells TLS connections apart.
  var connectionIdentities = ConnectionIdentities()
  let configuration: EngineConfiguration
  unowned let loop: EngineLoop
  private var multi: OpaquePointer?
  /// The TLS sessions that new connections resume. Otherwise each easy handle would keep its own.
  private var sessions: OpaquePointer?
  private var pool: [EasyHandle] = []
  /// Transfers that begin or go on to their next hop in the next step.
  var ready: [Transfer] = []
  private var origins: [Origin: OriginQueue] = [:]
  private var running: [Transfer] = []
  /// Connections that are streams, at their own index.
  var streams: [StreamConnection] = []
  private var withNews: [Transfer] = []
  private var isStopped = false
  /// The protection spaces that transfers have come to know.
  var digests = DigestSpaces()

  init(configuration: EngineConfiguration, loop: EngineLoop) {
    self.configuration = configuration
    self.loop = loop
  }

  var isIdle: Bool { running.isEmpty && ready.isEmpty && streams.isEmpty }
  var hasReadyWork: Bool { !ready.isEmpty }

  // MARK: The loop's steps

  func enqueue(_ transfer: Transfer) {
    guard transfer.state == .new else { return }
    transfer.state = .ready
    transfer.startedAt = MonotonicClock.now
    transfer.runningIndex = running.count
    running.append(transfer)
    ready.append(transfer)
  }

  /// One turn: what begins, the network, what has ended, due timers.
  ///
  /// The network comes before the timers: where the thread was held up for long, what lies in the sockets has come in time.
  func turn() {
    begin()
    if let multi {
      var count: Int32 = 0
      curl_multi_perform(multi, &count)
      deliverNews()
      reap(multi)
    }
    while let timer = timers.popDue(at: now) { fire(timer) }
    begin()
  }

  /// Waits for the network, the event descriptor, or the next timer.
  func wait(event: Int32, mayWait: Bool) {
    var milliseconds: Int32 = 0
    if mayWait {
      milliseconds = 3_600_000
      if let due = timers.nextDue {
        let now = MonotonicClock.now
        milliseconds = due <= now ? 0 : Int32(min((due - now + 999_999) / 1_000_000, 3_600_000))
      }
    }
    var isSignalled: Bool
    if let multi, !streams.isEmpty {
      isSignalled = waitWithStreams(multi, event: event, milliseconds: milliseconds)
    } else if let multi {
      var extra = curl_waitfd(fd: event, events: Int16(CURL_WAIT_POLLIN), revents: 0)
      curl_multi_poll(multi, &extra, 1, milliseconds, nil)
      isSignalled = extra.revents != 0
    } else if mayWait {
      var entry = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
      isSignalled = poll(&entry, 1, milliseconds) > 0
    } else {
      isSignalled = false
    }
    if isSignalled {
      garland_eventfd_clear(event)
    }
  }

  /// Fails everything that runs or waits, and whatever comes later.
  func stop() {
    isStopped = true
    for transfer in running { end(transfer, with: .shutDown) }
    for stream in streams { stream.fail(NetworkingError(.shutDown), self) }
  }

  func cancel(_ transfer: Transfer) {
    switch transfer.state {
    case .new:
      // Its start has not come in yet: it will find that it has ended.
      transfer.state = .ended
      transfer.startedAt = now
      transfer.complete(.failure(NetworkingError(.cancelled, url: transfer.request.url)))
    case .ended: break
    default: end(transfer, with: .cancelled)
    }
  }

  /// Gives everything back. Afterwards there is nothing left that another thread could not take over.
  func close() {
    for handle in pool { handle.close() }
    pool.removeAll()
    if let multi { curl_multi_cleanup(multi) }
    multi = nil
    if let sessions { curl_share_cleanup(sessions) }
    sessions = nil
    origins.removeAll()
  }

  // MARK: Beginning

  private func begin() {
    // One batch for each call: a completion that starts another transfer must not keep the network waiting.
    let batch = ready
    ready.removeAll(keepingCapacity: true)
    for transfer in batch where transfer.state == .ready {
      if isStopped {
        end(transfer, with: .shutDown)
      } else {
        begin(transfer)
      }
    }
  }

  private func begin(_ transfer: Transfer) {
    if transfer.isSuspended {
      // It may have been given a connection while it waited: somebody else can use it.
      detach(transfer)
      transfer.state = .held
      return
    }
    if !transfer.isPrepared {
      do throws(NetworkingError) {
        transfer.core = self
        try transfer.prepare { [weak loop, weak transfer] in
          if let loop, let transfer { loop.resumeSending(transfer) }
        }
      } catch {
        finish(transfer, .failure(error))
        return
      }
      armDeadline(of: transfer)
      if loadPartial(of: transfer) { return }
    }
    guard let origin = transfer.origin else { return launchLocal(transfer) }
    if answersFromCache(transfer) || readsBeforehand(transfer) { return }
    if transfer.slot == nil {
      guard origins[origin, default: OriginQueue()].hasRoom(limit: configuration.connectionsPerOrigin) else {
        transfer.state = .waiting
        origins[origin]?.enqueue(transfer, wasRedirected: transfer.hopCount > 0 || transfer.pendingNonce != nil)
        return
      }
      origins[origin, default: OriginQueue()].active += 1
      transfer.slot = origin
    }
    if transfer.local != nil { return launchLocal(transfer) }
    launch(transfer, sharesConnection: origins[origin]?.speaksHTTP2 ?? false)
  }

  /// Has the body read before it is sent, if something about it must be known. The transfer goes on when that is done.
  private func readsBeforehand(_ transfer: Transfer) -> Bool {
    do throws(NetworkingError) {
      guard let pass = try transfer.missingPayload() else { return false }
      transfer.state = .preparing
      let loop = loop
      transfer.payloadTask = Task.detached {
        let result = await pass.run()
        loop.perform { transfer.core?.payloadIsRead(transfer, result) }
      }
    } catch {
      end(transfer, with: error.reason)
    }
    return true
  }

  private func payloadIsRead(_ transfer: Transfer, _ result: Result<PayloadPass.Facts, NetworkingError>) {
    guard transfer.state == .preparing else { return }
    transfer.payloadTask = nil
    switch result {
    case .success(let facts):
      transfer.take(facts)
      transfer.state = .ready
      ready.append(transfer)
    case .failure(let error): end(transfer, with: error.reason)
    }
  }

  private func launch(_ transfer: Transfer, sharesConnection: Bool) {
    do throws(NetworkingError) {
      let multi = try openMulti()
      let easy = try takeHandle()
      transfer.easy = easy
      try transfer.configure(easy, waitsForShared: sharesConnection)
      let status = curl_multi_add_handle(multi, easy.handle)
      guard status == CURLM_OK else {
        throw NetworkingError(.library(code: Int32(status.rawValue), detail: String(cString: curl_multi_strerror(status))))
      }
      transfer.state = .running
      transfer.beginHop(at: now)
      armIdle(of: transfer)
    } catch {
      detach(transfer)
      finish(transfer, .failure(error))
    }
  }

  private func openMulti() throws(NetworkingError) -> OpaquePointer {
    if let multi { return multi }
    _ = try CurlLibrary.shared.get()
    guard let made = curl_multi_init() else { throw NetworkingError(.library(code: 0, detail: "no memory for a multi handle")) }
    garland_multi_setopt_long(made, CURLMOPT_MAXCONNECTS, max(1, configuration.idleConnections))
    garland_multi_setopt_long(made, CURLMOPT_MAX_HOST_CONNECTIONS, max(0, configuration.connectionsPerOrigin))
    garland_multi_setopt_long(made, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    multi = made
    sessions = curl_share_init()
    if let sessions { garland_share_tls_sessions(sessions) }
    return made
  }

  private func takeHandle() throws(NetworkingError) -> EasyHandle {
    if let handle = pool.popLast() { return handle }
    guard let handle = EasyHandle() else { throw NetworkingError(.library(code: 0, detail: "no memory for an easy handle")) }
    // It stays when the handle is reset. Without locks: the handles belong to this thread.
    if let sessions { garland_setopt_share(handle.handle, sessions) }
    return handle
  }

  /// Closes the connection of a handle that was a stream's.
  func discard(_ easy: EasyHandle) {
    if let multi { curl_multi_remove_handle(multi, easy.handle) }
    giveBack(easy)
  }

  private func giveBack(_ easy: EasyHandle) {
    easy.reset()
    if pool.count < 256 { pool.append(easy) } else { easy.close() }
  }

  // MARK: Ending

  private func reap(_ multi: OpaquePointer) {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let result = garland_message_result(message)
      var pointer: UnsafeMutableRawPointer?
      garland_getinfo_pointer(handle, CURLINFO_PRIVATE, &pointer)
      guard let pointer else { continue }
      hopEnded(Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue(), result)
    }
  }

  private func hopEnded(_ transfer: Transfer, _ result: CURLcode) {
    guard let easy = transfer.easy else { return }
    transfer.collectMetrics(from: easy, at: now)
    let outcome = transfer.outcome(of: result, easy: easy)
    // The connection goes on with its handle, which stays where it is.
    if transfer.request.extent == .stream, case .finished(.success) = outcome { transfer.keepHandle() }
    detach(transfer)
    if transfer.recorded != nil { store(transfer, then: outcome) } else { proceed(transfer, outcome) }
  }

  /// Does what the end of a hop asks for.
  func proceed(_ transfer: Transfer, _ outcome: Transfer.Outcome) {
    switch outcome {
    case .finished(let result): finish(transfer, result)
    case .nextHop, .replay:
      transfer.state = .ready
      ready.append(transfer)
    }
  }

  /// Takes a transfer off the network, and lets the next one in its origin's queue take its place.
  func detach(_ transfer: Transfer) {
    if let timer = transfer.idleTimer { timers.remove(timer) }
    transfer.source?.cancel()
    transfer.source = nil
    if let easy = transfer.easy {
      if let multi { curl_multi_remove_handle(multi, easy.handle) }
      transfer.easy = nil
      giveBack(easy)
    }
    guard let origin = transfer.slot else { return }
    transfer.slot = nil
    let limit = configuration.connectionsPerOrigin
    origins[origin]?.active -= 1
    if transfer.learnsHTTP2 { origins[origin]?.speaksHTTP2 = true }
    while let queue = origins[origin], !queue.waiting.isEmpty, queue.hasRoom(limit: limit) {
      guard let next = origins[origin]?.waiting.popFirst(), next.state == .waiting else { continue }
      origins[origin]?.active += 1
      next.slot = origin
      next.state = .ready
      ready.append(next)
    }
    if let queue = origins[origin], queue.active == 0, queue.waiting.isEmpty, !queue.speaksHTTP2 { origins[origin] = nil }
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
    if transfer.local != nil { transfer.collectLocalMetrics(at: now) }
    let error = transfer.error(reason)
    detach(transfer)
    finish(transfer, .failure(error))
  }

  func finish(_ transfer: Transfer, _ result: Result<TransferResponse, NetworkingError>) {
    transfer.state = .ended
    if let timer = transfer.idleTimer { timers.remove(timer) }
    if let timer = transfer.deadlineTimer { timers.remove(timer) }
    let last = running.removeLast()
    if last !== transfer {
      running[transfer.runningIndex] = last
      last.runningIndex = transfer.runningIndex
    }
    transfer.complete(result)
  }

  // MARK: Time

  private func armIdle(of transfer: Transfer) {
    guard let idle = transfer.idleNanoseconds else { return }
    let timer = transfer.idleTimer ?? LoopTimer(.idle(transfer))
    transfer.idleTimer = timer
    timer.due = now &+ idle
    timers.insert(timer)
  }

  /// The idle timer is not moved whenever a byte comes: when it is due it looks when the last one came.
  private func idleTimerFired(_ transfer: Transfer) {
    guard transfer.state == .running, let idle = transfer.idleNanoseconds else { return }
    // Until the request begins to leave, the connect timeout watches.
    if transfer.phase <= .securing || transfer.isSuspended || transfer.request.channel?.isBlocked == true { transfer.lastActivity = now }
    let due = transfer.lastActivity &+ idle
    if due > now {
      guard let timer = transfer.idleTimer else { return }
      timer.due = due
      timers.insert(timer)
    } else {
      end(transfer, with: .timeout(.init(limit: .idle, phase: transfer.phase, duration: .nanoseconds(Int64(idle)))))
    }
  }

  private func armDeadline(of transfer: Transfer) {
    guard let deadline = transfer.request.settings.deadline else { return }
    let timer = LoopTimer(.deadline(transfer))
    timer.due = transfer.startedAt &+ deadline.nanoseconds
    transfer.deadlineTimer = timer
    timers.insert(timer)
  }

  private func fire(_ timer: LoopTimer) {
    switch timer.purpose {
    case .action(let action): action()
    case .idle(let transfer): idleTimerFired(transfer)
    case .deadline(let transfer):
      guard let deadline = transfer.request.settings.deadline else { return }
      end(transfer, with: .timeout(.init(limit: .deadline, phase: transfer.phase, duration: deadline)))
    }
  }

  // MARK: Suspending

  /// Stops a transfer where it is. The deadline runs on, the idle timeout does not.
  func suspend(_ transfer: Transfer) {
    guard transfer.state != .ended, !transfer.isSuspended else { return }
    transfer.isSuspended = true
    if transfer.state == .running, let easy = transfer.easy { curl_easy_pause(easy.handle, garland_pause_all) }
  }

  /// Lets a suspended transfer go on.
  func resume(_ transfer: Transfer) {
    guard transfer.isSuspended else { return }
    transfer.isSuspended = false
    transfer.lastActivity = now
    if transfer.state == .held {
      transfer.state = .ready
      ready.append(transfer)
    } else {
      resumeSending(transfer)
    }
  }

  // MARK: What callbacks leave behind

  /// A callback of libcurl's has something to tell that must wait until libcurl has returned.
  func noteNews(of transfer: Transfer) {
    withNews.append(transfer)
  }

  private func deliverNews() {
    guard !withNews.isEmpty else { return }
    let batch = withNews
    withNews.removeAll(keepingCapacity: true)
    for transfer in batch { transfer.deliverProgress(at: now) }
  }

  /// A body stream has a piece for a transfer that waits for it, or whoever takes the response's body has room again.
  func resumeSending(_ transfer: Transfer) {
    if transfer.state == .held, transfer.replay != nil, !transfer.isSuspended { proceed(transfer, .nextHop) }
    guard transfer.state == .running, !transfer.isSuspended else { return }
    if let piece = transfer.heldPiece.take() { return takePiece(piece, for: transfer) }
    guard let easy = transfer.easy else { return }
    curl_easy_pause(easy.handle, garland_pause_continue)
  }
}
