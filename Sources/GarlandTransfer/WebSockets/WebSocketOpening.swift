import HTTPTypes

/// Performs the opening handshake on a connection: sends the request and reads the response.
struct WebSocketOpening {
  /// The maximum size in bytes of the pieces in which the response to the handshake is read. The size is small, since the last piece may
  /// also contain compressed messages of the server, which can become a thousand times larger when they are decompressed.
  private static let pieceSize = 4 << 10
  /// The maximum number of bytes that are read from the body of a response that refuses the handshake.
  private static let bodyLimit = 64 << 10
  /// The time limit for reading the body of a response that refuses the handshake.
  private static let bodyTime = Duration.seconds(2)

  /// The result of the handshake: an open WebSocket connection, or a response that refuses the handshake.
  struct Opened {
    let response: TransferResponse
    /// The subprotocol and the extensions on which client and server have agreed; nil if the server has refused the handshake.
    let agreement: WebSocketHandshake.Agreement?
    /// The bytes that were read after the head of the response. They belong to the first WebSocket frames.
    let rest: [UInt8]
  }

  private let connection: StreamConnection
  private let request: TransferRequest
  private let handshake: WebSocketHandshake
  private let start = ContinuousClock.now

  /// Prepares a handshake, which begins when ``open()`` is called.
  ///
  /// - Parameters:
  ///   - connection: The connection to open.
  ///   - request: The request that opens the WebSocket, with the header fields of `handshake`.
  init(_ connection: StreamConnection, _ request: TransferRequest, _ handshake: WebSocketHandshake) {
    self.connection = connection
    self.request = request
    self.handshake = handshake
  }

