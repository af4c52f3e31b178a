/// Applies and refreshes one kind of credential for an ``AuthenticationInterceptor``.
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
  /// The type of credential.
  associatedtype Credential: AuthenticationCredential

  /// Adds the credential to a request.
  func apply(_ credential: Credential, to request: inout TransferRequest)

  /// Returns a fresh credential that replaces `credential`. Do not send the refresh request through the same interceptor: the request would
  /// wait for its own result.
  func refresh(_ credential: Credential) async throws -> Credential

  /// Whether a response shows that the credential is no longer valid. The default is true for
  /// status 401.
  func didFail(_ response: TransferResponse) -> Bool

  /// Whether a request was sent with `credential`. If the server refuses a request that was sent with an older credential, the request is
  /// sent again with the current credential, without a refresh.
  func isRequest(_ request: TransferRequest, authenticatedWith credential: Credential) -> Bool
}

extension Authenticator {
  /// Default implementation: whether the status of the response is 401.
  public func didFail(_ response: TransferResponse) -> Bool { response.status.code == 401 }
}

/// A credential, for example an access token, that an ``AuthenticationInterceptor`` sends with
/// requests and refreshes when necessary.
public protocol AuthenticationCredential: Sendable {
  /// Whether the credential must be refreshed before use, because it has expired or expires
  /// soon.
  var requiresRefresh: Bool { get }
}
