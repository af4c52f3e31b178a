/// The credential, for example an access token, that an ``AuthenticationInterceptor`` sends with
/// requests and keeps fresh.
public protocol AuthenticationCredential: Sendable {
  /// Whether the credential must be refreshed before use, because it has expired or will expire
  /// soon.
  var requiresRefresh: Bool { get }
}
