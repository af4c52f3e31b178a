/// Entries of `auth` for the sandbox's provider, each a mapping in one line of YAML.
public enum SandboxLogin {
  /// A user whose steps walk the provider's pages.
  ///
  /// - Parameters:
  ///   - user: may be an expression, and so may the password.
  ///   - base: the provider's URL, as an expression.
  ///   - scope: the scopes of the token.
  ///   - steps: other steps, as the text within `steps: {…}`.
  public static func walking(
    user: String = "alice", password: String = "wonderland", base: String = "${vars.base}", scope: String = "openid read",
    steps: String? = nil
  ) -> String {
    let pages = """
      page: { get: "${env.GARLAND_AUTHORIZE_URL}" }, \
      login: { submit: { from: page, fields: { username: "\(user)", password: "\(password)" } } }, \
      consent: { submit: { from: login, button: Allow } }
      """
    return """
      { oauth2: { grant: authorization_code, issuer: "\(base)", client_id: smoke, redirect_uri: "http://127.0.0.1:4711/callback", \
      scope: \(scope), authorize: { steps: { \(steps ?? pages) } } } }
      """
  }

  /// Somebody who gives the client a password.
  public static func password(user: String = "alice", password: String = "wonderland") -> String {
    "{ oauth2: { grant: password, token_url: /oauth/token, client_id: smoke, username: \"\(user)\", password: \"\(password)\" } }"
  }
}
