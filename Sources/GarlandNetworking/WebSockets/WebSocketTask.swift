import GarlandJSON
import GarlandTransfer
import Synchronization

/// A WebSocket connection (RFC 6455) with compression of messages (RFC 7692).
///
/// ```swift
/// let chat = session.webSocket("wss://example.com/chat", options: .init(subprotocols: ["chat.v2"], pingInterval: .seconds(30)))
/// try await chat.send(json: Hello(user: "alice"))
/// for try await message in chat.messages { print(message) }
/// ```
/// The first operation connects. Pings of the server are answered. ``close(_:reason:timeout:)`` closes the connection with a closing
/// handshake. ``cancel()``, or releasing the last reference to the task, closes it immediately.
public final class WebSocketTask: SessionStream, Sendable {
  /// The result of the opening handshake.
  public struct Opening: Sendable {
    /// The server's response, with status 101.
    public let response: TransferResponse
    /// The subprotocol that the server has chosen; nil if it has chosen none.
    public let subprotocol: String?
    let connection: WebSocketConnection
  }

  private struct State {
    var opening: Task<Result<Opening, NetworkingError>, Never>?
    /// The result of the task ``opening``; nil until it has ended.
    var opened: Result<Opening, NetworkingError>?
    var connection: WebSocketConnection?
    var isCancelled = false
    /// Whether the connection has ended, or could not be opened.
    var hasEnded = false
  }

  /// The number of the connection in the session.
  public let id: Int
  /// The session of the connection.
  public let session: Session
  /// The URL, with the scheme `http` or `https`; empty if no request could be created, for example because the URL is invalid.
  public var url: String { (try? request.get())?.url ?? "" }
  private let identity: WebSocketEvent.Connection
  private let engine: Engine
  private let request: Result<TransferRequest, NetworkingError>
  private let options: WebSocketOptions
  private let interceptors: [any RequestInterceptor]
  private let state = Mutex(State())

  init(
    session: Session, engine: Engine, request: Result<TransferRequest, NetworkingError>, options: WebSocketOptions,
    interceptors: [any RequestInterceptor]
  ) {
    id = session.nextID()
    self.session = session
    self.engine = engine
    self.request = request
    self.options = options
    self.interceptors = interceptors
    let url = (try? request.get())?.url
    identity = WebSocketEvent.Connection(id: id, url: url.map(ResumeData.resource(of:)) ?? "")
    tell(.created)
  }

  deinit {
    session.unregisterStream(id)
    state.withLock { $0.connection }?.cancel()
  }

  // MARK: Opening

  /// Connects if necessary, and returns the result of the opening handshake.
  ///
  /// If the server refuses the handshake, the method throws ``NetworkingError/Reason/validation(_:)``, and
  /// ``NetworkingError/partialResponse`` is the server's response. If a task that waits for the connection is cancelled, the connection is
  /// closed.
  @discardableResult public func open() async throws(NetworkingError) -> Opening {
    let (known, begun, isCancelled) = state.withLock { ($0.opened, $0.opening, $0.isCancelled) }
    if isCancelled { throw NetworkingError(.cancelled, url: url) }
    if let known { return try known.get() }
    guard begun != nil || session.registerStream(self) else { throw NetworkingError(.invalidated, url: url) }
    let opening: Task<Result<Opening, NetworkingError>, Never>? = state.withLock { state in
      if let opening = state.opening { return opening }
      if state.isCancelled { return nil }
      let opening = Task {
        self.tell(.started)
        let result = await self.attempts()
        self.state.withLock { $0.opened = result }
        self.follow(result)
        return result
      }
      state.opening = opening
      return opening
    }
    guard let opening else {
      session.unregisterStream(id)
      throw NetworkingError(.cancelled, url: url)
    }
    let result = await withTaskCancellationHandler {
      await opening.value
    } onCancel: {
      self.cancel()
    }
    return try result.get()
  }

  /// Notifies the monitors that the connection was opened, or that opening it failed.
  ///
  /// After a failed opening, also removes this connection from the session. Otherwise, starts a Swift task that waits for the end of the
  /// connection; the task then notifies the monitors of the end, and removes the connection from the session.
  private func follow(_ result: Result<Opening, NetworkingError>) {
    let opening: Opening
    switch result {
    case .success(let open): opening = open
    case .failure(let error):
      noteEnd()
      tell(.finished(.failure(error)))
      return session.unregisterStream(id)
    }
    tell(.opened(subprotocol: opening.subprotocol))
    let (session, identity, connection) = (session, identity, opening.connection)
    // The task is not retained, since releasing its last reference closes the connection.
    Task { [weak self] in
      await connection.waitForEnd()
      self?.noteEnd()
      if let end = await connection.end { session.tell(.finished(end), of: identity) }
      session.unregisterStream(identity.id)
    }
  }

