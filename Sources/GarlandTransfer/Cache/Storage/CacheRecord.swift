/// The content of a cache entry, except the body of the response.
enum CacheRecord: Sendable, Hashable {
  /// The head of a response, whose body is stored together with this record.
  case response(StoredHead)
  /// The names of the header fields that select one of several responses for a URL. Stored under the key of the URL.
  case variants(Variants)
}
