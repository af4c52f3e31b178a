import DequeModule
import Synchronization

/// A WebSocket connection over HTTP/1.1 (RFC 6455): the handshake, then messages in both directions.
///
/// The connection reads continuously. Therefore it answers pings and notices the end of the connection even if no task waits for a message.
/// The connection stops reading while the unread messages exceed a limit, so that a slow reader slows down the server.
package actor WebSocketConnection {
  /// The default time limit for the server's response to a close frame. After the WebSocket connection has ended, the limit also applies to
  /// bytes that are still to be written: if the server reads none of them within the limit, the TCP connection is closed.
  package static let closingTime = Duration.seconds(5)
  /// The maximum time that this client waits for the server to end the connection, after client and server have sent their close frames.
  private static let lingering = Duration.seconds(1)
  /// If the total size in bytes of the unread messages reaches this limit, the connection stops reading.
  private static let unreadLimit = 1 << 20
  /// If more than this number of bytes wait to be written, the connection reads nothing until all these bytes are written.
  private static let answerLimit = 64 << 10
  /// The size in bytes of the pieces in which data is written. The idle timeout of the request starts again for each piece.
  private static let pieceSize = 256 << 10
  /// The maximum number of bytes that one read from the connection returns.
  private static let readSize = 64 << 10
  /// The maximum number of bytes in one read if messages are compressed. Deflate shrinks data to a thousandth at best, so one read adds at
  /// most 8 MiB of unread messages.
  private static let compressedReadSize = 8 << 10

  private let engine: Engine
  private let request: Result<TransferRequest, NetworkingError>
  private let connection: StreamConnection
  private let handshake: WebSocketHandshake
  private let options: WebSocketOptions
  private let clock: SessionClock

  private var endpoint: WebSocketEndpoint?
  private var inbox = Deque<WebSocketMessage>()
  /// The approximate memory, in bytes, of the messages that no task has received yet.
  package private(set) var inboxSize = 0
  /// Whether received messages are dropped, because the caller has closed the connection.
  private var isDropping = false
  /// The end of the connection: the peer's close frame, or an error; nil while the connection has not ended.
  package private(set) var end: Result<WebSocketClose, NetworkingError>?
  /// The sequence numbers of the last ping that was sent and of the last ping that the server answered.
  private var pings: (sent: UInt64, answered: UInt64) = (0, 0)
  private var pinging: Task<Void, Never>?
  /// The number of times that reading has waited for the caller to take messages.
  private var pauses = 0
  private var lastWrite: Task<NetworkingError?, Never>?
  /// The progress of writing: the number of bytes that this side of the connection has produced, the number of bytes that the system has
  /// accepted, and the error that ended the writing.
  private(set) var output: (given: Int, written: Int, error: NetworkingError?) = (0, 0, nil)
  /// Whether the client had already produced a close frame when the connection ended, even if the frame was not written yet. The property
  /// is set before any task is informed that the connection has ended.
  private let hasEndedWithClose = Atomic<Bool>(false)
  /// The task that closes the TCP connection after the WebSocket connection has ended; nil before the end.
  private var ending: Task<Void, Never>?
  private var waits = ChangeWaits()
  /// The parameters on which client and server have agreed; nil before the connection is open.
  private var agreement: WebSocketHandshake.Agreement?

  /// Creates a connection, which ``open()`` opens. The connection uses the engine until it has ended.
  ///
  /// - Parameters:
  ///   - request: The handshake request, with a URL of any of the schemes `ws`, `wss`, `http` and `https`.
  ///   - options: The subprotocols, compression, pings and limits of the connection.
  ///   - engine: The engine whose thread opens, reads and writes the connection.
  ///   - clock: The clock that measures the interval between pings.
  package init(
    request: TransferRequest, options: WebSocketOptions = WebSocketOptions(), engine: Engine, clock: SessionClock = SessionClock()
  ) {
    self.engine = engine
    self.options = options
    self.clock = clock
    var random = SystemRandomNumberGenerator()
    let nonce = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    let handshake = WebSocketHandshake(nonce: nonce, subprotocols: options.subprotocols, offersDeflate: options.compresses)
    self.handshake = handshake
    let made = Result { () throws(NetworkingError) in try WebSocketOpening.request(request, handshake) }
    self.request = made
    let actual = (try? made.get()) ?? request
    connection = StreamConnection(request: actual, isSecure: actual.url.lowercased().hasPrefix("https:"), engine: engine)
  }

  // MARK: Opening

  /// Opens the connection and returns the server's response. A status other than 101 is a refusal by the server, not an error.
  package func open() async throws(NetworkingError) -> TransferResponse {
    do throws(NetworkingError) {
      let opened = try await WebSocketOpening(connection, try request.get(), handshake).open()
      guard let agreement = opened.agreement else {
        finish(.failure(error("the server has refused it")))
        return opened.response
      }
      try begin(agreement, opened.rest)
      return opened.response
    } catch {
      finish(.failure(error))
      throw error
    }
  }

  private func begin(_ agreement: WebSocketHandshake.Agreement, _ rest: [UInt8]) throws(NetworkingError) {
    do throws(WebSocketViolation) {
      var random = SystemRandomNumberGenerator()
      endpoint = try WebSocketEndpoint(limit: options.maximumMessageSize, deflate: agreement.deflate) { random.next() }
    } catch {
      throw NetworkingError(.unsupported(error.detail), url: url)
    }
    self.agreement = agreement
    take(rest)
    Task { await self.read() }
    if let interval = options.pingInterval, end == nil { pinging = Task { await self.ping(every: interval) } }
  }

  /// The subprotocol that the server has chosen; nil if it has chosen none.
  package var subprotocol: String? { agreement?.subprotocol }

  // MARK: Messages

  /// Waits for the next message and returns it. Returns nil after the closing handshake.
  package func receive(timeout: Duration?) async throws(NetworkingError) -> WebSocketMessage? {
    try await receive(atMost: 1, timeout: timeout).first
  }

  /// Waits for a message, and returns the messages that have arrived; none after the closing handshake.
  ///
  /// - Parameter count: The maximum number of messages to return.
  package func receive(atMost count: Int, timeout: Duration?) async throws(NetworkingError) -> [WebSocketMessage] {
    let limit = timeout.map { ContinuousClock.now + $0 }
    while true {
      if !inbox.isEmpty {
        let messages = Array(inbox.prefix(count))
        inbox.removeFirst(messages.count)
        for message in messages { inboxSize -= message.weight }
        waits.wakeAll()
        return messages
      }
      switch end {
      case .success: return []
      case .failure(let error): throw error
      case nil: try await waitForChange(until: limit, timeout, .receiving)
      }
    }
  }

  /// Sends a message and waits until the system has accepted it. A cancelled task stops waiting, but the message is still sent, since a
  /// part of a frame can't be taken back.
  package func send(_ message: WebSocketMessage) async throws(NetworkingError) {
    if case .failure(let error) = end { throw error }
    guard endpoint?.send(message) == true else {
      throw endpoint?.shortage.map { NetworkingError(.noRoom(for: "the message", $0), url: url) } ?? error("it is closed")
    }
    let goal = write()
    while output.written < goal {
      if let error = output.error { throw error }
      try await waitForChange(until: nil, nil, .sending)
    }
  }

  /// Sends a ping and returns the time until its pong.
  @discardableResult package func ping(timeout: Duration?) async throws(NetworkingError) -> Duration {
    let start = ContinuousClock.now
    if case .failure(let error) = end { throw error }
    pings.sent += 1
    let number = pings.sent
    let isSent = withUnsafeBytes(of: number.bigEndian) { endpoint?.ping(Array($0)) }
    guard isSent == true else { throw error("it is closed") }
    write()
    while pings.answered < number {
      switch end {
      case .success: throw error("it is closed")
      case .failure(let error): throw error
      case nil: try await waitForChange(until: timeout.map { start + $0 }, timeout, .receiving)
      }
    }
    return start.duration(to: .now)
  }

  /// Sends a ping at each interval, until the task is cancelled by the end of the connection.
  private func ping(every interval: Duration) async {
    while (try? await clock.sleep(interval)) != nil, !Task.isCancelled {
      let (wasFull, pausesBefore) = (isFull, pauses)
      do throws(NetworkingError) {
        try await ping(timeout: interval)
      } catch {
        // The pong may follow messages that the connection has not read, because the caller has not taken earlier messages.
        if error.reason.timeout != nil, wasFull || pauses > pausesBefore { continue }
        if !Task.isCancelled { finish(.failure(error)) }
        return
      }
    }
  }

  /// Whether the connection reads nothing more until the caller takes messages.
  package var isFull: Bool { inboxSize >= Self.unreadLimit && !isDropping }

  // MARK: Closing

  /// Closes the connection with a closing handshake. Messages that still arrive are dropped. Returns the close
  /// frame of the server.
  package func close(_ close: WebSocketClose, timeout: Duration = closingTime) async throws(NetworkingError) -> WebSocketClose {
    let limit = ContinuousClock.now + timeout
    // RFC 6455, section 5.5.2: a peer that has received a close frame answers no ping.
    pinging?.cancel()
    isDropping = true
    inbox.removeAll()
    inboxSize = 0
    waits.wakeAll()
    if end == nil {
      guard endpoint != nil else {
        cancel()
        throw NetworkingError(.cancelled, url: url)
      }
      endpoint?.close(close)
      write()
    }
    while true {
      if let end { return try end.get() }
      do throws(NetworkingError) {
        try await waitForChange(until: limit, timeout, .receiving)
      } catch {
        cancel()
        throw error
      }
    }
  }

  /// Closes the connection immediately, without a close frame. Has no effect if the client had created a close frame before the connection
  /// ended: the TCP connection then closes by itself as soon as this close frame is written.
  package nonisolated func cancel() {
    if hasEndedWithClose.load(ordering: .acquiring) { return }
    connection.close(.cancelled)
    // While the connection is full, it reads nothing, and would not notice the end by itself.
    Task { await finish(.failure(NetworkingError(.cancelled))) }
  }

  /// Waits until the connection has ended and uses the engine no more.
  package func waitForEnd() async {
    while end == nil { try? await waitForChange(until: nil, nil, .receiving) }
    await ending?.value
  }

  private func finish(_ result: Result<WebSocketClose, NetworkingError>) {
    guard end == nil else { return }
    end = result.mapError { error in
      var error = error
      if error.url == nil { error.url = url }
      return error
    }
    let hasSentClose = endpoint?.hasSentClose == true
    hasEndedWithClose.store(hasSentClose, ordering: .releasing)
    pinging?.cancel()
    waits.wakeAll()
    closeIfStalled(since: nil)
    // The engine is retained until the connection is closed, since it may have no other user.
    let (engine, connection, lastWrite) = (engine, connection, lastWrite)
    ending = Task {
      // The close frame is written first. Then the server closes the TCP connection, so that the server and not
      // this client holds the TIME_WAIT state (RFC 6455, section 7.1.1). Unread bytes would
      // reset the connection, and the server would lose the close frame.
      _ = await lastWrite?.value
      let limit = ContinuousClock.now + Self.lingering
      while hasSentClose, ContinuousClock.now < limit {
        let left = ContinuousClock.now.duration(to: limit)
        guard let received = try? await connection.perform(.read(minimum: 1, maximum: Self.readSize), left), !received.isAtEnd
        else { break }
      }
      connection.close(.cancelled)
      withExtendedLifetime(engine) {}
    }
  }

  /// Closes the connection if the system has accepted none of the remaining bytes for ``closingTime``: the server no longer reads.
  ///
  /// - Parameter written: The number of bytes that the system had accepted at the last check; nil for the first check.
  private func closeIfStalled(since written: Int?) {
    guard output.written < output.given, output.error == nil else { return }
    guard output.written != written else { return connection.close(.cancelled) }
    let written = output.written
    engine.schedule(after: Self.closingTime) { [weak self] in
      Task { await self?.closeIfStalled(since: written) }
    }
  }

  private var url: String? { (try? request.get())?.url }

  private func error(_ detail: String) -> NetworkingError { NetworkingError(.connectionLost(detail: detail), url: url) }

  // MARK: Bytes

  private func read() async {
    while end == nil {
      if isFull {
        pauses += 1
        try? await waitForChange(until: nil, nil, .receiving)
        continue
      }
      do throws(NetworkingError) {
        let maximum = agreement?.deflate == nil ? Self.readSize : Self.compressedReadSize
        let received = try await connection.perform(.read(minimum: 1, maximum: maximum), nil)
        take(received.bytes)
        if received.isAtEnd { finish(.failure(error(lostWords))) }
      } catch {
        finish(.failure(error))
      }
      if output.given - output.written > Self.answerLimit { _ = await lastWrite?.value }
    }
  }

  private var lostWords: String {
    endpoint?.isInMessage == true ? "the server closed it within a message" : "the server closed it without a close frame"
  }

  private func take(_ bytes: [UInt8]) {
    var events: [WebSocketEndpoint.Event] = []
    bytes.withUnsafeBytes { endpoint?.receive($0) { events.append($0) } }
    write()
    for event in events { take(event) }
  }

  private func take(_ event: WebSocketEndpoint.Event) {
    switch event {
    case .message(let message):
      guard !isDropping else { return }
      inbox.append(message)
      inboxSize += message.weight
      waits.wakeAll()
    case .pong(let payload):
      // RFC 6455, section 5.5.3: one pong may answer several pings.
      let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if payload.count == 8, number <= pings.sent { pings.answered = max(pings.answered, number) }
      waits.wakeAll()
    case .closed(let close): finish(.success(close))
    case .failed(let violation):
      finish(.failure(NetworkingError(violation, shortage: endpoint?.shortage, limit: options.maximumMessageSize)))
    }
  }

  /// Starts to write the endpoint's output to the connection, after all earlier output. Returns the total number of bytes of all output so
  /// far, including this output.
  @discardableResult private func write() -> Int {
    guard let bytes = endpoint?.takeOutput(), !bytes.isEmpty else { return output.given }
    output.given += bytes.count
    let previous = lastWrite
    lastWrite = Task {
      if let error = await previous?.value { return error }
      do throws(NetworkingError) {
        try await self.write(bytes)
        return nil
      } catch {
        self.noteWriteError(error)
        return error
      }
    }
    return output.given
  }

  private func write(_ bytes: [UInt8]) async throws(NetworkingError) {
    let timeout = (try? request.get())?.settings.idleTimeout
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.pieceSize)
      _ = try await connection.perform(.write(Array(piece)), timeout)
      rest = rest.dropFirst(piece.count)
      output.written += piece.count
    }
    waits.wakeAll()
  }

  private func noteWriteError(_ error: NetworkingError) {
    output.error = error
    finish(.failure(error))
    waits.wakeAll()
  }

  // MARK: Waiting

  /// Waits until the state of the connection changes.
  private func waitForChange(
    until limit: ContinuousClock.Instant?, _ timeout: Duration?, _ phase: NetworkingError.Phase
  ) async throws(NetworkingError) {
    let (id, slot) = waits.begin()
    let timer = limit.map { limit in
      engine.schedule(after: max(.zero, ContinuousClock.now.duration(to: limit))) { Task { await self.wake(id, .timeUp) } }
    }
    let wake = await withTaskCancellationHandler {
      await slot.value()
    } onCancel: {
      Task { await self.wake(id, .cancelled) }
    }
    timer?.cancel()
    switch wake {
    case .changed: return
    case .cancelled: throw NetworkingError(.cancelled, url: url)
    case .timeUp: throw NetworkingError(.timeout(.init(limit: .deadline, phase: phase, duration: timeout ?? .zero)), url: url)
    }
  }

  private func wake(_ id: Int, _ wake: ChangeWaits.Wake) { waits.wake(id, wake) }
}
