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
  private let progress: (@Sendable (TransferProgress) -> Void)?
  private var completion: (@Sendable (Result<TransferResponse, NetworkingError>) -> Void)?
  let idleNanoseconds: UInt64?
  let maximumHeaderBytes: Int
  let maximumHeaderFields: Int

  // What the core needs to know.
  var state = State.new
  var runningIndex = 0
  var isSuspended = false
  var startedAt: UInt64 = 0
  var lastActivity: UInt64 = 0
  var idleTimer: LoopTimer?
  var progressTimer: LoopTimer?
  var deadlineTimer: LoopTimer?
  /// When it began to wait for a connection, while it does.
  var waitingSince: UInt64?
  var easy: EasyHandle?
  /// The origin in whose count of connections this transfer stands.
  var slot: OriginQueue?
  /// The origin of the current hop.
  var origin: Origin?

  /// Whether the request was looked at.
  var isPrepared = false

  // A connection for somebody else.
  /// The socket of a connection that is there already.
  var adoptedSocket: AdoptedSocket?
  private var keptHandle: EasyHandle?

  // What no HTTP is spoken for.
  var local: LocalResource?
  var source: FileSource?
  /// A piece of a file that nobody has room for yet.
  var heldPiece: [UInt8]?
  var ftp: FTPConversation?

  /// What it has in common with the others of its thread, for callbacks. Not counted: the core that has it also has the transfer among those that it runs, and lets
  /// nobody go from there but by ending it, which sets this to nil.
  private var uncountedContext: Unmanaged<LoopContext>?
  var context: LoopContext? {
    get { uncountedContext?.takeUnretainedValue() }
    set { uncountedContext = newValue.map { Unmanaged.passUnretained($0) } }
  }

  // The hop.
  var hop: RedirectState?
  var hopCount = 0
  var reader: (any BodyReader)?
  var bodyLength: Int64?
  /// The body as it is sent, where it is in memory.
  var bodyBytes: [UInt8]?
  /// What a pass over the body has found, and the pass while it runs.
  var payload: PayloadPass.Facts?
  var payloadTask: Task<Void, Never>?
  var sentFields = HTTPFields()
  var cookieHeader: String?
  /// What the hop proves who is asking with, beside what the caller wrote.
  var authorizationFields: [HTTPField] = []
  /// The URL of the hop as it was sent, once it was; nil if there is a signature in it.
  var hopURL: String?
  /// What the request's URL begins with, if that URL is the hop's letter by letter.
  var knownAuthority: LastAuthority?
  /// The URL with a signature in it.
  var signedURL: URLReference?
  var digest = DigestExchange()
  var digestUse: DigestSpaces.Use?
  /// The nonce of the challenge that the hop is sent again for.
  var pendingNonce: String?
  /// That the response at hand is a challenge, and another one follows.
  var isAnswering = false
  /// Whether libcurl may answer a 401, or a proxy's 407, by itself.
  var usesLibraryAuthentication = false
  /// Why there is no ticket of Kerberos for the hop, in that library's words.
  var ticketProblem: String?
  var negotiatesWithProxy = false
  /// That the head at hand may be followed by another one, for this reason; and how many were.
  var isProvisional = false
  var answeredHeads = 0
  /// Which of a `resolve` override's addresses is tried.
  var addressIndex = 0
  var addressCount = 0
  var usesProxy = false
  /// Whether the proxy is one of HTTP, which is asked for tunnels, and not one of SOCKS.
  var usesHTTPProxy = false
  /// What is asked before the request leaves; nil is nothing.
  var hostTrust: HostTrust?
  /// False once a server has refused to say whether the body may be sent: it is sent without asking then.
  var mayExpect = true
  /// That the hop begins anew, because of the above.
  var beginsAnew = false
  /// The state after the redirect that was received, if there was one that is followed.
  var nextHop: RedirectState?

  // What was received.
  var head = ResponseHead()
  var sink = BodySink.none
  /// Undoes the content codings of the body; nil until there is a body, or when it has none.
  var decoding: ContentDecoding?
  var decision = RedirectState.Decision.deliver
  /// Why a callback made libcurl give up.
  var failure: NetworkingError.Reason?
  /// That a callback made libcurl stop because no more is wanted.
  var isSatisfied = false
  /// Bytes of the body, decoded.
  var received: Int64 = 0
  var sent: Int64 = 0
  var redirects: [RedirectHop] = []
  var metrics = TransferMetrics()
  var learnsHTTP2 = false
  // A download that is continued, or may be.
  var partial: PartialFile?
  var resumption: Resumption?
  /// What the answer means for the beginning that is there.
  var partialUse = PartialUse.none
  /// Set, from any thread, before it is cancelled by somebody who wants to continue it.
  let keepsPartial = Atomic<Bool>(false)

  // The cache.
  /// What the cache has to do with the hop; nil without a cache, and before it was asked.
  var cacheHop: CacheHop?
  /// That what is stored for the hop has turned out to be of no use, even where it could not be removed.
  var distrustsCache = false
  /// The stored response that is handed on instead of one of the network's.
  var replay: CacheReplay?
  /// A response that is complete and will be stored.
  var recorded: CacheHop.Recorded?
  private var nextProgressAt: UInt64 = 0
  private var hasNews = false

  init(
    request: TransferRequest, progress: (@Sendable (TransferProgress) -> Void)?,
    completion: @escaping @Sendable (Result<TransferResponse, NetworkingError>) -> Void
  ) {
    self.request = request
    self.progress = progress
    self.completion = completion
    let settings = request.settings
    idleNanoseconds = settings.idleTimeout.map(\.nanoseconds)
    maximumHeaderBytes = settings.maximumHeaderBytes
    maximumHeaderFields = settings.maximumHeaderFields
  }

  /// Hands the result over, once, and lets everything go that is not needed any more.
  func complete(_ result: Result<TransferResponse, NetworkingError>) {
    guard let completion = completion.take() else { return }
    if progress != nil, case .success = result { tellProgress() }
    // A timer holds its transfer: without this the two would keep each other alive.
    idleTimer = nil
    progressTimer = nil
    deadlineTimer = nil
    context = nil
    payloadTask?.cancel()
    payloadTask = nil
    reader?.close()
    reader = nil
    sink.abandon()
    partial = nil
    cacheHop = nil
    replay = nil
    recorded = nil
    completion(result)
  }

  /// Keeps the handle with its connection when the transfer ends.
  func keepHandle() {
    keptHandle = easy
    easy = nil
  }

  func takeHandle() -> EasyHandle? { keptHandle.take() }

  /// What the transfer is at, for words about time-outs.
  var phase: NetworkingError.Phase {
    if local != nil { return state == .running ? .receiving : .waiting }
    guard let easy else { return .waiting }
    if head.isComplete || !head.isEmpty { return .receiving }
    if easy.offset(CURLINFO_PRETRANSFER_TIME_T) > 0 {
      if reader?.isWaiting == true { return .sending }
      if let bodyLength, sent < bodyLength { return .sending }
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
    usesHTTPProxy && easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0 && !(200...299).contains(easy.long(CURLINFO_HTTP_CONNECTCODE))
  }

  /// Whether the peer is a SOCKS proxy by now, and not yet who is behind it. With TLS libcurl does not tell when the handshake with the origin begins.
  private func asksSOCKSProxy(_ easy: EasyHandle) -> Bool {
    usesProxy && !usesHTTPProxy && origin?.scheme != "https" && easy.offset(CURLINFO_PRETRANSFER_TIME_T) == 0
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
    case nil, .basic, .bearer, .digest, .aws: return true
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
  var waitsForCaller: Bool { request.channel?.isBlocked == true || reader?.isWaiting == true }

  // MARK: Progress

  /// Notes that bytes moved. True if the core is to be told that there is news.
  func noteBytes() -> Bool {
    guard progress != nil, !hasNews else { return false }
    hasNews = true
    return true
  }

  /// Tells how far it has come, unless it has done so just before: then it returns when it may again.
  func deliverProgress(at now: UInt64) -> UInt64? {
    if state == .running, now < nextProgressAt { return nextProgressAt }
    hasNews = false
    guard state == .running else { return nil }
    nextProgressAt = now &+ 50_000_000
    tellProgress()
    return nil
  }

  func forgetNews() { hasNews = false }

  private func tellProgress() {
    progress?(
      TransferProgress(
        sent: sent, toSend: bodyLength, received: received,
        toReceive: head.received.contains("content-encoding") ? nil : head.contentLength))
  }
}
