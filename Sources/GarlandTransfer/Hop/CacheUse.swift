/// What the cache has to do with a transfer.
struct CacheUse {
  /// The exchange for the current hop; nil without a cache, and before it was asked.
  var hop: CacheHop?
  /// Whether what is stored for the hop has turned out to be of no use, even where it could not be removed.
  private(set) var isDistrusted = false
  /// The stored response that is handed on instead of one of the network's.
  var replay: CacheReplay?
  /// A response that is complete and will be stored.
  var recorded: CacheHop.Recorded?

  /// What is stored is of no use: the hop is sent as if there were nothing.
  mutating func distrust() {
    isDistrusted = true
    hop = nil
    replay = nil
  }

  /// A redirect leads elsewhere, where something else may be stored.
  mutating func followRedirect() {
    hop = nil
    isDistrusted = false
  }

  /// Lets everything go.
  mutating func end() {
    hop = nil
    replay = nil
    recorded = nil
  }
}
