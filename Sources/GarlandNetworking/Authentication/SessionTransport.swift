public import GarlandAuth

/// The requests of a session, without its cookies and interceptors.
public struct SessionTransport: AuthTransport {
  private let session: Session

  /// By this session.
  public init(_ session: Session) { self.session = session }

  /// Sends it with the session's settings.
  public func send(_ request: TransferRequest, for purpose: AuthPurpose) async throws(NetworkingError) -> TransferResponse {
    var whole = request
    whole.settings = session.configuration.settings
    whole.settings.cookies = nil
    whole.settings.redirects = request.settings.redirects
    whole.settings.maximumBodyBytes = request.settings.maximumBodyBytes
    if let certificate = request.settings.tls.clientCertificate { whole.settings.tls.clientCertificate = certificate }
    return try await session.engine.response(for: whole)
  }
}
