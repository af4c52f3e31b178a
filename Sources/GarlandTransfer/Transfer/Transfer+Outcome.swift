import CCurl
import HTTPTypes

extension Transfer {
  /// The result of one request of a transfer: the transfer is finished, or continues with another request or with a cached response.
  enum Outcome: Sendable {
    case finished(Result<TransferResponse, NetworkingError>)
    case nextHop
    /// The response comes from the cache; see ``CacheUse/replay``.
    case replay
  }

  func beginHop(at now: UInt64) {
    lastActivity = now
    intake.begin()
    continuation.use = .none
    route.learnsHTTP2 = false
    forgetNews()
    if metrics.transactions.isEmpty { metrics.queued = .nanoseconds(Int64(max(now, startedAt) &- startedAt)) }
    var transaction = TransactionMetrics(start: .now)
    transaction.isSentAgain = route.isRepeated
    metrics.transactions.append(transaction)
  }

  func collectMetrics(from easy: EasyHandle, at now: UInt64) {
    guard let last = metrics.transactions.indices.last else { return }
    collect(into: &metrics.transactions[last], from: easy)
    route.learnsHTTP2 = intake.head.version == .http2 && origin?.scheme == "https"
    metrics.total = .nanoseconds(Int64(max(now, startedAt) &- startedAt))
  }

  private func collect(into transaction: inout TransactionMetrics, from easy: EasyHandle) {
    func phase(_ info: CURLINFO) -> Duration? {
      let microseconds = easy.offset(info)
      return microseconds > 0 ? .nanoseconds(microseconds &* 1_000) : nil
    }
    let isNew = easy.long(CURLINFO_NUM_CONNECTS) > 0
    transaction.requestStart = phase(CURLINFO_PRETRANSFER_TIME_T)
    transaction.isReused = !isNew && transaction.requestStart != nil
    if !transaction.isReused {
      transaction.nameLookup = phase(CURLINFO_NAMELOOKUP_TIME_T)
      transaction.connect = phase(CURLINFO_CONNECT_TIME_T)
      transaction.secure = phase(CURLINFO_APPCONNECT_TIME_T)
    }
    // The times of a streamed body are measured from the start of the hop, which is earlier than libcurl's start. So the total must be
    // measured from there too.
    let isTimedHere = transaction.requestSent != nil
    transaction.total = isTimedHere ? ContinuousClock.now - transaction.start : phase(CURLINFO_TOTAL_TIME_T) ?? .zero
    if !intake.head.isEmpty, transaction.firstByte == nil { transaction.firstByte = phase(CURLINFO_STARTTRANSFER_TIME_T) }
    transaction.authenticationLegs = intake.answeredHeads
    transaction.version = intake.head.isEmpty ? nil : intake.head.version
    transaction.remoteAddress = easy.string(CURLINFO_PRIMARY_IP)
    if transaction.remoteAddress != nil {
      transaction.remotePort = easy.long(CURLINFO_PRIMARY_PORT)
      transaction.localPort = easy.long(CURLINFO_LOCAL_PORT)
    }
    transaction.requestHeaderBytes = Int64(easy.long(CURLINFO_REQUEST_SIZE))
    transaction.requestBodyBytes = easy.offset(CURLINFO_SIZE_UPLOAD_T)
    transaction.responseHeaderBytes = Int64(easy.long(CURLINFO_HEADER_SIZE))
    transaction.responseBodyBytes = easy.offset(CURLINFO_SIZE_DOWNLOAD_T)
  }

  /// Decides how the transfer continues after the current request has ended. A response from the cache can replace the result of the
  /// request, for example after a network error.
  func outcome(of result: CURLcode, easy: EasyHandle) -> Outcome {
    if intake.isProvisional {
      // Neither another head nor content followed this head, so it belongs to the final response.
      intake.isProvisional = false
      _ = headEnded()
    }
    guard let cacheHop = cache.hop, !intake.beginsAnew else { return networkOutcome(of: result, easy: easy) }
    if cacheHop.answer != nil, let outcome = cacheOutcome() { return outcome }
    let outcome = networkOutcome(of: result, easy: easy)
    if case .finished(.failure(let error)) = outcome { return cacheOutcome(after: error.reason) ?? outcome }
    if result == CURLE_OK { cache.recorded = cacheHop.takeRecorded() }
    return outcome
  }

  /// Returns the next action of the transfer after the current request has ended. Unlike `outcome(of:easy:)`, this method never replaces
  /// the result of the request by a stored response. `easy` is nil if the response did not come from libcurl, but from the cache or from
  /// ``TransferRequest/responder``.
  func networkOutcome(of result: CURLcode, easy: EasyHandle?) -> Outcome {
    if intake.beginsAnew { return .nextHop }
    if let failure = intake.failure { return .finished(.failure(error(failure))) }
    if isFTP, result == CURLE_OK, !beginFTPResponse() { return .finished(.failure(error(intake.failure ?? .cancelled))) }
    if intake.head.isComplete {
      if intake.isAnswering { return .nextHop }
      if case .fail(let reason) = intake.decision { return .finished(.failure(error(.redirect(reason)))) }
      // The body of a followed redirect and its end do not matter any more.
      if let next = intake.next { return follow(next) }
      if result == CURLE_OK, let decoding = intake.decoding, !decoding.isComplete {
        return .finished(.failure(error(.undecodable(detail: "it ends before its coding does"))))
      }
      if result == CURLE_OK, let missingRest { return .finished(.failure(error(missingRest))) }
      if result == CURLE_OK || intake.isSatisfied { return .finished(response()) }
    } else if result == CURLE_OK, request.extent == .connection || request.extent == .stream {
      return .finished(response())
    } else if result == CURLE_OK {
      return .finished(.failure(error(.invalidResponse(detail: "it has no header"))))
    } else if (result == CURLE_COULDNT_CONNECT || result == CURLE_OPERATION_TIMEDOUT), route.tryNextAddress() {
      return .nextHop
    } else if let easy, canRepeat(easy, after: result) {
      route.isRepeated = true
      return .nextHop
    }
    guard let easy else { return .finished(.failure(error(.invalidResponse(detail: "it has no header")))) }
    return .finished(.failure(error(reason(for: result, easy: easy))))
  }

