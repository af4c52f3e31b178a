import Synchronization

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
    let isForgotten = Flag()
    do throws(OAuthError) {
      return try await cache.update(key) { (stored: TokenSet?) async throws(OAuthError) -> TokenSet in
        // Somebody has logged out while this waited: what was forgotten is not put there again.
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

  /// Whether something has happened.
  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
  }

  /// Forgets what is kept under a key.
  public func remove(_ key: String) async throws(OAuthError) -> Bool { try await cache.remove(key) }
}
