import HTTPTypes

extension SessionCredentials {
  /// Adds the credential for a request's URL to it.
  package func complete(_ request: inout TransferRequest) {
    if isEmpty || request.credential != nil || request.headerFields.contains(.authorization)
      || request.removedFields.contains(.authorization)
    {
      return
    }
    if let url = try? URLReference(request.url) { request.credential = credential(for: url) }
  }
}
