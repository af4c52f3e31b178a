/// Which requests a stored response is for: those that have the same values for some names as the one that brought it (RFC 9111, section 4.1).
///
/// The values themselves are not kept, since they may be credentials, but a digest of them with a random number.
struct Selection: Sendable, Hashable {
  /// A name beside those of fields: who asks.
  static let credentials = ":credentials"

  /// In lower case and order.
  let names: [String]
  let nonce: [UInt8]
  /// Under this key the response is stored when there are several for its URL.
  let digest: CacheKey
}

/// The responses for one URL are several, each under a key of its own: this says which names tell them apart.
struct Variants: Sendable, Hashable {
  let names: [String]
  let nonce: [UInt8]
}
