import HTTPTypes

/// Methods that get and deliver responses from ``TransferRequest/responder``, the closure that replaces the network.
extension TransferCore {
  /// Calls `responder`, which replaces the network, to get the response to the transfer's current request.
  func ask(_ responder: @escaping Responder, for transfer: Transfer) {
    transfer.beginHop(at: now)
    let asked: TransferRequest
    do throws(NetworkingError) {
      asked = try transfer.askedRequest()
    } catch {
      end(transfer, with: error.reason)
      return
    }
    transfer.state = .running
    armIdle(of: transfer)
    let loop = loop
    // Run the caller's own code in a task, not on this thread.
    transfer.awaitedTask = Task.detached {
      let result: Result<TransferResponse, NetworkingError>
      do {
        result = .success(try await responder(asked))
      } catch let error as NetworkingError {
        result = .failure(error)
      } catch is CancellationError {
        result = .failure(NetworkingError(.cancelled))
      } catch {
        result = .failure(NetworkingError(.connectionLost(detail: "\(error)")))
      }
      loop.perform { loop.withCore { $0.responded(result, to: transfer) } }
    }
  }

  private func responded(_ result: Result<TransferResponse, NetworkingError>, to transfer: Transfer) {
    guard transfer.state == .running else { return }
    transfer.awaitedTask = nil
    if let timer = transfer.place.idleTimer { timers.remove(timer) }
    switch result {
    case .success(let response):
      transfer.take(response)
      transfer.state = .ready
      ready.append(transfer)
    case .failure(let error):
      transfer.metrics.total = .nanoseconds(Int64(max(now, transfer.startedAt) &- transfer.startedAt))
      end(transfer, with: error.reason)
    }
  }
}

extension Transfer {
  /// Returns the current request of the transfer in the form in which a server would receive it: with all header fields, including cookies,
  /// and with the URL of the current redirect.
  fileprivate func askedRequest() throws(NetworkingError) -> TransferRequest {
    guard let hop, !isFTP else { throw NetworkingError(.unsupported("a stubbed response to a URL of another scheme than http and https")) }
    try authorize(hop, on: nil)
    var target = proof.signedURL ?? hop.url
    target.fragment = nil
    target.userInfo = nil
    sentHead.url = proof.signedURL == nil ? target.description : nil
    sentHead.fields = hop.headerFields
    addPartialFields(to: &sentHead.fields)
    for field in proof.fields { sentHead.fields[field.name] = field.value }
    sentHead.cookies = cookies(for: hop)
    var asked = request
    asked.responder = nil
    asked.channel = nil
    asked.method = hop.method
    asked.url = target.description
    asked.headerFields = sentHead.fields
    if let cookies = sentHead.cookies { asked.headerFields[.cookie] = cookies }
    if !hop.sendsBody { asked.body = .none }
    return asked
  }

  /// Prepares the delivery of the response that the closure ``TransferRequest/responder`` has returned. The response is delivered piece by
  /// piece, like a cached response.
  fileprivate func take(_ response: TransferResponse) {
    if let length = content.length { content.sent = length }
    let bytes: [UInt8]
    switch response.body {
    case .bytes(let all), .prefix(let all, digest: _): bytes = all
    case .file, .discarded: bytes = []
    }
    let head = StoredHead(
      status: response.status.code, reason: response.status.reasonPhrase, version: response.version, fields: response.headerFields,
      requestTime: 0, responseTime: 0)
    cache.replay = CacheReplay(head, .bytes(bytes), source: .network, isFromResponder: true)
  }
}
