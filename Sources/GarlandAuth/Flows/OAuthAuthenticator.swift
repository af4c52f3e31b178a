import Synchronization

/// Renews tokens. Uses the cached tokens if another process has already renewed them. Otherwise uses the refresh token or, without a
/// refresh token, the configured grant.
final class OAuthAuthenticator: Sendable {
  private let flow: TokenFlow
  private let cache: (any TokenCache)?
  private let key: String
  /// The error with which the provider has finally refused to issue tokens; a repeated request would be refused too. Nil if there is no
  /// such error. If it is set, no further token request is sent.
  private let verdict = Mutex<OAuthError?>(nil)

  init(_ flow: TokenFlow, cache: (any TokenCache)?) {
    self.flow = flow
    self.cache = cache
    key = flow.configuration.identity
  }

  /// Whether the given tokens have expired or expire soon; the configuration's `expirySkew` decides how soon.
  func isStale(_ tokens: TokenSet) -> Bool { tokens.isStale(at: flow.environment.now(), skew: flow.configuration.expirySkew) }

  func refresh(_ old: TokenSet?) async throws(OAuthError) -> TokenSet {
    guard let cache else { return try await renew(old) }
    let environment = flow.environment
    return try await cache.update(key) { (stored: TokenSet?) async throws(OAuthError) -> TokenSet in
      guard let stored else { return try await self.renew(old) }
      for secret in [stored.accessToken, stored.refreshToken, stored.idToken] { secret.map(environment.registerSecret) }
      // Another process or task has already renewed the tokens: use its tokens.
      if stored.accessToken != old?.accessToken, !self.isStale(stored) { return stored }
      return try await self.renew(stored)
    }
  }

  /// Revokes tokens at the provider. Returns whether a request was sent to the provider.
  func revoke(_ tokens: TokenSet) async throws(OAuthError) -> Bool { try await flow.revoke(tokens) }

  private func renew(_ old: TokenSet?) async throws(OAuthError) -> TokenSet {
    if let error = verdict.withLock({ $0 }) { throw error }
    if let old, old.refreshToken != nil {
      do throws(OAuthError) {
        return try await flow.refresh(old)
      } catch {
        // The provider does not accept the refresh token: it was revoked, has expired or was used elsewhere. Use the grant, once.
        guard case .refused(let refusal, _) = error, refusal.code == "invalid_grant" else {
          if error.isFinal { verdict.withLock { $0 = error } }
          throw error
        }
        if case .refreshToken(let given) = flow.configuration.grant, given == old.refreshToken {
          verdict.withLock { $0 = error }
          throw error
        }
      }
    }
    do throws(OAuthError) {
      return try await flow.fetch()
    } catch {
      if error.isFinal { verdict.withLock { $0 = error } }
      throw error
    }
  }
}
