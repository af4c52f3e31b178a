/// The use of the response cache by a transfer: the stored response to deliver, and the new response to store.
struct CacheUse {
  /// The object that finds the stored response for the current request in the cache, and stores the new response. Nil if the transfer has
  /// no cache, or if the cache was not asked about the current request yet.
  var hop: CacheHop?
  /// Whether the stored response for the current request must not be used, for example because it is damaged. The response may still be in
  /// the cache, if it could not be removed.
  private(set) var isDistrusted = false
  /// The stored response that is delivered in place of a response from the network; nil if there is none.
  var replay: CacheReplay?
  /// A complete response that is stored in the cache before it is delivered.
  var recorded: CacheHop.Recorded?

  /// Marks the stored response as unusable. The request is then sent as if there were no stored response.
  mutating func distrust() {
    isDistrusted = true
    hop = nil
    replay = nil
  }

  /// Resets the use of the cache when a redirect is followed, since the cache may contain another response for the new URL.
  mutating func followRedirect() {
    hop = nil
    isDistrusted = false
  }

  /// Ends the use of the cache for the current request: removes the references to the stored response and to the recorded new response.
  mutating func end() {
    hop = nil
    replay = nil
    recorded = nil
  }
}
