import Synchronization

/// A cache that updates existing tokens but never adds new tokens. With this cache, each run refreshes the tokens that `garland auth login`
/// has fetched, and stores no other tokens on the disk.
public struct KnownTokens: TokenCache {
  private let cache: any TokenCache

  /// Creates a token cache that uses the given cache to store its tokens.
  public init(_ cache: any TokenCache) { self.cache = cache }

  /// Returns the tokens for a key; nil if the cache has no tokens for the key.
  public func tokens(for key: String) async throws(OAuthError) -> TokenSet? { try await cache.tokens(for: key) }

  /// Replaces the cached tokens of a key with new tokens, and returns the new tokens. If the cache has no tokens for this key, nothing is
  /// stored.
  ///
  /// - Parameters:
  ///   - key: the key under which the tokens are cached.
  ///   - body: receives the cached tokens, or nil if there are none, and returns the new tokens.
  public func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet {
    guard try await cache.tokens(for: key) != nil else { return try await body(nil) }
    let isForgotten = Flag()
    do throws(OAuthError) {
      return try await cache.update(key) { (stored: TokenSet?) async throws(OAuthError) -> TokenSet in
        // A logout happened while this process waited: the removed tokens are not stored again.
        guard let stored else {
          isForgotten.raise()
          throw .cancelled
        }
        return try await body(stored)
      }
    } catch {
      guard isForgotten.isRaised else { throw error }
      return try await body(nil)
    }
  }

  /// A flag that any thread can set. It records that a logout removed the tokens while an update of the tokens waited for the cache.
  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
  }

  /// Removes the tokens for a key. Returns whether the cache contained tokens for the key.
  public func remove(_ key: String) async throws(OAuthError) -> Bool { try await cache.remove(key) }
}

/// Stores tokens between runs. Each set of tokens has a key, which is the identity of its configuration; see
/// ``OAuthConfiguration/identity``.
public protocol TokenCache: Sendable {
  /// Returns the tokens for a key; nil if the cache has no tokens for the key.
  func tokens(for key: String) async throws(OAuthError) -> TokenSet?

  /// Passes the stored tokens of a key to `body` and stores the tokens that `body` returns. Until these tokens are stored, no other task or
  /// process updates the tokens of the key.
  func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet

  /// Removes the tokens for a key. Returns whether the cache contained tokens for the key.
  func remove(_ key: String) async throws(OAuthError) -> Bool
}
