import GarlandJSON
import Synchronization

/// A request whose response is read piece by piece as it arrives. The whole response is never stored.
///
/// ```swift
/// for try await piece in session.stream("https://example.com/events").validate() {
///   print(piece.count)
/// }
/// ```
/// A stream can be read once. A slow reader slows down the server. Validators and retriers receive the response header; if they refuse the
/// response, the stream has no pieces. After the first piece, the request is never retried. The transfer is cancelled if the caller leaves
/// the loop early or cancels the task of the loop.
///
/// `@unchecked Sendable`: the properties that the class adds to ``Request`` are immutable or in a
/// mutex.
public final class DataStreamRequest: Request, @unchecked Sendable, AsyncSequence {
  /// A non-empty piece of the body, as it arrived.
  public typealias Element = [UInt8]

  private struct Shared {
    var channel: BodyChannel?
    var head: TransferResponse?
    var isTaken = false
    /// The readers that wait until a response is accepted or the request has ended. To resume a reader, the code removes it from this list
    /// while it holds the lock, and then resumes it. Therefore each reader is resumed exactly once.
    var waiting: [UnsafeContinuation<Void, Never>] = []
    var hasEnded = false
  }
  private let shared = Mutex(Shared())

  override var keepsBody: Bool { false }

  override var hasHandedOn: Bool { shared.withLock { $0.channel != nil } }

  /// Sends the request, and passes the body of an accepted response to the reader of the stream. Returns when the transfer has ended.
  override func send(_ request: TransferRequest) async -> Result<TransferResponse, NetworkingError> {
    let channel = BodyChannel()
    let options = options
    async let ending = transfer(request, into: channel)
    guard let head = await channel.head() else { return await ending }
    let response = TransferResponse(head, to: request)
    let isFinal = !isRedirect(head, options) && !isChallenge(response, to: request, options)
    if isFinal, let decide = options.disposition {
      switch await decide(response) {
      case .allow: break
      case .cancel, .becomeDownload:
        stopTransfer()
        while await channel.next() != nil {}
        return await ending.cancelled(head: response)
      }
    }
    var failure: NetworkingError.Validation?
    for validator in options.validators where failure == nil { failure = validator.failure(of: response, to: request) }
    if failure == nil, isFinal {
      handOn(channel, response)
      return await ending
    }
    // Read a refused body to its end, so that its connection can be reused. If the body is longer than 64 KiB, stop the transfer.
    var discarded = 0
    while let piece = await channel.next() {
      discarded += piece.count
      if discarded > 64 << 10 { stopTransfer() }
    }
    guard case .failure(var error) = await ending, error.reason == .cancelled, !isCancelled else { return await ending }
    if let failure { error = NetworkingError(.validation(failure), url: response.url, metrics: error.metrics) }
    error.partialResponse = response
    return .failure(error)
  }

  /// Whether the response is a redirect about which a redirect handler decides.
  private func isRedirect(_ head: BodyChannel.Head, _ options: RequestOptions) -> Bool {
    guard options.redirectHandler != nil || session.configuration.redirectHandler != nil else { return false }
    return head.status.kind == .redirection && head.headerFields[.location] != nil
  }

  /// Whether the response is a 401 that a challenge handler answers.
  private func isChallenge(_ response: TransferResponse, to request: TransferRequest, _ options: RequestOptions) -> Bool {
    guard options.challengeHandler != nil || session.configuration.challengeHandler != nil else { return false }
    return ReceivedChallenge(response, to: request, failures: 0) != nil
  }

