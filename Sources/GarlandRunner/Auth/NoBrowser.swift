import GarlandAuth

/// Nobody is there to walk the provider's pages.
struct NoBrowser: AuthorizationAgent {
  let name: String

  func redirectURI() async throws(OAuthError) -> String { throw problem }

  func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String { throw problem }

  private var problem: OAuthError {
    .authorization(
      "somebody has to log in for `\(name)`, and nobody can here: do it before with `garland auth login \(name)`, "
        + "or let steps do it with `authorize: { steps: {…} }`")
  }
}
