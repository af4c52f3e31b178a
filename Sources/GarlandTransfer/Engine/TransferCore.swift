import CCurl
import Glibc

/// The data of an engine's thread: the multi handle, the easy handles, the timers and the running
/// transfers. The core is used on that thread only.
final class TransferCore {
  var timers = TimerHeap()
  let context = LoopContext()
  let configuration: EngineConfiguration
  unowned let loop: EngineLoop
  let handles: HandlePool
  /// The transfers that the next iteration of the event loop starts, or continues with their next request.
  var ready: [Transfer] = []
  /// An empty array that is swapped with ``ready``, so that no new array is allocated in each iteration of the event loop.
  var spareReady: [Transfer] = []
  /// An empty array for the transfers whose requests have ended, so that no new array is allocated in each iteration of the event loop.
  var spareEnded: [(Transfer, Transfer.Outcome)] = []
  var origins = OriginQueues()
  /// The origins whose first connection is being opened while other transfers wait for it.
  var opening: [OriginQueue] = []
  var running: [Transfer] = []
  /// Whether a request was passed to libcurl in the current iteration of the event loop, after the sockets were handled. In this case, the
  /// same iteration sends the request, unless many transfers are running.
  var hasLaunched = false
  /// Whether transfers have ever shared a connection. If true, the event loop checks the sockets once more before its thread sleeps.
  var sharesConnections = false
  /// The maximum number of running transfers with which new requests are sent in the same iteration of the event loop. To send them,
  /// libcurl must process all running transfers a second time. With more running transfers, this second pass would cost too much: the next
  /// iteration sends the new requests, when the ready sockets are known.
  private static let fewTransfers = 2
  /// Timers of ended transfers, which are reused for new transfers.
  var spareTimers: [LoopTimer] = []
  /// The streams whose sockets are watched. Each stream knows its index in this array.
  var streams: [any EngineStream] = []
  private(set) var isStopped = false
  /// The timer with which the event loop can wait for a fraction of a millisecond; nil if ``EngineConfiguration/hasExactTimers`` is false.
  private let exactTimer: ExactTimer?

  init(configuration: EngineConfiguration, loop: EngineLoop) {
    self.configuration = configuration
    self.loop = loop
    handles = HandlePool(configuration: configuration)
    exactTimer = configuration.hasExactTimers ? ExactTimer() : nil
  }

  /// The time of the current iteration of the event loop, in nanoseconds of the monotonic clock.
  var now: UInt64 { context.now }

  var isIdle: Bool { running.isEmpty && ready.isEmpty && streams.isEmpty }
  var hasReadyWork: Bool { !ready.isEmpty }

  // MARK: Steps of the loop

  func enqueue(_ transfer: Transfer) {
    guard transfer.state == .new else { return }
    transfer.state = .ready
    transfer.startedAt = MonotonicClock.now
    transfer.place.runningIndex = running.count
    running.append(transfer)
    ready.append(transfer)
  }

  /// Runs one iteration of the event loop: starts new transfers, handles the network, ends transfers, and fires due timers.
  ///
  /// The network is handled before the timers. So if the thread is late, a time limit does not end a transfer whose data is already in the
  /// socket.
  func turn() {
    begin()
    // Files are read without libcurl.
    if let multi = handles.multi { perform(multi) } else { deliverNews() }
    while let timer = timers.popDue(at: now) { fire(timer) }
    hasLaunched = false
    begin()
    // With few transfers, new requests are sent now and not after another check of the sockets.
    if hasLaunched, running.count <= Self.fewTransfers, let multi = handles.multi { perform(multi) }
  }

  private func perform(_ multi: OpaquePointer) {
    var count: Int32 = 0
    curl_multi_perform(multi, &count)
    deliverNews()
    context.takeYielding { loop.resumeSending($0) }
    reap(multi)
    if !opening.isEmpty { noteOpened() }
  }

