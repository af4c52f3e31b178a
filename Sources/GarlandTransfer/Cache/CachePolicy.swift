/// The rule by which a request uses a ``ResponseCache``.
///
/// ```swift
/// session.request(url).cachePolicy(.reload)
/// ```
/// The comment of each case names the corresponding policy of Foundation. Under every policy, a response is stored only if RFC 9111 allows a
/// private cache to store it.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// Follows the protocol: uses a fresh response, and validates a stale response with its server first
  /// (`useProtocolCachePolicy`). The default.
  case useProtocol
  /// Always sends the request to the server. The response replaces the stored response (`reloadIgnoringLocalCacheData`).
  case reload
  /// Uses a stored response of any age; loads the response if none is stored
  /// (`returnCacheDataElseLoad`).
  case returnCacheElseLoad
  /// Uses a stored response of any age; fails with ``NetworkingError/Reason/notCached`` if none is
  /// stored. Never sends anything (`returnCacheDataDontLoad`).
  case returnCacheOnly
}
