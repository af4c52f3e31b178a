/// A TCP connection, plain or with TLS, whose bytes the caller reads and writes.
///
/// ```swift
/// let stream = session.stream(toHost: "mail.example.com", port: 25)
/// let greeting = try await stream.read(atMost: 512, timeout: .seconds(30))
/// try await stream.write(Array("STARTTLS\r\n".utf8))
/// _ = try await stream.read(atMost: 512)
/// try await stream.startTLS()
/// ```
/// The first operation opens the connection. Reads run in the order of their calls, and so do writes;
/// reads and writes run concurrently. Bytes are received only while a read is pending. The connection
/// is closed by ``cancel()``, or when the last reference to the task is released.
public final class StreamTask: SessionStream, Sendable {
  /// The result of a read: the bytes, and whether the peer has closed its side.
  public typealias Received = StreamReceived

  /// The number of the stream in the session.
  public let id: Int
  /// The session of the stream.
  public let session: Session
  /// The destination as `HOST:PORT`.
  public let destination: String
  /// A reference that keeps the engine alive. The connection needs the engine, but does not keep the engine alive itself. This property is
  /// never read.
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

  /// Reads bytes.
  ///
  /// - Parameters:
  ///   - minimum: The minimum number of bytes. Fewer bytes are returned only if the peer closes its side. Defaults to 1.
  ///   - maximum: The maximum number of bytes.
  ///   - timeout: The time limit, including connecting. When the limit is exceeded, the bytes that have arrived are kept for the next read.
  ///     Defaults to no limit.
  public func read(atLeast minimum: Int = 1, atMost maximum: Int, timeout: Duration? = nil) async throws(NetworkingError) -> Received {
    guard minimum > 0, minimum <= maximum else { throw NetworkingError(.invalidRequest("a read of \(minimum) to \(maximum) bytes")) }
    return try await perform(.read(minimum: minimum, maximum: maximum), timeout)
  }

  /// Sends bytes and waits until the system has accepted all of them. If a timeout or cancellation
  /// interrupts a partial write, the stream ends.
  public func write(_ bytes: [UInt8], timeout: Duration? = nil) async throws(NetworkingError) {
    _ = try await perform(.write(bytes), timeout)
  }

  /// Starts TLS with the session's settings and server trust, after all earlier operations and before all later operations. The peer must
  /// expect TLS at this point. If the handshake fails, the stream ends.
  public func startTLS(timeout: Duration? = nil) async throws(NetworkingError) { _ = try await perform(.secure, timeout) }

  /// Closes the sending side after all pending writes, so that the peer receives the end of the stream. Fails for a connection with TLS,
  /// which has no agreed way to close only one side.
  public func closeWrite() async throws(NetworkingError) { _ = try await perform(.closeWrite, nil) }

  /// Closes the receiving side after the pending reads. Later reads return the end of the stream.
  public func closeRead() async throws(NetworkingError) { _ = try await perform(.closeRead, nil) }

  /// Closes the connection immediately. Pending and later operations fail with ``NetworkingError/Reason/cancelled``.
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
