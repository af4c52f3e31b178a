import HTTPTypes

extension SessionCredentials {
  /// Gives a request what is here for it.
  package func complete(_ request: inout TransferRequest) {
    if isEmpty || request.credential != nil || request.headerFields.contains(.authorization)
      || request.removedFields.contains(.authorization)
    {
      return
    }
    if let url = try? URLReference(request.url) { request.credential = credential(for: url) }
  }
}
