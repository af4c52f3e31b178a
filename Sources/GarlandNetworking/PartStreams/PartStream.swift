import HTTPTypes

/// The parts of a multipart response, in order, each as soon as it is complete.
///
/// ```swift
/// for try await frame in session.partStream("http://camera.example/video") {
///   print(frame.headerFields[.contentType] ?? "", frame.bytes?.count ?? 0)
/// }
/// ```
/// Servers send `multipart/x-mixed-replace` for as long as a client listens. Each loop over the stream sends
/// its own request. Leaving the loop, or cancelling its task, closes the connection. A slow reader slows down
/// the server.
public struct PartStream: AsyncSequence, Sendable {
  /// A part of the response, with its header and body.
  public typealias Element = ResponsePart

  /// The maximum size in bytes of a part in memory.
  static let limit = 16 << 20

  /// The closure that creates the request.
  let request: @Sendable () -> DataStreamRequest
  private var decide: (@Sendable (ResponsePart.Head) async -> ResponseDisposition)?

  init(request: @escaping @Sendable () -> DataStreamRequest) { self.request = request }

  /// Returns a stream that calls `decide` for each part. The closure decides whether the part is kept in memory or written to a file, or
  /// whether the request is cancelled. It is called after the header of the part has arrived and before its body is read.
  ///
  /// ```swift
  /// let frames = session.partStream(url).onPart { part in
  ///   .becomeDownload(DownloadTarget(path: "frame-\(part.index).jpg"))
  /// }
  /// ```
  /// ``ResponseDisposition/cancel`` cancels the request: the loop throws ``NetworkingError/Reason/cancelled``.
  public func onPart(_ decide: @escaping @Sendable (_ part: ResponsePart.Head) async -> ResponseDisposition) -> PartStream {
    var copy = self
    copy.decide = decide
    return copy
  }

  /// Creates a reader of the parts.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Reads the parts of the response.
  public struct Iterator: AsyncIteratorProtocol {
    /// The body of the current part as far as it has arrived, in memory or in a file.
    private enum Current {
      case memory([UInt8])
      case file(ResponseFile)
    }

    private let stream: PartStream
    private var decoder: PartStreamDecoder?
    private var connection: DataStreamRequest.Iterator?
    private var response: TransferResponse?
    private var part: (head: ResponsePart.Head, body: Current)?
    private var count = 0
    /// The number of bytes of the response that have arrived.
    private var received: Int64 = 0
    private var isDone = false

    init(_ stream: PartStream) { self.stream = stream }

    /// Returns the next part; nil at the end of the response. Throws ``NetworkingError``.
    public mutating func next() async throws -> ResponsePart? { try await next(isolation: nil) }

    /// Returns the next part; nil at the end of the response.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkingError) -> ResponsePart? {
      guard !isDone else { return nil }
      do throws(NetworkingError) {
        if let part = try await read(isolation: actor) { return part }
        end()
        return nil
      } catch {
        if case .file(let file)? = part?.body { file.abandon() }
        end()
        throw error
      }
    }

    /// Closes the connection over which the parts arrive.
    private mutating func end() {
      isDone = true
      part = nil
      connection = nil
    }

    private mutating func read(isolation actor: isolated (any Actor)?) async throws(NetworkingError) -> ResponsePart? {
      if connection == nil { try await connect(isolation: actor) }
      while true {
        while let token = try decode() {
          if let part = try await take(token, isolation: actor) { return part }
        }
        guard decoder?.isClosed == false, let piece = try await connection?.next(isolation: actor) else { break }
        decoder?.add(piece)
        received += Int64(piece.count)
      }
      if decoder?.isInPart == true { throw failure(.truncated(received: received, expected: nil)) }
      if decoder?.hasBoundary == false { throw failure(.invalidResponse(detail: "its body has no boundary")) }
      return nil
    }

    private mutating func connect(isolation actor: isolated (any Actor)?) async throws(NetworkingError) {
      let request = stream.request()
      let head = try await request.waitForHead()
      response = head
      guard let boundary = head.headerFields[.contentType].flatMap(PartStreamDecoder.boundary) else {
        request.cancel()
        throw failure(.invalidResponse(detail: "its type names no boundary"))
      }
      decoder = PartStreamDecoder(boundary: boundary)
      connection = request.makeAsyncIterator()
    }

    private mutating func decode() throws(NetworkingError) -> PartStreamDecoder.Token? {
      do throws(PartStreamDecoder.Fault) {
        return try decoder?.next()
      } catch {
        switch error {
        case .headTooLong(let limit): throw failure(.headerTooLarge(limit: limit))
        case .noField(let line):
          throw failure(.invalidResponse(detail: "the header of part \(count) has a line that is not a header field: \(line)"))
        case .wrongLength(let length):
          throw failure(
            .invalidResponse(detail: "part \(count - 1) does not end after \(length) bytes, although its Content-Length is \(length)"))
        }
      }
    }

    /// Processes a token of the multipart decoder. Returns the part if the token completes a part; otherwise nil.
    private mutating func take(
      _ token: PartStreamDecoder.Token, isolation actor: isolated (any Actor)?
    ) async throws(NetworkingError) -> ResponsePart? {
      switch token {
      case .head(let fields): try await begin(ResponsePart.Head(index: count, headerFields: fields), isolation: actor)
      case .body(let bytes):
        // Take the part out of the property first, so that its bytes are not copied.
        let current = part
        part = nil
        guard case (let head, var body)? = consume current else { return nil }
        try append(bytes, to: &body)
        part = (head, body)
      case .end:
        guard let (head, body) = part else { return nil }
        part = nil
        count += 1
        switch body {
        case .memory(let bytes): return ResponsePart(head: head, body: .bytes(bytes))
        case .file(let file): return ResponsePart(head: head, body: .file(try file.finish().commit()))
        }
      }
      return nil
    }

    private mutating func begin(_ head: ResponsePart.Head, isolation actor: isolated (any Actor)?) async throws(NetworkingError) {
      switch await stream.decide?(head) ?? .allow {
      case .allow: part = (head, .memory([]))
      case .cancel: throw failure(.cancelled)
      case .becomeDownload(let target):
        // The fields of the part suggest the name of its file.
        part = (head, .file(try ResponseFile(target, headerFields: head.headerFields, url: response?.url ?? "")))
      }
    }

    private func append(_ bytes: ArraySlice<UInt8>, to body: inout Current) throws(NetworkingError) {
      switch body {
      case .file(let file): try file.write(Array(bytes))
      case .memory(var memory):
        body = .memory([])
        guard memory.count + bytes.count <= PartStream.limit else {
          throw failure(.itemTooLarge(item: "part", limit: Int64(PartStream.limit)))
        }
        memory += bytes
        body = .memory(memory)
      }
    }

    private func failure(_ reason: NetworkingError.Reason) -> NetworkingError { NetworkingError(reason, url: response?.url) }
  }
}
