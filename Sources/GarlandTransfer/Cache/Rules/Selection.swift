/// The requests that a stored response matches: those with the same values for some names as the
/// original request (RFC 9111, section 4.1).
///
/// The values, which may be credentials, are not stored; only a digest of them with a random number
/// is.
struct Selection: Sendable, Hashable {
  /// A name that is no field: the identity of the requester.
  static let credentials = ":credentials"

  /// The names in lower case and sorted.
  let names: [String]
  let nonce: [UInt8]
  /// The key of the response if there are several for its URL.
  let digest: CacheKey
}

/// The names that distinguish several responses for one URL, each of which has its own key.
struct Variants: Sendable, Hashable {
  let names: [String]
  let nonce: [UInt8]
}
