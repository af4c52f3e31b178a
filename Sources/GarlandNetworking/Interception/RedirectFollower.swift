import GarlandText
import HTTPTypes

/// Follows redirects one transfer at a time, and calls the caller's handler for each redirect. This type is only needed with a handler:
/// without a handler, the engine follows redirects.
struct RedirectFollower {
  let handler: any RedirectHandler
  private var request: TransferRequest
  private let maximum: Int
  private var hops: [RedirectHop] = []
  private var metrics = TransferMetrics()

  init(handler: any RedirectHandler, request: TransferRequest) {
    self.handler = handler
    self.request = request
    if case .follow(let maximum) = request.settings.redirects { self.maximum = maximum } else { maximum = 0 }
    self.request.settings.redirects = .deliver
    // A user in the URL becomes the request's credential, since the URL of the next request does not contain the user.
    if request.credential == nil, let url = try? URLReference(request.url), let userInfo = url.userInfo {
      let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      func decoded(_ part: Int) -> String {
        part < parts.count ? PercentEncoding.text(decoding: parts[part]) : ""
      }
      self.request.credential = .basic(user: decoded(0), password: decoded(1))
    }
  }

  /// Sends the request and follows its redirects; `send` makes one transfer.
  consuming func run(
    _ send: (TransferRequest) async -> Result<TransferResponse, NetworkingError>
  ) async -> Result<TransferResponse, NetworkingError> {
    while true {
      switch await send(request) {
      case .failure(var error):
        merge(error.metrics)
        error.metrics = metrics
        return .failure(error)
      case .success(let response):
        merge(response.metrics)
        if maximum == 0 { return .success(response) }
        do throws(NetworkingError) {
          guard let next = try await next(after: response) else { return .success(response.following(hops, metrics)) }
          request = next
        } catch {
          return .failure(error)
        }
      }
    }
  }

  private mutating func merge(_ other: TransferMetrics) {
    if metrics.transactions.isEmpty { metrics.queued = other.queued }
    metrics.transactions += other.transactions
    metrics.total += other.total
  }

  /// Returns the request that follows a response; nil if no request follows it.
  private mutating func next(after response: TransferResponse) async throws(NetworkingError) -> TransferRequest? {
    guard let url = try? URLReference(request.url) else { return nil }
    var state = RedirectState(
      method: request.method, url: url, headerFields: request.headerFields, sendsBody: !request.body.isEmpty,
      credentialFields: request.credentialFields, policy: .follow(maximum: 1), boundary: request.settings.redirectBoundary)
    let decision = state.next(
      status: response.status.code, location: response.headerFields[.location], isBodyRepeatable: request.body.isRepeatable)
    switch decision {
    case .deliver: return nil
    case .fail(let reason): throw error(.redirect(reason), response)
    case .follow: break
    }
    if hops.count >= maximum { throw error(.redirect(.tooMany(limit: maximum)), response) }
    let hop = RedirectHop(
      url: response.url, method: request.method, status: response.status, headerFields: response.headerFields,
      target: state.url.description, request: response.request)
    var proposal = request
    proposal.url = state.url.description
    proposal.method = state.method
    proposal.headerFields = state.headerFields
    if !state.sendsBody { proposal.body = .none }
    if !state.isTrusted { proposal.dropCredentials() }
    switch await handler.redirect(hop, proposal: proposal) {
    case .doNotFollow: return nil
    case .follow: break
    case .modify(let other):
      proposal = other
      proposal.settings.redirects = .deliver
      if (try? URLReference(other.url))?.origin != url.origin { proposal.dropCredentials(of: request) }
    }
    hops.append(hop)
    metrics.redirectCount += 1
    return proposal
  }

  private func error(_ reason: NetworkingError.Reason, _ response: TransferResponse) -> NetworkingError {
    var error = NetworkingError(reason, url: response.url, metrics: metrics)
    error.partialResponse = response
    return error
  }
}

extension TransferRequest {
  /// Removes the credential and the client certificate from a request that goes to another origin than the previous request. Credentials in
  /// header fields are removed by ``RedirectState``.
  fileprivate mutating func dropCredentials() {
    credential = nil
    settings.tls.clientCertificate = nil
  }

  /// Removes the credentials that were copied from `other`, the request before a redirect to another origin. Such credentials must not be
  /// sent to the new origin.
  ///
  /// A credential was copied if it has the same value in both requests. A credential with a different value was set by the redirect
  /// handler, and is kept.
  fileprivate mutating func dropCredentials(of other: TransferRequest) {
    if credential == other.credential { credential = nil }
    if settings.tls.clientCertificate == other.settings.tls.clientCertificate { settings.tls.clientCertificate = nil }
    let names = other.credentialFields.union(RedirectState.alwaysCredential + [.hostField])
    for name in names where headerFields[values: name] == other.headerFields[values: name] {
      headerFields[name] = nil
    }
  }
}
