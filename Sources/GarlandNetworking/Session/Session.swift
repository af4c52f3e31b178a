import Synchronization

/// Creates requests that share connections, cookies, default header fields and interceptors.
///
/// ```swift
/// let session = Session()
/// let user = try await session.request("https://example.com/users/1").validate().response(of: User.self).value
/// ```
/// A request is created immediately. It is sent when a task waits for it, or by ``Request/resume()``,
/// and the session retains it while it runs. Create one session for each purpose and keep it, since
/// each session has its own connections. When the last reference to a session and its requests is
/// released, its connections are closed.
public final class Session: Sendable {
  /// The configuration of the session.
  public let configuration: SessionConfiguration
  /// The engine that sends the requests.
  public let engine: Engine
  /// The cookie jar that the requests share; nil if the session has no cookies.
  public let cookies: CookieJar?
  /// The cache of the responses; nil if the session has no cache.
  public let cache: ResponseCache?
  let monitors: [any EventMonitor]
  /// The configuration's transport (a replacement for the network), in the form that the engine uses; nil if requests use the network.
  let responder: Responder?
  private let base: URLReference?
  private let ownsEngine: Bool
  private let state = Mutex(SessionState<Request>())
  private let madeStreamEngine = Mutex<Engine?>(nil)

  /// Creates a session.
  ///
  /// If an engine is passed, the session shares the engine's connections with the other sessions that use this engine. In this case, the
  /// engine's limits for connections apply instead of the configuration's limits, and the engine outlives the session.
  public init(_ configuration: SessionConfiguration = .default, engine: Engine? = nil) {
    self.configuration = configuration
    monitors = configuration.eventMonitors
    if let transport = configuration.transport {
      responder = { request in try await transport.response(to: request) }
    } else {
      responder = nil
    }
    base = configuration.baseURL.flatMap(Self.folder)
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

  /// A session for programs that need only one session.
  public static let shared = Session()

  // MARK: Ending

  /// Refuses new requests with ``NetworkingError/Reason/invalidated``, and closes the connections when the running requests and streams
  /// have ended.
  public func finishAndInvalidate() {
    if state.withLock({ $0.invalidate() }) { close() }
  }

  /// Cancels running requests and streams, and refuses new ones.
  public func cancelAndInvalidate() {
    finishAndInvalidate()
    cancelAllRequests()
  }

  /// Cancels running requests, streams and WebSocket connections.
  public func cancelAllRequests() {
    let (requests, streams) = state.withLock { ($0.running, $0.runningStreams) }
    for request in requests { request.cancel() }
    for stream in streams { stream.cancel() }
  }

  /// The running requests in the order of their creation.
  public var runningRequests: [Request] { state.withLock { $0.running } }

  /// Registers a request. Returns false if the session was invalidated.
  func register(_ request: Request) -> Bool { state.withLock { $0.add(request, id: request.id) } }

  func unregister(_ request: Request) {
    if state.withLock({ $0.remove(id: request.id) }) { close() }
  }

  private func close() {
    if ownsEngine { engine.stop() }
    madeStreamEngine.withLock { $0 }?.stop()
  }

  // MARK: Streams

  /// The engine of the streams that this session opens, such as WebSockets. This engine has its own thread, and its connections do not
  /// count towards the connection limits of the session's other requests.
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

  // MARK: Support for requests

  /// Returns the number of the next request, starting at 1.
  func nextID() -> Int { state.withLock { $0.nextID() } }

  func warn(_ warning: SessionWarning, of request: Request) {
    guard state.withLock({ $0.isFirst(warning) }) else { return }
    configuration.warn(warning)
    request.tell(.warned(warning))
  }

  /// Returns a request with this session's settings and header fields. The caller can change it and pass it to `request(_:interceptor:)`.
  public func transferRequest(_ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = HTTPFields()) -> TransferRequest {
    var settings = configuration.settings
    settings.cookies = cookies
    settings.cache = cache
    return TransferRequest(url: absolute(url), method: method, headerFields: headers, settings: settings)
  }

  /// Resolves a URL against the session's base URL, and returns the absolute URL. Without a base URL, returns the URL unchanged.
  func absolute(_ url: String) -> String {
    guard let base, let reference = try? URLReference(url), reference.scheme == nil else { return url }
    return reference.resolved(against: base).description
  }

  /// Parses a base URL, and appends a slash to its path if the path does not end with a slash. Returns nil if the URL is invalid.
  private static func folder(_ text: String) -> URLReference? {
    guard var base = try? URLReference(text) else { return nil }
    if base.path.utf8.last != UInt8(ascii: "/") { base.path += "/" }
    return base
  }

  private static func namesBoundary(_ contentType: String) -> Bool {
    var parameters = ParameterScanner(contentType)
    while let (name, _) = parameters.next() { if name == "boundary" { return true } }
    return false
  }

  /// Completes a request before it is sent.
  ///
  /// - Adds the header fields, the credential and the handler of cached responses of the session, unless the request has its own.
  /// - Sets the transport of the session.
  /// - Applies each limit of the session that is stricter than the limit of the request.
  /// - Removes the cookie jar of the request if the session has no cookie jar.
  /// - Removes the cache of the request if the session has no cache.
  /// - Replaces the cache of the request by the session's cache if the session is ephemeral and the request's cache has a folder.
  func complete(_ request: inout TransferRequest) {
    for field in configuration.headerFields
    where !request.headerFields.contains(field.name) && !request.removedFields.contains(field.name)
      && !(field.name == .contentType && request.body.namesItsType)
    {
      request.headerFields.append(field)
    }
    // Alamofire's users write `multipart/form-data` without a boundary. It does not describe the form: the form's own type is sent.
    if request.body.namesItsType, let type = request.headerFields[.contentType], !Self.namesBoundary(type) {
      request.headerFields[.contentType] = nil
    }
    configuration.credentials.complete(&request)
    request.settings = request.settings.restricted(by: configuration.settings)
    if cookies == nil { request.settings.cookies = nil }
    if cache == nil || (configuration.kind == .ephemeral && request.settings.cache?.directory != nil) { request.settings.cache = cache }
    if let responder { request.responder = responder }
    if request.cachedResponseHandler == nil { request.cachedResponseHandler = configuration.cachedResponseHandler }
  }
}
