public import GarlandAuth

/// Sends OAuth requests with the settings of a session, but without the session's cookies and interceptors.
public struct SessionTransport: AuthTransport {
  private let session: Session

  /// Creates a transport that sends with the settings of `session`.
  public init(_ session: Session) { self.session = session }

  /// Sends a request with the session's settings.
  public func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse {
    var whole = request
    whole.settings = session.configuration.settings
    whole.settings.cookies = nil
    whole.settings.redirects = request.settings.redirects
    whole.settings.maximumBodyBytes = request.settings.maximumBodyBytes
    if let certificate = request.settings.tls.clientCertificate { whole.settings.tls.clientCertificate = certificate }
    if let responder = session.responder { whole.responder = responder }
    return try await session.engine.response(for: whole)
  }
}
