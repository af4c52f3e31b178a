import CCurl
import HTTPTypes
import Synchronization

/// A request on its way: the state of all its hops.
///
/// `@unchecked Sendable`: what is `let` is immutable; everything else is touched on the engine's thread only, from the moment the loop takes the
/// transfer out of its inbox. libcurl's callbacks, which get at it through a pointer, run on that thread as well.
final class Transfer: @unchecked Sendable {
  enum State { case new, loading, ready, waiting, held, preparing, running, settling, ended }

  let request: TransferRequest
  let limits: TransferLimits
  private var progress: ProgressTeller
  private var completion: (@Sendable (Result<TransferResponse, NetworkingError>) -> Void)?

  // What the core needs to know.
  var state = State.new
  var place = TransferPlace()
  var isSuspended = false
  /// Whether the request was looked at.
  var isPrepared = false
  var startedAt: UInt64 = 0
  var lastActivity: UInt64 = 0
  var easy: EasyHandle?
  /// What it has in common with the others of its thread, for callbacks. Not counted: the core that has it also has the transfer among those that it runs, and lets
  /// nobody go from there but by ending it, which sets this to nil.
  private var uncountedContext: Unmanaged<LoopContext>?
  var context: LoopContext? {
    get { uncountedContext?.takeUnretainedValue() }
    set { uncountedContext = newValue.map { Unmanaged.passUnretained($0) } }
  }

  // The hop.
  var hop: RedirectState?
  /// The origin of the current hop.
  var origin: Origin?
  var content = RequestContent()
  /// The pass over the body while it runs.
  var payloadTask: Task<Void, Never>?
  var proof = HopProof()
  var route = HopRoute()
  var sentHead = SentHead()
  var handover = ConnectionHandover()
  var local = LocalContent()

  // What was received.
  var intake = ResponseIntake()
  var continuation = DownloadContinuation()
  /// Set, from any thread, before it is cancelled by somebody who wants to continue it.
  let keepsPartial = Atomic<Bool>(false)
  var cache = CacheUse()
  var redirects: [RedirectHop] = []
  var metrics = TransferMetrics()

  init(
    request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) {
    self.request = request
    self.progress = ProgressTeller(progress)
    self.completion = completion
    limits = TransferLimits(request.settings)
  }

  /// How many redirects were followed.
  var hopCount: Int { hop?.count ?? 0 }

  /// Hands the result over, once, and lets everything go that is not needed any more.
  func complete(_ result: Result<TransferResponse, NetworkingError>) {
    guard let completion = completion.take() else { return }
    if progress.isHeard, case .success = result { tellProgress() }
    place.forgetTimers()
    context = nil
    payloadTask?.cancel()
    payloadTask = nil
    content.close()
    intake.sink.abandon()
    continuation.partial = nil
    cache.end()
    completion(result)
  }

  /// Keeps the handle with its connection when the transfer ends.
  func keepHandle() {
    handover.handle = easy
    easy = nil
  }

  func takeHandle() -> EasyHandle? { handover.handle.take() }

  /// What the transfer is at, for words about time-outs.
  var phase: NetworkingError.Phase {
    if local.resource != nil { return state == .running ? .receiving : .waiting }
    guard let easy else { return .waiting }
    if intake.head.isComplete || !intake.head.isEmpty { return .receiving }
    if easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 {
      if content.reader?.isWaiting == true { return .sending }
      if content.isUnfinished { return .sending }
      return .awaitingResponse
    }
    // The time of the connection is told only when TLS has come about as well; that there is one shows by its port.
    if easy.long(CURLINFO_LOCAL_PORT) > 0 {
      if asksSOCKSProxy(easy) { return .tunneling }
      if origin?.scheme == "https" { return asksProxyForTunnel(easy) ? .tunneling : .securing }
    }
    if easy.offset(CURLINFO_NAMELOOKUP_TIME_T) > 0 { return .connecting }
    return .resolving
  }

  /// Whether the peer is an HTTP proxy by now, and not yet who is behind it.
  func asksProxyForTunnel(_ easy: EasyHandle) -> Bool {
    route.usesHTTPProxy && easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0 && !(200...299).contains(easy.long(CURLINFO_HTTP_CONNECTCODE))
  }

  /// Whether the peer is a SOCKS proxy by now, and not yet who is behind it. With TLS libcurl does not tell when the handshake with the origin begins.
  private func asksSOCKSProxy(_ easy: EasyHandle) -> Bool {
    route.usesProxy && !route.usesHTTPProxy && origin?.scheme != "https" && easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0
  }

  /// Whether the connection of the hop is most likely one that others can share, so that it is worth waiting for whoever makes it: HTTP/2 over TLS is asked for.
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
    // These are proven for a connection, by HTTP/1.
    case .negotiate, .ntlm: return false
    case nil, .challenged, .basic, .bearer, .digest, .aws: return true
    }
  }

  /// Notes that something came or went. Called for every line of a head, so that the context is not even counted for a moment.
  func noteActivity() {
    uncountedContext?._withUnsafeGuaranteedRef { context in
      lastActivity = context.now
      context.isQuiet = false
    }
  }

  /// Whether nothing can happen until the caller gives the next piece of the body, or makes room for what came.
  var waitsForCaller: Bool { request.channel?.isBlocked == true || content.reader?.isWaiting == true }

  // MARK: Progress

  /// Notes that bytes moved.
  func noteBytes() {
    if progress.noteBytes() { context?.noteNews(of: self) }
  }

  /// Tells how far it has come, unless it has done so just before: then it returns when it may again.
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
