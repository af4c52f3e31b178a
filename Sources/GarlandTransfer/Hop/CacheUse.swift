/// The state of a transfer with regard to the cache.
struct CacheUse {
  /// The connection between the current request and the cache; nil without a cache, and before the cache was consulted.
  var hop: CacheHop?
  /// Whether the stored response for the current request must not be used. Such a response is still in the cache if it could not
  /// be removed.
  private(set) var isDistrusted = false
  /// The stored response that is delivered in place of a response from the network; nil if there is none.
  var replay: CacheReplay?
  /// A complete response that will be stored.
  var recorded: CacheHop.Recorded?

  /// Marks the stored response as unusable. The request is then sent as if there were no stored response.
  mutating func distrust() {
    isDistrusted = true
    hop = nil
    replay = nil
  }

  /// Resets the state for a redirect, which may have another stored response.
  mutating func followRedirect() {
    hop = nil
    isDistrusted = false
  }

  /// Releases all resources.
  mutating func end() {
    hop = nil
    replay = nil
    recorded = nil
  }
}