  /// Waits for the network, for the next timer, or for the descriptor `event`, with which other threads wake this thread. If `mayWait` is
  /// false, the method only checks what is ready, and returns immediately.
  func wait(event: Int32, mayWait: Bool) {
    var milliseconds: Int32 = 0
    var exact: Int32?
    if mayWait {
      milliseconds = 3_600_000
      if let due = timers.nextDue {
        let now = MonotonicClock.now
        milliseconds = due <= now ? 0 : Int32(min((due - now + 999_999) / 1_000_000, 3_600_000))
        if milliseconds > 0 { exact = exactTimer?.set(to: due, from: now) }
      }
    }
    // Reading a shared connection may yield data for another transfer that has had its turn.
    // libcurl 7.88 records that this transfer needs another turn, and forgets it at the end of the
    // overall turn. So there is one more turn before this thread sleeps for long.
    let looksAgain = sharesConnections && !context.isQuiet
    if looksAgain { milliseconds = min(milliseconds, 1) }
    var isSignalled: Bool
    if let multi = handles.multi, !streams.isEmpty {
      isSignalled = waitWithStreams(multi, event: event, milliseconds: milliseconds)
      context.isQuiet = looksAgain
    } else if let multi = handles.multi {
      (isSignalled, context.isQuiet) = Self.poll(multi, event, exact, milliseconds)
    } else if mayWait {
      var entries = (pollfd(fd: event, events: Int16(POLLIN), revents: 0), pollfd(fd: exact ?? -1, events: Int16(POLLIN), revents: 0))
      isSignalled = withUnsafeMutableBytes(of: &entries) { bytes in
        bytes.withMemoryRebound(to: pollfd.self) { Glibc.poll($0.baseAddress, 2, milliseconds) > 0 && $0[0].revents != 0 }
      }
    } else {
      isSignalled = false
    }
    if isSignalled {
      garland_eventfd_clear(event)
    }
  }

  /// Waits for libcurl's sockets. Returns two values: whether the event descriptor was signalled, and whether the wait ended without any
  /// ready socket.
  private static func poll(_ multi: OpaquePointer, _ event: Int32, _ exact: Int32?, _ milliseconds: Int32) -> (Bool, Bool) {
    var found: Int32 = 0
    guard let exact else {
      var extra = curl_waitfd(fd: event, events: Int16(CURL_WAIT_POLLIN), revents: 0)
      curl_multi_poll(multi, &extra, 1, milliseconds, &found)
      return (extra.revents != 0, found == 0)
    }
    var extra = [event, exact].map { curl_waitfd(fd: $0, events: Int16(CURL_WAIT_POLLIN), revents: 0) }
    curl_multi_poll(multi, &extra, 2, milliseconds, &found)
    return (extra[0].revents != 0, found == 0)
  }

  /// Fails all running, waiting and later transfers.
  func stop() {
    isStopped = true
    for transfer in running { end(transfer, with: .shutDown) }
    for stream in streams { stream.fail(NetworkingError(.shutDown), self) }
  }

  func cancel(_ transfer: Transfer) {
    switch transfer.state {
    case .new:
      // The transfer has not started yet; its start will find that it has ended.
      transfer.state = .ended
      transfer.startedAt = now
      transfer.complete(.failure(NetworkingError(.cancelled, url: transfer.request.url)))
    case .ended: break
    default: end(transfer, with: .cancelled)
    }
  }

  /// Frees all handles and queues, so that another thread can use this object.
  func close() {
    handles.close()
    origins.removeAll()
  }

  // MARK: Suspending

  /// Suspends a transfer. The deadline keeps running; the idle timeout stops.
  func suspend(_ transfer: Transfer) {
    guard transfer.state != .ended, !transfer.isSuspended else { return }
    transfer.isSuspended = true
    if transfer.state == .running, let easy = transfer.easy { curl_easy_pause(easy.handle, garland_pause_all) }
  }

  /// Continues a suspended transfer.
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

  // MARK: Work left by callbacks

  private func deliverNews() { context.takeNews { deliverProgress(of: $0) } }

  /// Continues a waiting transfer. Call this method when the next piece of its body stream is available, or when the reader of its response
  /// can receive more. Has no effect on a suspended transfer.
  func resumeSending(_ transfer: Transfer) {
    if transfer.state == .held, transfer.cache.replay != nil, !transfer.isSuspended { proceed(transfer, .nextHop) }
    guard transfer.state == .running, !transfer.isSuspended else { return }
    if let piece = transfer.local.heldPiece.take() { return takePiece(piece, for: transfer) }
    guard let easy = transfer.easy else { return }
    curl_easy_pause(easy.handle, garland_pause_continue)
  }
}
