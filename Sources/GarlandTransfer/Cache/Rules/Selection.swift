/// The requests that a stored response matches: requests whose values of certain header fields are the same as in the original
/// request (RFC 9111, section 4.1).
///
/// The values may be credentials, so they are not stored: only a digest of the values and a random number is
/// stored.
struct Selection: Sendable, Hashable {
  /// A name in ``names`` that is not a header field: it represents the credentials of the request.
  static let credentials = ":credentials"

  /// The names of the header fields whose values are compared, in lower case and sorted.
  let names: [String]
  let nonce: [UInt8]
  /// The digest of the request's values for ``names``. It is the key of the response if there are several
  /// responses for its URL.
  let digest: CacheKey
}

/// The names of the fields whose values distinguish several responses for one URL. Each response has its own
/// key.
struct Variants: Sendable, Hashable {
  let names: [String]
  let nonce: [UInt8]
}
