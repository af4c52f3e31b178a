import CCurl
import Glibc

/// What an engine's thread owns: the multi handle, the easy handles, the timers, and the transfers under way. Never leaves that thread.
final class TransferCore {
  var timers = TimerHeap()
  let context = LoopContext()
  let configuration: EngineConfiguration
  unowned let loop: EngineLoop
  let handles: HandlePool
  /// Transfers that begin or go on to their next hop in the next step.
  var ready: [Transfer] = []
  /// Room for the next of them.
  var spareReady: [Transfer] = []
  var origins = OriginQueues()
  /// Origins whose first connection is being made, while others wait for it.
  var opening: [OriginQueue] = []
  var running: [Transfer] = []
  /// Whether a request was handed to libcurl since this was false.
  var hasLaunched = false
  /// Whether transfers share connections, or did.
  var sharesConnections = false
  /// So many are looked at once more for less than it takes to ask for their sockets.
  private static let fewTransfers = 2
  /// Timers of transfers that have ended, for others.
  var spareTimers: [LoopTimer] = []
  /// Connections that are streams, at their own index.
  var streams: [any EngineStream] = []
  private(set) var isStopped = false

  init(configuration: EngineConfiguration, loop: EngineLoop) {
    self.configuration = configuration
    self.loop = loop
    handles = HandlePool(configuration: configuration)
  }

  /// The time of this turn of the loop, in nanoseconds.
  var now: UInt64 { context.now }

  var isIdle: Bool { running.isEmpty && ready.isEmpty && streams.isEmpty }
  var hasReadyWork: Bool { !ready.isEmpty }

  // MARK: The loop's steps

  func enqueue(_ transfer: Transfer) {
    guard transfer.state == .new else { return }
    transfer.state = .ready
    transfer.startedAt = MonotonicClock.now
    transfer.place.runningIndex = running.count
    running.append(transfer)
    ready.append(transfer)
  }

  /// One turn: what begins, the network, what has ended, due timers.
  ///
  /// The network comes before the timers: where the thread was held up for long, what lies in the sockets has come in time.
  func turn() {
    begin()
    // Files are read without libcurl.
    if let multi = handles.multi { perform(multi) } else { deliverNews() }
    while let timer = timers.popDue(at: now) { fire(timer) }
    hasLaunched = false
    begin()
    // Where little is under way, what has begun just now leaves at once, and not after another look at the sockets.
    if hasLaunched, running.count <= Self.fewTransfers, let multi = handles.multi { perform(multi) }
  }

  private func perform(_ multi: OpaquePointer) {
    var count: Int32 = 0
    curl_multi_perform(multi, &count)
    deliverNews()
    reap(multi)
    if !opening.isEmpty { noteOpened() }
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
    // Whoever reads from a shared connection may find what is another's, who has had its turn. libcurl 7.88 notes that it is to have one more, and forgets it when
    // the turn of all is over: so there is one more before this thread sleeps for long.
    let looksAgain = sharesConnections && !context.isQuiet
    if looksAgain { milliseconds = min(milliseconds, 1) }
    var isSignalled: Bool
    if let multi = handles.multi, !streams.isEmpty {
      isSignalled = waitWithStreams(multi, event: event, milliseconds: milliseconds)
      context.isQuiet = looksAgain
    } else if let multi = handles.multi {
      var extra = curl_waitfd(fd: event, events: Int16(CURL_WAIT_POLLIN), revents: 0)
      var found: Int32 = 0
      curl_multi_poll(multi, &extra, 1, milliseconds, &found)
      isSignalled = extra.revents != 0
      context.isQuiet = found == 0
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
    handles.close()
    origins.removeAll()
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

  private func deliverNews() { context.takeNews { deliverProgress(of: $0) } }

  /// A body stream has a piece for a transfer that waits for it, or whoever takes the response's body has room again.
  func resumeSending(_ transfer: Transfer) {
    if transfer.state == .held, transfer.cache.replay != nil, !transfer.isSuspended { proceed(transfer, .nextHop) }
    guard transfer.state == .running, !transfer.isSuspended else { return }
    if let piece = transfer.local.heldPiece.take() { return takePiece(piece, for: transfer) }
    guard let easy = transfer.easy else { return }
    curl_easy_pause(easy.handle, garland_pause_continue)
  }
}