  private func noteEnd() { state.withLock { $0.hasEnded = true } }

  private func tell(_ event: @autoclosure () -> WebSocketEvent) { session.tell(event(), of: identity) }

  private func attempts() async -> Result<Opening, NetworkingError> {
    let original: TransferRequest
    switch request {
    case .success(let request): original = request
    case .failure(let error): return .failure(error)
    }
    var retries = 0
    while true {
      let (request, result) = await attempt(original)
      guard case .failure(var error) = result, error.reason.kind != .cancelled else { return result }
      let attempt = RequestAttempt(request: request, response: error.partialResponse, error: error, retryCount: retries)
      switch await decision(after: attempt) {
      case .retry: tell(.retrying(after: .zero, because: error))
      case .retryAfter(let delay):
        tell(.retrying(after: delay, because: error))
        do { try await session.configuration.clock.sleep(delay) } catch { return .failure(NetworkingError(.cancelled, url: request.url)) }
      case .refuse(let refusal):
        tell(.retryRefused(refusal))
        error.retryRefusal = refusal
        return .failure(error)
      case .fail(let reason): return .failure(NetworkingError(reason, url: request.url))
      case .doNotRetry: return result
      }
      retries += 1
    }
  }

  private func decision(after attempt: RequestAttempt) async -> RetryDecision {
    for interceptor in interceptors {
      let decision = await interceptor.retry(attempt)
      if decision != .doNotRetry { return decision }
    }
    return .doNotRetry
  }

  private func attempt(_ original: TransferRequest) async -> (TransferRequest, Result<Opening, NetworkingError>) {
    var request = original
    do {
      for interceptor in interceptors { request = try await interceptor.adapt(request) }
    } catch let error as NetworkingError {
      return (request, .failure(error))
    } catch {
      return (request, .failure(NetworkingError(.adaptation(.init(error)), url: request.url)))
    }
    // Convert the URL to HTTP, since a session's credentials are stored by origins with the scheme `http` or `https`.
    request.url = WebSocketConnection.httpURL(request.url)
    session.complete(&request)
    if session.responder != nil {
      let reason = NetworkingError.Reason.unsupported("a WebSocket connection in a session that has a transport of its own")
      return (request, .failure(NetworkingError(reason, url: request.url)))
    }
    let connection = WebSocketConnection(request: request, options: options, engine: engine, clock: session.configuration.clock)
    let isCancelled = state.withLock { state in
      state.connection = connection
      return state.isCancelled
    }
    if isCancelled { return (request, .failure(NetworkingError(.cancelled, url: request.url))) }
    tell(.adapted(request))
    do throws(NetworkingError) {
      let response = try await connection.open()
      tell(.answered(.success(response)))
      guard response.status.code == 101 else {
        var error = NetworkingError(.validation(.unacceptableStatus(response.status.code)), url: request.url, metrics: response.metrics)
        error.partialResponse = response
        return (request, .failure(error))
      }
      return (request, .success(Opening(response: response, subprotocol: await connection.subprotocol, connection: connection)))
    } catch {
      tell(.answered(.failure(error)))
      return (request, .failure(error))
    }
  }

  // MARK: Messages

  /// Sends a message and waits until the system has accepted it. If the current task is cancelled, the wait ends, but the message is still
  /// sent.
  public func send(_ message: WebSocketMessage) async throws(NetworkingError) { try await open().connection.send(message) }

  /// Sends a text message.
  public func send(text: String) async throws(NetworkingError) { try await send(.text(text)) }

  /// Sends a binary message.
  public func send(bytes: [UInt8]) async throws(NetworkingError) { try await send(.binary(bytes)) }

  /// Sends a value as JSON in a text message.
  public func send(json value: some Encodable & Sendable, encoder: StructuredEncoder = StructuredEncoder()) async throws(NetworkingError) {
    let text: String
    do throws(ParameterEncodingError) {
      text = try encoder.encode(value).json().jsonText()
    } catch {
      throw NetworkingError(.parameters(error), url: url)
    }
    try await send(.text(text))
  }

