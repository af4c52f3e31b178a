/// A TCP connection, plain or with TLS, whose bytes are the caller's business.
///
/// ```swift
/// let stream = session.stream(toHost: "mail.example.com", port: 25)
/// let greeting = try await stream.read(atMost: 512, timeout: .seconds(30))
/// try await stream.write(Array("STARTTLS\r\n".utf8))
/// _ = try await stream.read(atMost: 512)
/// try await stream.startTLS()
/// ```
/// It connects with the first operation. Operations are done in the order in which they were called: reads one after the other and beside them writes one after the other.
/// Nothing is received while nobody reads. The connection is closed by ``cancel()``, or when the last reference to the task goes.
public final class StreamTask: SessionStream, Sendable {
  /// What a read brought.
  public typealias Received = StreamReceived

  /// Its number in the session.
  public let id: Int
  /// The session that it belongs to.
  public let session: Session
  /// Where it leads, as `HOST:PORT`.
  public let destination: String
  private let engine: Engine
  private let connection: Result<StreamConnection, NetworkingError>

  init(session: Session, engine: Engine, destination: String, request: Result<TransferRequest, NetworkingError>, isSecure: Bool) {
    id = session.nextID()
    self.session = session
    self.engine = engine
    self.destination = destination
    connection = request.map { StreamConnection(request: $0, isSecure: isSecure, engine: engine) }
  }

  deinit {
    session.unregisterStream(id)
    close(.cancelled)
  }

  // MARK: Operations

  /// Waits for bytes.
  ///
  /// - Parameters:
  ///   - minimum: How many there must be at least, unless the peer closes its side before. Defaults to 1.
  ///   - maximum: How many there may be at most.
  ///   - timeout: How long to wait, connecting included. What has come by then is kept for the next read. Defaults to no limit.
  public func read(atLeast minimum: Int = 1, atMost maximum: Int, timeout: Duration? = nil) async throws(NetworkingError) -> Received {
    guard minimum > 0, minimum <= maximum else { throw NetworkingError(.invalidRequest("a read of \(minimum) to \(maximum) bytes")) }
    return try await perform(.read(minimum: minimum, maximum: maximum), timeout)
  }

  /// Sends bytes, and waits until all of them were given to the system. When that is cut short by its time limit or by cancelling the task, the stream ends if a part has left.
  public func write(_ bytes: [UInt8], timeout: Duration? = nil) async throws(NetworkingError) {
    _ = try await perform(.write(bytes), timeout)
  }

  /// Changes over to TLS, with the session's settings and server trust, after what was called before and before what is called after. The peer has to expect it. When it fails,
  /// the stream has ended.
  public func startTLS(timeout: Duration? = nil) async throws(NetworkingError) { _ = try await perform(.secure, timeout) }

  /// Closes the side that sends, after all that is to be written: the peer sees the end. Not with TLS, which has no such thing that peers would agree on.
  public func closeWrite() async throws(NetworkingError) { _ = try await perform(.closeWrite, nil) }

  /// Closes the side that receives, after the reads that wait: later ones find the end.
  public func closeRead() async throws(NetworkingError) { _ = try await perform(.closeRead, nil) }

  /// Closes the connection at once. What waits, and what comes later, fails with ``NetworkingError/Reason/cancelled``.
  public func cancel() {
    session.unregisterStream(id)
    close(.cancelled)
  }

  private func close(_ reason: NetworkingError.Reason) {
    if case .success(let connection) = connection { connection.close(reason) }
  }

  private func perform(_ operation: StreamQueue.Operation, _ timeout: Duration?) async throws(NetworkingError) -> Received {
    let connection = try connection.get()
    guard session.registerStream(self) else { throw NetworkingError(.invalidated) }
    return try await connection.perform(operation, timeout)
  }
}
