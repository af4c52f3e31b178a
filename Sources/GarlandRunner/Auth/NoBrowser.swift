import GarlandAuth

/// An authorization agent that can't open a browser: every login on the pages of an OAuth provider fails.
struct NoBrowser: AuthorizationAgent {
  let name: String

  func redirectURI() async throws(OAuthError) -> String { throw problem }

  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String { throw problem }

  private var problem: OAuthError {
    .authorization(
      "no browser is available here to log in for the `auth` entry `\(name)`: run `garland auth login \(name)` first, "
        + "or write steps that log in, `authorize: { steps: {…} }`")
  }
}
