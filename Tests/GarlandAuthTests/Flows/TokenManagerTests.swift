import GarlandAuth
import GarlandJSON
import GarlandNetworking
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct TokenManagerTests {
  static let password = OAuthGrant.password(user: "alice", password: "wonderland")

  @Test func `a hundred concurrent requests cause only one token request`() async throws {
    try await withProvider { provider in
      try await provider.control("delay=0.05&expires_in=60")
      let manager = provider.manager(provider.configuration(Self.password))
      func hundred() async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<100 {
            group.addTask { await provider.session.request("\(provider.url)/oauth/protected", interceptor: manager).response().status ?? 0 }
          }
          return try await group.reduce(0) { $0 + ($1 == 200 ? 1 : 0) }
        }
      }
      #expect(try await hundred() == 100)
      #expect(try await provider.count("token") == 1)
      try await provider.advance(61)
      #expect(try await hundred() == 100)
      #expect(try await provider.count("token") == 2)
      #expect(try await provider.count("token refresh_token") == 1)
    }
  }

  @Test func `a token is refreshed before it expires`() async throws {
    try await withProvider { provider in
      // The lifetime is so long that the duration of the test does not matter.
      try await provider.control("expires_in=100000")
      var configuration = provider.configuration(Self.password)
      configuration.expirySkew = 6000
      let manager = provider.manager(configuration)
      let first = try await manager.token()
      try await provider.advance(90_000)
      #expect(try await manager.token() == first)
      #expect(manager.freshTokens == first)
      try await provider.advance(5000)
      #expect(manager.freshTokens == nil, "6,000 s before its end")
      let second = try await manager.token()
      #expect(second.accessToken != first.accessToken)
      #expect(second.refreshToken != first.refreshToken, "rotated")
      try await provider.advance(100_000)
      #expect(try await manager.token().accessToken != second.accessToken)
      #expect(try await provider.count("token refresh_token") == 2)
      #expect(try await provider.count("token password") == 1)
    }
  }

  @Test func `when a token refresh returns no new refresh token, the old refresh token is kept`() async throws {
    try await withProvider { provider in
      try await provider.control("rotate=0&expires_in=10")
      let manager = provider.manager(provider.configuration(Self.password))
      let first = try await manager.token()
      for _ in 0..<3 {
        try await provider.advance(11)
        #expect(try await manager.token().refreshToken == first.refreshToken)
      }
      #expect(try await provider.count("token password") == 1)
    }
  }

  @Test func `if the server refuses many concurrent requests because of the same token, the token is refreshed only once`() async throws {
    try await withProvider { provider in
      let manager = provider.manager(provider.configuration(Self.password))
      let first = try await manager.token()
      try await provider.control("revoke=access")
      let statuses = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<20 {
          group.addTask { await provider.session.request("\(provider.url)/oauth/protected", interceptor: manager).response().status ?? 0 }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 200, count: 20))
      #expect(try await provider.count("token refresh_token") == 1)
      #expect(try await manager.token(insteadOf: first).accessToken == (try await manager.token().accessToken), "somebody was there before")
      #expect(try await provider.count("token refresh_token") == 1)
    }
  }

  @Test func `if the server also refuses a request with the refreshed token, the request is not sent a third time`() async throws {
    try await withProvider { provider in
      let manager = provider.manager(provider.configuration(Self.password))
      let response = await provider.session.request("\(provider.url)/bearer/other", interceptor: manager).response()
      #expect(response.status == 401)
      #expect(response.retryCount == 1)
      let count = try await provider.count("token")
      #expect(count == 2)
    }
  }

  @Test func `if the refresh token is revoked, the token is requested again with the original grant`() async throws {
    try await withProvider { provider in
      try await provider.control("expires_in=10")
      let manager = provider.manager(provider.configuration(Self.password))
      let first = try await manager.token()
      try await provider.control("revoke=all")
      try await provider.advance(11)
      let second = try await manager.token()
      #expect(first.accessToken != second.accessToken)
      #expect(try await provider.count("token password") == 2)
      #expect(try await provider.count("token refresh_token") == 1)
    }
  }

  @Test func `if a configured refresh token was already used, the token request fails with the OAuth error 'invalid_grant'`() async throws {
    try await withProvider { provider in
      let first = try await provider.manager(provider.configuration(Self.password)).token()
      let manager = provider.manager(provider.configuration(.refreshToken(try #require(first.refreshToken))))
      #expect(try await manager.token().accessToken != first.accessToken)
      let used = provider.manager(provider.configuration(.refreshToken(try #require(first.refreshToken))))
      await #expect { try await used.token() } throws: { "\($0)".contains("invalid_grant") }
    }
  }

  @Test func `if two tasks wait for the same token, cancelling one of them does not stop the token request`() async throws {
    try await withProvider { provider in
      try await provider.control("delay=0.2")
      let manager = provider.manager(provider.configuration(Self.password))
      let impatient = Task { try await manager.token() }
      let patient = Task { try await manager.token() }
      impatient.cancel()
      #expect(try await patient.value.accessToken.isEmpty == false)
      #expect(try await provider.count("token") == 1)
    }
  }

  // MARK: Between processes

  @Test func `if several processes share a token cache, only one of them requests or refreshes the token`()
    async throws
  {
    try await withProvider { provider in
      try await provider.control("expires_in=60&delay=0.05")
      let folder = try TemporaryFolder()
      let cache = FileTokenCache(directory: "\(folder.path)/tokens")
      let configuration = provider.configuration(Self.password)
      let managers = (0..<6).map { _ in provider.manager(configuration, cache: FileTokenCache(directory: "\(folder.path)/tokens")) }
      func all() async throws -> Set<String> {
        try await withThrowingTaskGroup(of: String.self) { group in
          for manager in managers { group.addTask { try await manager.token().accessToken } }
          return try await group.reduce(into: []) { $0.insert($1) }
        }
      }
      #expect(try await all().count == 1)
      #expect(try await provider.count("token") == 1)
      try await provider.advance(61)
      #expect(try await all().count == 1)
      #expect(try await provider.count("token refresh_token") == 1)
      #expect(try await provider.count("token") == 2)

      // Another user has other tokens.
      let bob = provider.manager(provider.configuration(.password(user: "bob", password: "builder")), cache: cache)
      _ = try await bob.token()
      #expect(try await provider.count("token password") == 2)
      #expect(try await cache.remove(configuration.identity))
      #expect(try await !cache.remove(configuration.identity))
      #expect(try await cache.tokens(for: configuration.identity) == nil)
      #expect(try await cache.tokens(for: bob.configuration.identity) == bob.tokens)
    }
  }
}
