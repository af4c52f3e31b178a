import Synchronization

/// Keeps tokens in memory, in addition to another cache. The other cache takes precedence: if it contains tokens for a key, the tokens in
/// memory for this key are not used.
package final class MemoryTokenCache: TokenCache {
  private let other: (any TokenCache)?
  private let tokens: Mutex<[String: TokenSet]>

  package init(_ tokens: [String: TokenSet], over other: (any TokenCache)?) {
    self.tokens = Mutex(tokens)
    self.other = other
  }

  /// All tokens in memory, by their keys.
  package var all: [String: TokenSet] { tokens.withLock { $0 } }

  package func tokens(for key: String) async throws(OAuthError) -> TokenSet? {
    if let known = try await other?.tokens(for: key) { return known }
    return tokens.withLock { $0[key] }
  }

  package func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet {
    if let other, try await other.tokens(for: key) != nil { return try await other.update(key, body) }
    let new = try await body(tokens.withLock { $0[key] })
    tokens.withLock { $0[key] = new }
    return new
  }

  package func remove(_ key: String) async throws(OAuthError) -> Bool {
    let removed = tokens.withLock { $0.removeValue(forKey: key) } != nil
    return try await other?.remove(key) ?? false || removed
  }
}
