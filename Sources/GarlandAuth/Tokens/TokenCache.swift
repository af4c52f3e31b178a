/// Stores tokens between runs.
public protocol TokenCache: Sendable {
  /// Returns the tokens for a key; nil if the cache has no tokens for the key.
  func tokens(for key: String) async throws(OAuthError) -> TokenSet?

  /// Passes the stored tokens to `body` and stores the tokens that `body` returns. No other task or process updates the tokens
  /// for this key meanwhile.
  func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet

  /// Removes the tokens for a key. Returns whether the cache contained tokens for the key.
  func remove(_ key: String) async throws(OAuthError) -> Bool
}
