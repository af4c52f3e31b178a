import GarlandTransfer
import GarlandResults
import HTTPTypes

/// Creates an ``Exchange`` for reports: the record of a request and its response. The record contains only the details that the reports
/// need.
struct ExchangeRecorder: Sendable {
  /// The details, such as header fields and bodies, that the reports of the run need.
  let detail: RunDetail
  /// The maximum number of bytes of each body that the record of a transfer keeps.
  let keptBodyBytes: Int
  /// The time when the run began. The record of each hop (each request in a chain of redirects) contains its start relative to this time;
  /// if nil, the starts are not recorded.
  var runBegan: ContinuousClock.Instant?

  /// Returns the record of a transfer with a response.
  ///
  /// - Parameters:
  ///   - request: the request that was sent.
  ///   - response: the last response, with the redirects before it.
  ///   - isComplete: whether all details are recorded, as for a step that failed.
  func exchange(of request: BuiltRequest, _ response: TransferResponse, isComplete: Bool) -> Exchange {
    let wantsFields = isComplete || detail.contains(.fields)
    if !wantsFields, !detail.contains(.bodies), request.shortSecrets.isEmpty, response.redirects.isEmpty { return briefly(response) }
    var hops: [Exchange.Hop] = []
    hops.reserveCapacity(response.redirects.count + 1)
    // Only transactions with a redirect that was followed are hops. The other transactions, except the last one, are requests that were
    // repeated, after a challenge or at a different address.
    var followed = response.metrics.transactions.lazy.filter(\.isFollowed).makeIterator()
    for redirect in response.redirects {
      let metrics = followed.next()
      hops.append(
        Exchange.Hop(
          method: redirect.method.rawValue, url: redirect.url,
          requestFields: wantsFields ? fields(redirect.request.headerFields) : [], status: redirect.status.code,
          responseFields: wantsFields ? fields(redirect.headerFields) : [], timing: timing(metrics, isFull: wantsFields)))
    }
    hops.append(
      Exchange.Hop(
        method: response.request.method.rawValue, url: response.request.url,
        requestFields: wantsFields ? fields(response.request.headerFields) : [], status: response.status.code,
        responseFields: wantsFields ? fields(response.headerFields) : [],
        timing: timing(response.metrics.transactions.last, isFull: wantsFields)))
    var exchange = Exchange(hops: hops)
    if isComplete || detail.contains(.bodies) {
      exchange.requestBody = request.bodyPreview(limit: keptBodyBytes)
      exchange.responseBody = body(of: response)
    }
    return request.shortSecrets.masked(exchange, of: request.transfer)
  }

  /// Returns a short record of a transfer with a response. The short record is sufficient if no report needs header fields or bodies.
  private func briefly(_ response: TransferResponse) -> Exchange {
    let last = response.lastTiming
    return Exchange(
      method: response.method.rawValue, url: response.url, status: response.statusCode, total: last?.total ?? .zero,
      isReused: last?.isReused ?? false, source: response.source.map { source($0) } ?? .network)
  }

  /// Returns the record of a request that a listening step received, and of its response.
  func exchange(of request: IncomingRequest, _ view: ReceivedResponse, isComplete: Bool) -> Exchange {
    let wantsFields = isComplete || detail.contains(.fields)
    var timing = Exchange.Timing(total: .seconds(view.time))
    timing.version = request.version
    var exchange = Exchange(hops: [
      Exchange.Hop(
        method: request.method, url: view.url,
        requestFields: wantsFields ? request.fields.map { Exchange.Field($0.name, $0.value) } : [], status: 200, responseFields: [],
        timing: timing)
    ])
    exchange.isIncoming = true
    if (isComplete || detail.contains(.bodies)) && !request.body.isEmpty {
      exchange.requestBody = Exchange.Body(
        bytes: Array(request.body.prefix(keptBodyBytes)), size: request.body.count, type: request.values(of: "Content-Type").last)
    }
    return exchange
  }