  private func handOn(_ channel: BodyChannel, _ head: TransferResponse) {
    let waiting = shared.withLock { shared in
      shared.channel = channel
      shared.head = head
      defer { shared.waiting = [] }
      return shared.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  override func ended(with outcome: RequestOutcome) {
    let waiting = shared.withLock { shared in
      shared.hasEnded = true
      defer { shared.waiting = [] }
      return shared.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until a response is accepted or the request has ended. Returns the channel from which the response body is read; nil if no
  /// response was accepted.
  fileprivate func channel() async -> BodyChannel? {
    while true {
      let (channel, hasEnded) = shared.withLock { ($0.channel, $0.hasEnded) }
      if channel != nil || hasEnded { return channel }
      await withUnsafeContinuation { continuation in
        let isReady = shared.withLock { shared in
          if shared.channel != nil || shared.hasEnded { return true }
          shared.waiting.append(continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  fileprivate func take() -> Bool {
    shared.withLock { shared in
      defer { shared.isTaken = true }
      return !shared.isTaken
    }
  }

  /// Calls a closure for each response, after its header has arrived and before its first piece is read. The closure is not called for
  /// redirects that are followed, nor for challenges that are answered. If the closure returns false, the request fails with
  /// ``NetworkingError/Reason/cancelled``.
  @discardableResult
  public func onResponse(_ allows: @escaping @Sendable (_ head: TransferResponse) async -> Bool) -> Self {
    change { $0.disposition = { await allows($0) ? .allow : .cancel } }
    return self
  }

  /// The status and header of the accepted response; nil until they arrive.
  public var head: TransferResponse? { shared.withLock { $0.head } }

  /// Waits for the status and header of the response. Throws if the request fails, or if its response fails validation. Cancelling the task
  /// cancels the request.
  public func waitForHead() async throws(NetworkingError) -> TransferResponse {
    await withTaskCancellationHandler {
      resume()
      _ = await channel()
    } onCancel: {
      cancel()
    }
    if let head { return head }
    switch await finalResult() {
    case .success(let response): return response
    case .failure(let error): throw error
    }
  }

  /// Creates a reader of the pieces.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads the pieces of the response's body.
  public final class Iterator: AsyncIteratorProtocol {
    private let request: DataStreamRequest
    private let isFirst: Bool
    private var channel: BodyChannel?
    private var isDone = false

    init(_ request: DataStreamRequest) {
      self.request = request
      isFirst = request.take()
    }

    deinit { if isFirst, !isDone { request.cancel() } }

    /// Returns the next piece; nil at the end of the response. Throws ``NetworkingError``.
    public func next() async throws -> [UInt8]? { try await next(isolation: nil) }

    /// Returns the next piece; nil at the end of the response.
    public func next(isolation actor: isolated (any Actor)?) async throws(NetworkingError) -> [UInt8]? {
      if isDone { return nil }
      guard isFirst else { throw NetworkingError(.invalidRequest("a stream can be read once"), url: request.request?.url) }
      let request = request
      let piece = await withTaskCancellationHandler {
        if channel == nil {
          request.resume()
          channel = await request.channel()
        }
        return await channel?.next()
      } onCancel: {
        request.cancel()
      }
      if let piece { return piece }
      isDone = true
      if case .failure(let error) = await request.finalResult() { throw error }
      return nil
    }
  }

  fileprivate func finalResult() async -> Result<TransferResponse, NetworkingError> {
    // Reads the outcome in a separate task: the current task may be cancelled, and the result is
    // still that of the request.
    await Task { await self.outcome() }.value.result
  }
}

extension DataStreamRequest {
  /// Converts each piece of the stream to a value with a serializer.
  public func values<Serializer: DataStreamSerializer>(
    with serializer: Serializer
  ) -> AsyncThrowingMapSequence<DataStreamRequest, Serializer.Output> {
    map { piece in
      do {
        return try serializer.serialize(piece)
      } catch let error as NetworkingError {
        throw error
      } catch let error as NetworkingError.Serialization {
        throw NetworkingError(.serialization(error))
      } catch let error as JSONParsingError {
        throw NetworkingError(.serialization(.json(error)))
      } catch {
        throw NetworkingError(.serialization(.custom(.init(error))))
      }
    }
  }
}