  /// Returns the request with the header fields and settings that the handshake needs. Throws if the request
  /// cannot open a WebSocket connection.
  static func request(_ request: TransferRequest, _ handshake: WebSocketHandshake) throws(NetworkingError) -> TransferRequest {
    guard request.method == .get, case .none = request.body else {
      throw NetworkingError(.unsupported("a WebSocket request with a body or another method than GET"), url: request.url)
    }
    switch request.credential {
    case nil, .basic, .bearer, .aws: break
    case .challenged, .digest, .negotiate, .ntlm:
      throw NetworkingError(.unsupported("authentication by a challenge for a WebSocket connection"), url: request.url)
    }
    var request = request
    request.url = WebSocketConnection.httpURL(request.url)
    guard let scheme = try? URLReference(request.url).scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw NetworkingError(.invalidRequest("a WebSocket URL must have the scheme ws, wss, http or https"), url: request.url)
    }
    for (index, name) in handshake.subprotocols.enumerated() {
      // RFC 6455, section 4.1: each is a token, and no two are the same.
      guard HTTPField.Name(name) != nil, !handshake.subprotocols[..<index].contains(name) else {
        throw NetworkingError(.invalidRequest("`\(name)` is no subprotocol, or is listed twice"), url: request.url)
      }
    }
    for field in request.headerFields where WebSocketHandshake.owns(field.name) {
      throw NetworkingError(.invalidRequest("the field `\(field.name.rawName)` belongs to the WebSocket handshake"), url: request.url)
    }
    for (name, value) in handshake.fields {
      if let name = HTTPField.Name(name) { request.headerFields[name] = value }
    }
    // The response to a handshake has no content that could be compressed.
    request.settings.decodesContent = false
    request.settings.cache = nil
    request.removedFields.insert(.accept)
    request.extent = .stream
    request.responder = nil
    return request
  }

  /// Connects, sends the request and reads the response.
  func open() async throws(NetworkingError) -> Opened {
    let opening: TransferResponse
    do throws(NetworkingError) {
      opening = try await connection.connect(timeLeft(nil))
    } catch {
      throw namingLimit(of: error)
    }
    do throws(NetworkingError) {
      let head = try Self.head(of: opening.request)
      _ = try await connection.perform(.write(head), timeLeft(request.settings.idleTimeout))
      var reader = ResponseHeadReader(limit: request.settings.maximumHeaderBytes)
      while true {
        let received = try await connection.perform(.read(minimum: 1, maximum: Self.pieceSize), timeLeft(request.settings.idleTimeout))
        if try reader.take(received.bytes) { break }
        if received.isAtEnd { throw NetworkingError(.connectionLost(detail: "the server closed it within its response's header")) }
      }
      return try await finish(reader, opening, headSize: head.count)
    } catch {
      var error = namingLimit(of: error)
      error.url = request.url
      if error.metrics.transactions.isEmpty { error.metrics = opening.metrics }
      throw error
    }
  }

  /// Returns the time limit of the next operation: `idle` or the time left until the deadline, whichever is shorter. Returns nil if neither
  /// limit is set. Throws if the deadline has passed.
  private func timeLeft(_ idle: Duration?) throws(NetworkingError) -> Duration? {
    guard let deadline = request.settings.deadline else { return idle }
    let left = deadline - request.usedTime - start.duration(to: .now)
    guard left > .zero else {
      throw NetworkingError(.timeout(.init(limit: .deadline, phase: .awaitingResponse, duration: deadline)), url: request.url)
    }
    return min(left, idle ?? left)
  }

  /// Returns a copy of a timeout error that states the whole time limit of the request. The original error states only the time that was
  /// left for one operation. Returns any other error unchanged.
  private func namingLimit(of error: NetworkingError) -> NetworkingError {
    guard let timeout = error.reason.timeout, timeout.limit == .deadline else { return error }
    let limit: NetworkingError.Timeout
    if timeout.duration == request.settings.idleTimeout {
      limit = .init(limit: .idle, phase: timeout.phase, duration: timeout.duration)
    } else if let deadline = request.settings.deadline {
      limit = .init(limit: .deadline, phase: timeout.phase, duration: deadline)
    } else {
      return error
    }
    var named = NetworkingError(.timeout(limit), url: error.url, metrics: error.metrics)
    named.hasAnswered = error.hasAnswered
    return named
  }

  private static func head(of request: SentRequest) throws(NetworkingError) -> [UInt8] {
    guard let url = try? URLReference(request.url) else { throw NetworkingError(.invalidRequest("no URL")) }
    var head = Array("GET \(url.target) HTTP/1.1\r\n".utf8)
    for field in request.headerFields {
      head += Array("\(field.name.rawName): ".utf8)
      field.withUnsafeBytesOfValue { head.append(contentsOf: $0) }
      head += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
    return head + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  private func finish(
    _ reader: ResponseHeadReader, _ opening: TransferResponse, headSize: Int
  ) async throws(NetworkingError) -> Opened {
    let head = reader.head
    if head.received.contains("set-cookie"), let jar = request.settings.cookies, let url = try? URLReference(request.url) {
      jar.store(head.fields, from: url)
    }
    var metrics = opening.metrics
    if let last = metrics.transactions.indices.last {
      metrics.transactions[last].version = head.version
      metrics.transactions[last].requestHeaderBytes = Int64(headSize)
      metrics.transactions[last].responseHeaderBytes = Int64(head.byteCount)
      metrics.transactions[last].firstByte = metrics.transactions[last].start.duration(to: .now)
    }
    // RFC 9110, section 6.4.1: responses with these statuses have no content.
    let body = [101, 204, 304].contains(head.status) ? [] : await self.body(head, reader.rest)
    metrics.total = metrics.queued + start.duration(to: .now)
    if let last = metrics.transactions.indices.last {
      metrics.transactions[last].total = metrics.transactions[last].start.duration(to: .now)
      metrics.transactions[last].responseBodyBytes = Int64(body.count)
    }
    let response = TransferResponse(
      status: head.httpStatus, version: head.version, fields: head.received, trailerFields: HTTPFields(), body: .bytes(body),
      request: opening.request, redirects: [], metrics: metrics, decodedBodyBytes: Int64(body.count))
    guard head.status == 101 else { return Opened(response: response, agreement: nil, rest: []) }
    do throws(WebSocketUpgradeFailure) {
      return Opened(response: response, agreement: try handshake.check(head.fields), rest: reader.rest)
    } catch {
      var failure = NetworkingError(.invalidResponse(detail: "it does not open a WebSocket connection: \(error.detail)"), metrics: metrics)
      failure.partialResponse = response
      throw failure
    }
  }

  /// Reads the body of a response that refuses the handshake. Stops after ``bodyLimit`` bytes, after the time ``bodyTime``, or at the
  /// request's deadline.
  private func body(_ head: ResponseHead, _ rest: [UInt8]) async -> [UInt8] {
    let isChunked = head.received.contains("transfer-encoding")
    let wanted = isChunked ? Self.bodyLimit : Int(min(head.contentLength ?? Int64(Self.bodyLimit), Int64(Self.bodyLimit)))
    var bytes = rest
    let end = ContinuousClock.now + ((try? timeLeft(Self.bodyTime)) ?? .zero)
    while bytes.count < wanted, !(isChunked && bytes.suffix(ChunkedContent.end.count) == ChunkedContent.end[...]) {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero,
        let received = try? await connection.perform(.read(minimum: 1, maximum: wanted - bytes.count), left)
      else { break }
      bytes += received.bytes
      if received.isAtEnd { break }
    }
    return isChunked ? ChunkedContent.decode(bytes) : Array(bytes.prefix(wanted))
  }
}

extension WebSocketConnection {
  /// Converts a URL with the scheme `ws` or `wss` to `http` or `https`. Returns any other URL unchanged.
  package static func httpURL(_ url: String) -> String {
    let scheme = url.prefix { $0 != ":" }
    return switch scheme.lowercased() {
    case "ws": "http" + url.dropFirst(scheme.count)
    case "wss": "https" + url.dropFirst(scheme.count)
    default: url
    }
  }
}
