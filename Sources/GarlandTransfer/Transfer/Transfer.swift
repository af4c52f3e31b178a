import CCurl
import Synchronization

/// A running transfer: the state of the request, and of the requests after redirects.
///
/// `@unchecked Sendable`: each `let` is immutable; all other state is used on the engine's thread only, once
/// the loop has taken the transfer out of its inbox. libcurl's callbacks, which receive a pointer to the
/// transfer, run on that thread as well.
final class Transfer: @unchecked Sendable {
  enum State { case new, loading, ready, waiting, held, preparing, running, settling, ended }

  let request: TransferRequest
  let limits: TransferLimits
  let stop: TransferStop?
  private var progress: ProgressTeller
  private var completion: (@Sendable (Result<TransferResponse, NetworkingError>) -> Void)?

  // State for the core.
  var state = State.new
  var place = TransferPlace()
  var isSuspended = false
  /// Whether the request was checked, and the state for redirects was created.
  var isPrepared = false
  var startedAt: UInt64 = 0
  var lastActivity: UInt64 = 0
  var easy: EasyHandle?
  /// The data that libcurl's callbacks need, shared by all transfers of the thread; nil after this transfer has ended.
  ///
  /// This reference does not retain the data. The data exists as long as this transfer runs, since the same ``TransferCore`` owns the data
  /// and the running transfers.
  private var uncountedContext: Unmanaged<LoopContext>?
  var context: LoopContext? {
    get { uncountedContext?.takeUnretainedValue() }
    set { uncountedContext = newValue.map { Unmanaged.passUnretained($0) } }
  }

  // State of the current request.
  var hop: RedirectState?
  /// The origin of the current request.
  var origin: Origin?
  var content = RequestContent()
  /// The work on another thread that the transfer waits for: reading the body for its digest or length, or the call of
  /// ``TransferRequest/responder``.
  var awaitedTask: Task<Void, Never>?
  var proof = HopProof()
  var route = HopRoute()
  var sentHead = SentHead()
  var handover = ConnectionHandover()
  var local = LocalContent()

  // State of the response.
  var intake = ResponseIntake()
  var continuation = DownloadContinuation()
  /// Whether a cancellation always keeps the partial file. If false, the download target determines whether the file is kept. A thread that
  /// cancels the transfer may set this flag before the cancellation.
  let keepsPartial = Atomic<Bool>(false)
  var cache = CacheUse()
  var redirects: [RedirectHop] = []
  var metrics = TransferMetrics()

  init(
    request: TransferRequest, until stop: TransferStop? = nil, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) {
    self.request = request
    self.stop = stop
    self.progress = ProgressTeller(progress)
    self.completion = completion
    limits = TransferLimits(request.settings)
  }

  /// The number of followed redirects.
  var hopCount: Int { hop?.count ?? 0 }

  /// Delivers the result, exactly once, and releases all resources.
  func complete(_ result: Result<TransferResponse, NetworkingError>) {
    guard let completion = completion.take() else { return }
    if progress.isHeard, case .success = result { tellProgress() }
    place.forgetTimers()
    context = nil
    awaitedTask?.cancel()
    awaitedTask = nil
    content.close()
    intake.sink.abandon()
    continuation.partial = nil
    cache.end()
    completion(result)
  }

  /// Moves libcurl's handle with its connection out of the transfer, so that a stream can use the handle and the connection after the
  /// transfer has ended.
  func keepHandle() {
    handover.handle = easy
    easy = nil
  }

  func takeHandle() -> EasyHandle? { handover.handle.take() }

  /// The current phase of the transfer, such as connecting or receiving, for the messages of timeouts.
  var phase: NetworkingError.Phase {
    if local.resource != nil { return state == .running ? .receiving : .waiting }
    guard let easy else { return request.responder != nil && state == .running ? .awaitingResponse : .waiting }
    if intake.head.isComplete || !intake.head.isEmpty { return .receiving }
    if easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 {
      if content.reader?.isWaiting == true { return .sending }
      if content.isUnfinished { return .sending }
      return .awaitingResponse
    }
    // libcurl reports the time of the connection only after TLS; its port shows that the connection
    // exists.
    if easy.long(CURLINFO_LOCAL_PORT) > 0 {
      if asksSOCKSProxy(easy) { return .tunneling }
      if origin?.scheme == "https" { return asksProxyForTunnel(easy) ? .tunneling : .securing }
    }
    if easy.offset(CURLINFO_NAMELOOKUP_TIME_T) > 0 { return .connecting }
    return .resolving
  }

  /// Whether the transfer is still waiting for an HTTP proxy to open a tunnel.
  func asksProxyForTunnel(_ easy: EasyHandle) -> Bool {
    route.usesHTTPProxy && easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0 && !(200...299).contains(easy.long(CURLINFO_HTTP_CONNECTCODE))
  }

  /// Whether the transfer is still waiting for a SOCKS proxy. Always false for HTTPS: libcurl does not report when the proxy has
  /// connected and the TLS handshake with the origin begins.
  private func asksSOCKSProxy(_ easy: EasyHandle) -> Bool {
    route.usesProxy && !route.usesHTTPProxy && origin?.scheme != "https" && easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0
  }

  /// Whether other transfers to the origin wait until the current request has opened its connection. True only if the request uses TLS and
  /// prefers HTTP/2, because the transfers can then probably share this connection.
  var expectsToShare: Bool {
    let settings = request.settings
    guard settings.version == .http2 || settings.version == .http2PriorKnowledge, !settings.usesFreshConnection, origin?.scheme == "https"
    else {
      return false
    }
    switch request.extent {
    case .complete, .head: break
    case .connection, .stream: return false
    }
    switch request.credential {
    // These schemes authenticate a connection over HTTP/1.
    case .negotiate, .ntlm: return false
    case nil, .challenged, .basic, .bearer, .digest, .aws: return true
    }
  }

  /// Records the time of the last activity. This method is called for every header line, so it must be fast: it does not change the
  /// reference count of the ``LoopContext`` that contains the current time.
  func noteActivity() {
    uncountedContext?._withUnsafeGuaranteedRef { context in
      lastActivity = context.now
      context.isQuiet = false
    }
  }

  /// Whether the transfer waits for the caller, who must produce the next piece of the request's body or read received data.
  var waitsForCaller: Bool { request.channel?.isBlocked == true || content.reader?.isWaiting == true }

  // MARK: Progress

  /// Records that bytes were sent or received, so that progress is reported.
  func noteBytes() {
    if progress.noteBytes() { context?.noteNews(of: self) }
  }

  /// Reports the progress of a running transfer, unless it is too early for the next report. If it is too early, returns the time at which
  /// the next report is due; otherwise returns nil. Does nothing if the transfer is not running.
  func deliverProgress(at now: UInt64) -> UInt64? {
    switch progress.next(at: now, isRunning: state == .running) {
    case .wait(let due): return due
    case .rest: return nil
    case .tell:
      tellProgress()
      return nil
    }
  }

  func forgetNews() { progress.forgetNews() }

  private func tellProgress() {
    progress.tell(
      TransferProgress(
        sent: content.sent, toSend: content.length, received: intake.received,
        toReceive: intake.head.received.contains("content-encoding") ? nil : intake.head.contentLength))
  }
}
