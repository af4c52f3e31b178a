/// What an ``AuthenticationInterceptor`` sends with requests and keeps fresh: an access token, for example.
public protocol AuthenticationCredential: Sendable {
  /// Whether it has to be refreshed before it is used: because it has expired, or will soon.
  var requiresRefresh: Bool { get }
}
