/// How a request uses a ``ResponseCache``.
///
/// ```swift
/// session.request(url).cachePolicy(.reload)
/// ```
/// The names of Foundation's policies are in brackets. Whatever the policy, only what RFC 9111 lets a private cache keep is kept.
public enum CachePolicy: String, Sendable, Hashable, CaseIterable {
  /// As the protocol says: a response that is fresh is used, one that is stale is first validated with its server (`useProtocolCachePolicy`). The default.
  case useProtocol
  /// From the server, whatever is stored. The response replaces what is stored (`reloadIgnoringLocalCacheData`).
  case reload
  /// What is stored, however old it is; what is not is loaded (`returnCacheDataElseLoad`).
  case returnCacheElseLoad
  /// What is stored, however old it is; what is not fails with ``NetworkingError/Reason/notCached``, and nothing is ever sent
  /// (`returnCacheDataDontLoad`).
  case returnCacheOnly
}
