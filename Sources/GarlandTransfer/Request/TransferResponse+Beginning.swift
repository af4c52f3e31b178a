extension TransferResponse {
  /// Creates a response from its head while its body still arrives. The request is the one first
  /// sent.
  package init(_ head: BodyChannel.Head, to request: TransferRequest) {
    let sent = SentRequest(
      method: request.method, url: request.url, credentialFields: request.credentialFields, hasBody: !request.body.isEmpty,
      ticketProblem: nil, given: request.headerFields,
      additions: .init(removed: request.removedFields, acceptEncoding: ContentDecoding.offer))
    self.init(
      status: head.status, version: head.version, fields: ReceivedFields(head.headerFields), trailerFields: [:], body: .discarded,
      request: sent, redirects: [], metrics: TransferMetrics(), decodedBodyBytes: -1)
  }
}
