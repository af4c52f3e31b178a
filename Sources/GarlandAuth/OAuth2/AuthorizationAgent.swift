/// Opens the provider's login pages and returns the final redirect. A user in a browser, or a script, completes the pages.
public protocol AuthorizationAgent: Sendable {
  /// Returns the URI to which the provider redirects the user. The token manager calls this function once before each ``authorize(_:)``, so
  /// that an agent can start to listen.
  func redirectURI() async throws(OAuthError) -> String

  /// Visits ``AuthorizationRequest/url`` and returns the URL of the provider's final redirect, including its query. The final redirect is
  /// the one for which ``AuthorizationRequest/isAnswer(_:)`` is true. The agent does not request the URL of this redirect.
  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String

  /// Whether the agent shows the request's URL to the user, who then opens it. If true, the `state` in the URL is not secret and may be
  /// printed. Defaults to false.
  var showsRequest: Bool { get }
}

extension AuthorizationAgent {
  /// Default implementation: false, since most agents do not show the URL of the authorization request to the user.
  public var showsRequest: Bool { false }
}
