/// Where tokens are kept between runs.
public protocol TokenCache: Sendable {
  /// What is kept under a key; nil when there is nothing.
  func tokens(for key: String) async throws(OAuthError) -> TokenSet?

  /// Lends what is kept to `body` and keeps what it returns. Nobody else, in this process or another, does the same for this key meanwhile.
  func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet

  /// Forgets what is kept under a key. Whether there was something.
  func remove(_ key: String) async throws(OAuthError) -> Bool
}
