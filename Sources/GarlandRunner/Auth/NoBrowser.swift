import GarlandAuth

/// An authorization agent without a browser: every login on the provider's pages fails.
struct NoBrowser: AuthorizationAgent {
  let name: String

  func redirectURI() async throws(OAuthError) -> String { throw problem }

  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String { throw problem }

  private var problem: OAuthError {
    .authorization(
      "no user can log in for `\(name)` here: log in before with `garland auth login \(name)`, "
        + "or let steps do it with `authorize: { steps: {…} }`")
  }
}
