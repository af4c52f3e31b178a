/// How requests are authenticated with a kind of credential: what an ``AuthenticationInterceptor`` needs to know.
///
/// ```swift
/// struct BearerAuthenticator: Authenticator {
///   func apply(_ credential: Token, to request: inout TransferRequest) { request.credential = .bearer(credential.text) }
///   func refresh(_ credential: Token) async throws -> Token { … }
///   func isRequest(_ request: TransferRequest, authenticatedWith credential: Token) -> Bool {
///     request.credential == .bearer(credential.text)
///   }
/// }
/// ```
public protocol Authenticator<Credential>: Sendable {
  /// What requests are authenticated with.
  associatedtype Credential: AuthenticationCredential

  /// Puts the credential into a request.
  func apply(_ credential: Credential, to request: inout TransferRequest)

  /// A fresh credential in place of an old one. It must not send its request through the interceptor that asks, which would wait for itself.
  func refresh(_ credential: Credential) async throws -> Credential

  /// Whether a response says that the credential is not valid any more. By default, whether its status is 401.
  func didFail(_ response: TransferResponse) -> Bool

  /// Whether a request was sent with this credential. If it was sent with another, an older one, it is tried again at once.
  func isRequest(_ request: TransferRequest, authenticatedWith credential: Credential) -> Bool
}

extension Authenticator {
  /// Whether the status is 401.
  public func didFail(_ response: TransferResponse) -> Bool { response.status.code == 401 }
}
