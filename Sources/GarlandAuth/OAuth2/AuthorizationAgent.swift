/// Guides a user through the provider's pages: a person with a browser, or a script.
public protocol AuthorizationAgent: Sendable {
  /// Returns the URI to which the provider redirects the user. This function is called once before each ``authorize(_:)``, so that an agent
  /// can start to listen.
  func redirectURI() async throws(OAuthError) -> String

  /// Visits ``AuthorizationRequest/url`` and returns the URL of the provider's final redirect, including its
  /// query. The final redirect is the one for which ``AuthorizationRequest/isAnswer(_:)`` is true; the agent
  /// does not request its URL.
  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String

  /// Whether a person sees the request's URL in order to open it. In this case, the URL's `state` is not secret and may be printed.
  /// Defaults to false.
  var showsRequest: Bool { get }
}

extension AuthorizationAgent {
  /// Default implementation: false, since no person sees the request's URL.
  public var showsRequest: Bool { false }
}
