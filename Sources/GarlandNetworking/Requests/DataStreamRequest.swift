import Synchronization

/// A request whose response is taken piece by piece while it comes in, and never kept as a whole.
///
/// ```swift
/// for try await piece in session.stream("https://example.com/events").validate() {
///   print(piece.count)
/// }
/// ```
/// It can be read once. The server is slowed down when the reader is slow. Validators and retriers see the head of the response: what they refuse is not
/// handed on. Once the first piece was, nothing is retried any more. Leaving the loop early, or cancelling its task, cancels the transfer.
///
/// `@unchecked Sendable`: what it adds to ``Request`` is immutable or in a mutex.
public final class DataStreamRequest: Request, @unchecked Sendable, AsyncSequence {
  /// A piece as it came in, of any size but 0.
  public typealias Element = [UInt8]

  private struct Shared {
    var channel: BodyChannel?
    var head: TransferResponse?
    var isTaken = false
    /// Each is resumed once: whoever takes them out under the lock does it.
    var waiting: [UnsafeContinuation<Void, Never>] = []
    var hasEnded = false
  }
  private let shared = Mutex(Shared())

  override var keepsBody: Bool { false }

  override var hasHandedOn: Bool { shared.withLock { $0.channel != nil } }

  /// Sends it and comes back when the transfer has ended, having handed on what was accepted.
  override func send(_ request: TransferRequest) async -> Result<TransferResponse, NetworkingError> {
    let channel = BodyChannel()
    let options = options
    async let ending = transfer(request, into: channel)
    guard let head = await channel.head() else { return await ending }
    let response = TransferResponse(head, to: request)
    var failure: NetworkingError.Validation?
    for validator in options.validators where failure == nil { failure = validator.failure(of: response, to: request) }
    if failure == nil, !isRedirect(head, options) {
      handOn(channel, response)
      return await ending
    }
    // What is not handed on is read to its end, so that its connection can be used again. A body that does not end is not.
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

  /// Whether a handler will be asked what happens to it.
  private func isRedirect(_ head: BodyChannel.Head, _ options: RequestOptions) -> Bool {
    guard options.redirectHandler != nil || session.configuration.redirectHandler != nil else { return false }
    return head.status.kind == .redirection && head.headerFields[.location] != nil
  }

  private func transfer(_ request: TransferRequest, into channel: BodyChannel) async -> Result<TransferResponse, NetworkingError> {
    var request = request
    request.channel = channel
    let result = await transfer(request)
    channel.close()
    return result
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

  /// Waits until there is something to read, or nothing more will come.
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

  /// The head of the response that is handed on: status and header. Nil until there is one.
  public var head: TransferResponse? { shared.withLock { $0.head } }

  /// Waits for the head of the response: its status and header, without its body. Throws why there is none. Cancelling the task cancels the request.
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

  /// The pieces.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads the pieces.
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

    /// The next piece, nil at the end. Throws ``NetworkingError``.
    public func next() async throws -> [UInt8]? { try await next(isolation: nil) }

    /// The next piece, nil at the end.
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
    // Not as a waiter: this one's task may be cancelled, and the result is still that of the request.
    await Task { await self.outcome() }.value.result
  }
}
