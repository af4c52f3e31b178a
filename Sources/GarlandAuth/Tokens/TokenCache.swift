/// Stores tokens between runs.
public protocol TokenCache: Sendable {
  /// Returns the tokens for a key; nil if there are none.
  func tokens(for key: String) async throws(OAuthError) -> TokenSet?

  /// Passes the tokens to `body` and stores its result. No other task or process updates the tokens for this
  /// key meanwhile.
  func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet

  /// Removes the tokens for a key. Returns whether there were any.
  func remove(_ key: String) async throws(OAuthError) -> Bool
}
