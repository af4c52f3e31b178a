/// Who takes a user through the provider's pages: a browser with a person before it, or a script.
public protocol AuthorizationAgent: Sendable {
  /// Where the provider is to send the user afterwards. Asked once before each ``authorize(_:)``, so that an agent that listens can begin to.
  func redirectURI() async throws(OAuthError) -> String

  /// Visits ``AuthorizationRequest/url``, and returns the URL that the provider redirected to in the end, query included: the one of which
  /// ``AuthorizationRequest/isAnswer(_:)`` is true. It is not requested.
  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String

  /// Whether somebody is shown the request's URL, to open it. Its `state` is then no secret: it can be printed. By default it is not.
  var showsRequest: Bool { get }
}

extension AuthorizationAgent {
  /// Nobody is.
  public var showsRequest: Bool { false }
}
