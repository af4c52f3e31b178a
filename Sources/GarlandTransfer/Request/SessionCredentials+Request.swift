import HTTPTypes

extension SessionCredentials {
  /// Sets the credential of a request to the session's credential for its URL, unless the request has its own credential.
  package func complete(_ request: inout TransferRequest) {
    if isEmpty || request.credential != nil || request.headerFields.contains(.authorization)
      || request.removedFields.contains(.authorization)
    {
      return
    }
    if let url = try? URLReference(request.url) { request.credential = credential(for: url) }
  }
}
