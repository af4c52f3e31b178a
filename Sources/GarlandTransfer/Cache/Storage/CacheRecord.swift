/// The content of an entry.
enum CacheRecord: Sendable, Hashable {
  /// The head of a response, whose body is stored together with this record.
  case response(StoredHead)
  /// The list of several responses for one URL, and the fields that select one of the responses.
  case variants(Variants)
}
