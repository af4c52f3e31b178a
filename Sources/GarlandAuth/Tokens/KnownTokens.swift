/// A cache that keeps up to date what somebody has put there, and adds nothing by itself: what `garland auth login` has fetched is refreshed by every
/// run, and nothing else of a run is left on the disk.
public struct KnownTokens: TokenCache {
  private let cache: any TokenCache

  /// On top of a cache.
  public init(_ cache: any TokenCache) { self.cache = cache }

  /// What is kept under a key.
  public func tokens(for key: String) async throws(OAuthError) -> TokenSet? { try await cache.tokens(for: key) }

  /// Only for a key that is there already.
  public func update(
    _ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet
  ) async throws(OAuthError) -> TokenSet {
    guard try await cache.tokens(for: key) != nil else { return try await body(nil) }
    return try await cache.update(key, body)
  }

  /// Forgets what is kept under a key.
  public func remove(_ key: String) async throws(OAuthError) -> Bool { try await cache.remove(key) }
}