  /// Returns the record of a transfer that failed, with all details.
  func exchange(of request: BuiltRequest, _ error: NetworkingError) -> Exchange {
    let partial = error.partialResponse
    var exchange: Exchange
    if let partial {
      exchange = self.exchange(of: request, partial, isComplete: true)
    } else {
      exchange = Exchange(hops: [
        Exchange.Hop(
          method: request.transfer.method.rawValue, url: error.url ?? request.transfer.url,
          requestFields: fields(request.transfer.headerFields),
          status: nil, responseFields: [], timing: timing(error.metrics.transactions.last, isFull: true))
      ])
      exchange.requestBody = request.bodyPreview(limit: keptBodyBytes)
    }
    exchange.error = error.description
    exchange.responseBody?.isBrokenOff = error.reason.leavesBodyIncomplete
    return request.shortSecrets.masked(exchange, of: request.transfer)
  }

  private func body(of response: TransferResponse) -> Exchange.Body? {
    let type = response.headerFields[.contentType]
    let size = Int(response.decodedBodyBytes)
    switch response.body {
    case .bytes(let bytes):
      return bytes.isEmpty ? nil : Exchange.Body(bytes: Array(bytes.prefix(keptBodyBytes)), size: bytes.count, type: type)
    case .prefix(let bytes, _):
      return size == 0 ? nil : Exchange.Body(bytes: Array(bytes.prefix(keptBodyBytes)), size: size, type: type)
    case .file(let file): return Exchange.Body(bytes: [], size: size, type: type, file: file.targetPath)
    case .discarded: return size == 0 ? nil : Exchange.Body(bytes: [], size: size, type: type)
    }
  }

  private func fields(_ fields: HTTPFields) -> [Exchange.Field] { fields.map { Exchange.Field($0.name.rawName, $0.value) } }

  private func source(_ source: TransactionMetrics.Source) -> Exchange.Timing.Source {
    switch source {
    case .network: .network
    case .cache: .cache
    case .validatedCache: .validatedCache
    case .staleCache: .staleCache
    }
  }

  private func timing(_ metrics: TransactionMetrics?, isFull: Bool) -> Exchange.Timing {
    guard let metrics else { return Exchange.Timing(total: .zero) }
    var timing = Exchange.Timing(total: metrics.total)
    timing.isReused = metrics.isReused
    timing.source = source(metrics.source)
    guard isFull else { return timing }
    timing.isSentAgain = metrics.isSentAgain
    timing.nameLookup = metrics.nameLookup
    timing.connect = metrics.connect
    timing.tls = metrics.secure
    timing.startedAt = runBegan.map { max(.zero, metrics.start - $0) }
    timing.requestStart = metrics.requestStart
    timing.requestSent = metrics.requestSent
    timing.firstByte = metrics.firstByte
    timing.sizes = sizes(metrics)
    timing.security = metrics.security.map(security)
    timing.localPort = metrics.localPort
    timing.version = metrics.version?.rawValue
    timing.remoteAddress = metrics.remoteAddress.map { address in
      let host = address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address
      return metrics.remotePort.map { "\(host):\($0)" } ?? host
    }
    return timing
  }

  private func sizes(_ metrics: TransactionMetrics) -> Exchange.Sizes? {
    guard metrics.requestHeaderBytes > 0 else { return nil }
    return Exchange.Sizes(
      requestHead: Int(metrics.requestHeaderBytes), requestBody: Int(metrics.requestBodyBytes),
      responseHead: Int(metrics.responseHeaderBytes), responseBody: Int(metrics.responseBodyBytes))
  }

  private func security(_ found: ConnectionSecurity) -> Exchange.Security {
    var security = Exchange.Security(version: found.version, cipher: found.cipherSuite)
    if let certificate = found.certificate {
      security.subject = certificate.subject
      security.issuer = certificate.issuer
      security.expiresAt = Int(certificate.notAfter)
    }
    return security
  }
}
