/// A credential, for example an access token, that an ``AuthenticationInterceptor`` sends with
/// requests and refreshes when necessary.
public protocol AuthenticationCredential: Sendable {
  /// Whether the credential must be refreshed before use, because it has expired or expires
  /// soon.
  var requiresRefresh: Bool { get }
}
