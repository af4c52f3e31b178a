import HTTPTypes
import Synchronization

/// Makes requests that share connections, cookies, default header fields and interceptors.
///
/// ```swift
/// let session = Session()
/// let user = try await session.request("https://example.com/users/1").validate().response(of: User.self).value
/// ```
/// A request is made at once and sent when somebody waits for it, or by ``Request/resume()``. While it runs the session keeps it. Sessions are meant to
/// be kept, one for each purpose: each has its own connections. When the last reference to a session and its requests goes, its connections are closed.
public final class Session: Sendable {
  /// What it was made with.
  public let configuration: SessionConfiguration
  /// What sends its requests.
  public let engine: Engine
  /// The cookies that its requests share, nil if there are none.
  public let cookies: CookieJar?
  /// Where its requests' responses are kept, nil if nowhere.
  public let cache: ResponseCache?
  let monitors: [any EventMonitor]
  private let ownsEngine: Bool
  private let state = Mutex(SessionState<Request>())
  private let madeStreamEngine = Mutex<Engine?>(nil)

  /// A session. Give an engine to share its connections with other users of it; its limits are then the engine's, and it outlives the session.
  public init(_ configuration: SessionConfiguration = .default, engine: Engine? = nil) {
    self.configuration = configuration
    monitors = configuration.eventMonitors
    switch configuration.cookies {
    case .isolated: cookies = CookieJar()
    case .shared: cookies = .shared
    case .jar(let jar): cookies = jar
    case .none: cookies = nil
    }
    if configuration.kind == .ephemeral, let given = configuration.cache, given.directory != nil {
      cache = ResponseCache(memoryCapacity: given.memoryCapacity, now: given.now)
    } else {
      cache = configuration.cache
    }
    ownsEngine = engine == nil
    if let engine {
      self.engine = engine
    } else {
      var own = EngineConfiguration()
      own.connectionsPerOrigin = configuration.connectionsPerOrigin
      own.idleConnections = configuration.idleConnections
      self.engine = Engine(configuration: own)
    }
  }

  /// One for whoever needs no other.
  public static let shared = Session()

  // MARK: Ending

  /// Lets what runs come to its end, and refuses new requests with ``NetworkingError/Reason/invalidated``. Then the connections are closed.
  public func finishAndInvalidate() {
    if state.withLock({ $0.invalidate() }) { close() }
  }

  /// Cancels what runs, and refuses new requests.
  public func cancelAndInvalidate() {
    finishAndInvalidate()
    cancelAllRequests()
  }

  /// Cancels what runs.
  public func cancelAllRequests() {
    let (requests, streams) = state.withLock { ($0.running, $0.runningStreams) }
    for request in requests { request.cancel() }
    for stream in streams { stream.cancel() }
  }

  /// The requests that run, in the order in which they were started.
  public var runningRequests: [Request] { state.withLock { $0.running } }

  /// Takes a request in. False if the session was invalidated.
  func register(_ request: Request) -> Bool { state.withLock { $0.add(request, id: request.id) } }

  func unregister(_ request: Request) {
    if state.withLock({ $0.remove(id: request.id) }) { close() }
  }

  private func close() {
    if ownsEngine { engine.stop() }
    madeStreamEngine.withLock { $0 }?.stop()
  }

  // MARK: Streams

  /// What runs this session's streams: a thread of its own, whose connections do not count against those of requests.
  var streamEngine: Engine {
    madeStreamEngine.withLock { engine in
      if let engine { return engine }
      var configuration = EngineConfiguration()
      configuration.connectionsPerOrigin = 0
      configuration.threadName = "garland-streams"
      let made = Engine(configuration: configuration)
      engine = made
      return made
    }
  }

  func registerStream(_ stream: some SessionStream) -> Bool { state.withLock { $0.add(stream) } }

  func unregisterStream(_ id: Int) {
    if state.withLock({ $0.removeStream(id: id) }) { close() }
  }

  // MARK: What requests need

  /// The number of the next request, from 1.
  func nextID() -> Int { state.withLock { $0.nextID() } }

  func warn(_ warning: SessionWarning, of request: Request) {
    guard state.withLock({ $0.isFirst(warning) }) else { return }
    configuration.warn(warning)
    for monitor in monitors { monitor.request(request, did: .warned(warning)) }
  }

  /// A request with this session's settings and header fields, to be changed and given to ``request(_:interceptor:)``.
  public func transferRequest(_ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields()) -> TransferRequest {
    var settings = configuration.settings
    settings.cookies = cookies
    settings.cache = cache
    return TransferRequest(url: url, method: method, headerFields: headers, settings: settings)
  }

  /// What of the session goes into every request before it is sent: missing header fields, limits that are stricter.
  func complete(_ request: inout TransferRequest) {
    for field in configuration.headerFields
    where !request.headerFields.contains(field.name) && !request.removedFields.contains(field.name)
      && !(field.name == .contentType && request.body.namesItsType)
    {
      request.headerFields.append(field)
    }
    configuration.credentials.complete(&request)
    request.settings = request.settings.restricted(by: configuration.settings)
    if cookies == nil { request.settings.cookies = nil }
    if cache == nil || (configuration.kind == .ephemeral && request.settings.cache?.directory != nil) { request.settings.cache = cache }
    if request.cachedResponseHandler == nil { request.cachedResponseHandler = configuration.cachedResponseHandler }
  }
}
