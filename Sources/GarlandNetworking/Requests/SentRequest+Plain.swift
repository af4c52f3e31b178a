extension SentRequest {
  /// A request as far as it is known while its response still comes in: as it was first sent.
  init(_ request: TransferRequest) {
    self.init(
      method: request.method, url: request.url, credentialFields: request.credentialFields, hasBody: !request.body.isEmpty,
      ticketProblem: nil, given: request.headerFields, additions: Additions(removed: request.removedFields))
  }
}
