import GarlandNetworking

/// Tokens as an ``AuthenticationInterceptor`` keeps them; none at first.
struct OAuthCredential: AuthenticationCredential {
  let tokens: TokenSet?
  let skew: Double
  let now: @Sendable () -> Double

  var requiresRefresh: Bool {
    guard let tokens else { return true }
    return tokens.isStale(at: now(), skew: skew)
  }
}
