import GarlandAuth
import TestSupport
import Testing

/// Tests that a run does not cache tokens that were not cached before.
@Suite(.timeLimit(.minutes(15))) struct KnownTokensTests {
  private static func tokens(_ text: String) -> TokenSet { TokenSet(accessToken: text, obtainedAt: 0) }

  @Test func `a run stores new tokens in the token cache only if an earlier login stored tokens there`() async throws {
    let folder = try TemporaryFolder()
    let files = FileTokenCache(directory: folder.path + "/tokens")
    let known = KnownTokens(files)
    let first = try await known.update("a") { found in
      #expect(found == nil)
      return Self.tokens("1")
    }
    #expect(first.accessToken == "1")
    #expect(try await files.tokens(for: "a") == nil, "nobody has logged in")
    _ = try await files.update("a") { _ in Self.tokens("2") }
    _ = try await known.update("a") { found in
      #expect(found?.accessToken == "2")
      return Self.tokens("3")
    }
    #expect(try await files.tokens(for: "a")?.accessToken == "3")
  }

  /// The tokens are removed by a logout between reading the cache and locking it.
  @Test func `if a logout removes the stored tokens while a run fetches new tokens, the new tokens are not stored`() async throws {
    let folder = try TemporaryFolder()
    let files = FileTokenCache(directory: folder.path + "/tokens")
    _ = try await files.update("a") { _ in Self.tokens("1") }
    let known = KnownTokens(ForgetfulCache(cache: files))
    let found = try await known.update("a") { found in
      #expect(found == nil)
      return Self.tokens("2")
    }
    #expect(found.accessToken == "2", "the run goes on with its own")
    #expect(try await files.tokens(for: "a") == nil)
  }

  @Test func `if fetching new tokens fails, the error is thrown and the stored tokens are kept`() async throws {
    let folder = try TemporaryFolder()
    let files = FileTokenCache(directory: folder.path + "/tokens")
    _ = try await files.update("a") { _ in Self.tokens("1") }
    await #expect(throws: OAuthError.cancelled) {
      try await KnownTokens(files).update("a") { (_: TokenSet?) async throws(OAuthError) -> TokenSet in throw .cancelled }
    }
    #expect(try await files.tokens(for: "a")?.accessToken == "1")
  }
}

/// A cache that is emptied after the first read.
private struct ForgetfulCache: TokenCache {
  let cache: FileTokenCache

  func tokens(for key: String) async throws(OAuthError) -> TokenSet? {
    let found = try await cache.tokens(for: key)
    _ = try await cache.remove(key)
    return found
  }

  func update(_ key: String, _ body: @Sendable (TokenSet?) async throws(OAuthError) -> TokenSet) async throws(OAuthError) -> TokenSet {
    try await cache.update(key, body)
  }

  func remove(_ key: String) async throws(OAuthError) -> Bool { try await cache.remove(key) }
}