  /// Whether a request whose kept connection was lost before a response can be sent once more, on a new connection. The server may have
  /// closed the connection because it was idle, so an idempotent request may be sent again (RFC 9110, section 9.2.2; RFC 9112, section
  /// 9.3.1; RFC 9113, section 8.7).
  ///
  /// libcurl 7.88 itself sends a request again if the connection is lost in another way.
  private func canRepeat(_ easy: EasyHandle, after result: CURLcode) -> Bool {
    switch result {
    // The rest of the body could not be sent.
    case CURLE_SEND_ERROR: break
    case CURLE_PARTIAL_FILE where isClosedHTTP2(result, easy): break
    // The server sent a GOAWAY frame that excludes the only stream of an HTTP/2 connection.
    case CURLE_HTTP2: break
    default: return false
    }
    guard let hop, !isFTP, !route.isRepeated, easy.long(CURLINFO_NUM_CONNECTS) == 0, easy.long(CURLINFO_HEADER_SIZE) == 0 else {
      return false
    }
    return RetryPolicy.idempotentMethods.contains(hop.method) && (content.reader == nil || content.rewind())
  }

  private func follow(_ next: RedirectState) -> Outcome {
    guard let current = hop else { return .finished(response()) }
    metrics.redirectCount += 1
    if let last = metrics.transactions.indices.last { metrics.transactions[last].isFollowed = true }
    redirects.append(
      RedirectHop(
        url: current.url.description, method: current.method, status: status, headerFields: intake.head.fields,
        target: next.url.description, request: sentRequest))
    hop = next
    origin = next.url.origin
    sentHead.followRedirect()
    cache.followRedirect()
    route.followRedirect()
    proof.followRedirect()
    if !next.sendsBody {
      content.close()
      content.length = nil
    }
    return .nextHop
  }

  private var status: HTTPResponse.Status { intake.head.httpStatus }

  func response() -> Result<TransferResponse, NetworkingError> {
    do throws(NetworkingError) {
      try openSink()
      let body: TransferResponse.Body
      switch intake.sink {
      case .none, .channel: body = .discarded
      case .memory(let bytes): body = .bytes(bytes)
      case .prefix(let bytes, _, let hasher):
        do {
          body = .prefix(bytes, digest: try hasher?.finish())
        } catch {
          throw NetworkingError(.unsupported("\(error)"))
        }
      case .file(let writer): body = .file(try writer.finish())
      }
      intake.sink = .none
      return .success(response(with: body))
    } catch {
      return .failure(self.error(error.reason))
    }
  }

  private func response(with body: TransferResponse.Body) -> TransferResponse {
    TransferResponse(
      status: status, version: intake.head.version, fields: intake.head.received, trailerFields: intake.head.trailers, body: body,
      request: sentRequest,
      redirects: redirects, metrics: metrics, decodedBodyBytes: intake.received)
  }

  private static let usualCredentialFields = Set(RedirectState.alwaysCredential)

  /// The current request as it was sent.
  var sentRequest: SentRequest {
    let url: String
    if let hopURL = sentHead.url {
      url = hopURL
    } else if var target = hop?.url {
      target.fragment = nil
      target.userInfo = nil
      url = target.description
    } else {
      url = request.url
    }
    let method = hop?.method ?? request.method
    let sendsBody = hop?.sendsBody ?? false
    var additions = SentRequest.Additions(cookie: sentHead.cookies, removed: request.removedFields)
    additions.namesHost = hop != nil
    additions.userAgent = request.settings.userAgent
    if request.settings.decodesContent { additions.acceptEncoding = ContentDecoding.offer }
    additions.sendsBody = sendsBody || method == .post || method == .put || method == .patch
    additions.bodyLength = sendsBody ? content.length : 0
    additions.isHTTP2 = intake.head.version == .http2
    if sendsBody, !additions.isHTTP2 { additions.expectsContinue = asksForLeave }
    if proof.usesLibrary { additions.libraryScheme = request.credential == .negotiate ? .negotiate : .ntlm }
    return SentRequest(
      method: method, url: url,
      credentialFields: request.credentialFields.isEmpty
        ? Self.usualCredentialFields : request.credentialFields.union(RedirectState.alwaysCredential), hasBody: sendsBody,
      ticketProblem: proof.ticketProblem, given: sentHead.fields, additions: additions)
  }

  /// Creates an error for a reason, with the data received so far.
  func error(_ reason: NetworkingError.Reason) -> NetworkingError {
    var error = NetworkingError(reason, url: hop?.url.description ?? request.url, metrics: metrics)
    error.hasAnswered = redirects.contains { (try? URLReference($0.url))?.origin == origin }
    if intake.head.isComplete {
      switch intake.sink {
      case .memory(let bytes): error.partialResponse = response(with: .bytes(bytes))
      case .prefix(let bytes, _, _): error.partialResponse = response(with: .prefix(bytes, digest: nil))
      case .none, .file, .channel: error.partialResponse = response(with: .discarded)
      }
    }
    error.resumeData = keptPartial(after: reason)
    return error
  }
}
