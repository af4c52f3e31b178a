public import HTTPTypes

extension TransferResponse {
  /// Creates a response from its head, before its body has arrived. The response names `request` as the request that was sent, even if
  /// redirects were followed.
  package init(_ head: BodyChannel.Head, to request: TransferRequest) {
    let sent = SentRequest(
      method: request.method, url: request.url, credentialFields: request.credentialFields, hasBody: !request.body.isEmpty,
      ticketProblem: nil, given: request.headerFields,
      additions: .init(removed: request.removedFields, acceptEncoding: ContentDecoding.offer))
    self.init(
      status: head.status, version: head.version, fields: ReceivedFields(head.headerFields), trailerFields: [:], body: .discarded,
      request: sent, redirects: [], metrics: TransferMetrics(), decodedBodyBytes: -1)
  }

  /// Creates a response that no server sent, for tests and custom transports.
  ///
  /// ```swift
  /// let response = TransferResponse(to: TransferRequest(url: "https://example.com/"), status: .notFound)
  /// ```
  public init(
    to request: TransferRequest, status: HTTPResponse.Status = .ok, headerFields: HTTPFields = HTTPFields(), body: [UInt8] = [],
    trailerFields: HTTPFields = HTTPFields(), version: HTTPVersion = .http1_1, redirects: [RedirectHop] = [],
    metrics: TransferMetrics = TransferMetrics()
  ) {
    self.init(
      status: status, version: version, fields: ReceivedFields(headerFields), trailerFields: trailerFields, body: .bytes(body),
      request: SentRequest(request), redirects: redirects, metrics: metrics, decodedBodyBytes: Int64(body.count))
  }
}

extension SentRequest {
  /// Creates the record of a sent request, as if the engine had sent `request` without any change.
  public init(_ request: TransferRequest) {
    self.init(
      method: request.method, url: request.url, credentialFields: request.credentialFields.union(RedirectState.alwaysCredential),
      hasBody: !request.body.isEmpty, ticketProblem: nil, given: request.headerFields,
      additions: Additions(removed: request.removedFields, userAgent: request.settings.userAgent))
  }
}