  /// Returns the next message; nil after the server has closed the connection with a closing handshake.
  ///
  /// - Parameter timeout: The time limit, counted from the time when the connection is open. Defaults to no limit. If the limit is
  ///   exceeded, the call throws an error; a message that arrives later is returned by the next call.
  public func receive(timeout: Duration? = nil) async throws(NetworkingError) -> WebSocketMessage? {
    try await open().connection.receive(timeout: timeout)
  }

  /// Receives the next message, parses it as JSON, and decodes it as a value of the given type. Returns nil after the server has closed the
  /// connection with a closing handshake.
  public func receive<Value: Decodable & Sendable>(
    _ type: Value.Type, decoder: ValueDecoder = ValueDecoder(), timeout: Duration? = nil
  ) async throws(NetworkingError) -> Value? {
    guard let message = try await receive(timeout: timeout) else { return nil }
    let json: JSONValue
    do throws(JSONParsingError) {
      json =
        switch message {
        case .text(let text): try JSONValue(parsing: text)
        case .binary(let bytes): try JSONValue(parsing: bytes)
        }
    } catch {
      throw NetworkingError(.serialization(.json(error)), url: url)
    }
    do throws(NetworkingError.Serialization) {
      return try decoder.decode(type, from: json)
    } catch {
      throw NetworkingError(.serialization(error), url: url)
    }
  }

  /// The messages that arrive until the connection ends.
  public var messages: Messages { Messages(task: self) }

  /// Sends a ping and returns the time until its pong.
  ///
  /// - Parameter timeout: The time limit, counted from the time when the connection is open.
  @discardableResult public func ping(timeout: Duration? = .seconds(30)) async throws(NetworkingError) -> Duration {
    try await open().connection.ping(timeout: timeout)
  }

  // MARK: Closing

  /// Closes the connection with a closing handshake.
  ///
  /// Messages that still arrive are dropped.
  ///
  /// - Parameters:
  ///   - code: The status code of the close frame. A code that is not allowed in a close frame (RFC 6455, section 7.4.1) is not sent, and
  ///     neither is the reason.
  ///   - reason: The reason, truncated to 123 bytes.
  ///   - timeout: The time limit for the server's close frame. If it is exceeded, the connection is closed with an error.
  /// - Returns: The close frame of the server.
  @discardableResult public func close(
    _ code: WebSocketCloseCode = .normal, reason: String = "", timeout: Duration = .seconds(5)
  ) async throws(NetworkingError) -> WebSocketClose {
    defer { session.unregisterStream(id) }
    return try await open().connection.close(WebSocketClose(code, reason: reason), timeout: timeout)
  }

  /// The close frame of the server; nil if the server has not sent a close frame yet, or if an error has ended the connection.
  public var closing: WebSocketClose? {
    get async {
      guard let connection = state.withLock({ $0.connection }) else { return nil }
      return try? await connection.end?.get()
    }
  }

  /// Closes the connection immediately, without a close frame. Pending and later operations fail with ``NetworkingError/Reason/cancelled``.
  public func cancel() {
    let (opening, connection, isFirst) = state.withLock { state in
      defer { state.isCancelled = true }
      return (state.opening, state.connection, !state.isCancelled && !state.hasEnded)
    }
    if isFirst { tell(.cancelled) }
    if isFirst, opening == nil { tell(.finished(.failure(NetworkingError(.cancelled, url: url)))) }
    // The connection is cancelled first, since the session may stop its engine, which would end the connection with another error.
    connection?.cancel()
    opening?.cancel()
    session.unregisterStream(id)
  }

  /// The messages of a connection in order. Throws ``NetworkingError``.
  public struct Messages: AsyncSequence, Sendable {
    /// One message of the connection.
    public typealias Element = WebSocketMessage
    fileprivate let task: WebSocketTask

    /// Creates a reader of the messages.
    public func makeAsyncIterator() -> Iterator { Iterator(task: task) }

    /// Reads the messages.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let task: WebSocketTask

      /// Returns the next message; nil at the end of the connection. Throws ``NetworkingError``.
      public mutating func next() async throws -> WebSocketMessage? { try await task.receive() }

      /// Returns the next message; nil at the end of the connection.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkingError) -> WebSocketMessage? {
        try await task.receive()
      }
    }
  }
}
