/// The cache's part in a transfer.
struct CacheUse {
  /// The exchange of the current hop; nil without a cache, and before the cache was asked.
  var hop: CacheHop?
  /// Whether the stored response for the hop is useless, even if it could not be removed.
  private(set) var isDistrusted = false
  /// The stored response that is delivered instead of one from the network.
  var replay: CacheReplay?
  /// A complete response that will be stored.
  var recorded: CacheHop.Recorded?

  /// Marks the stored response as useless: the hop is sent as if there were none.
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

  /// Releases everything.
  mutating func end() {
    hop = nil
    replay = nil
    recorded = nil
  }
}
