/// The content of an entry.
enum CacheRecord: Sendable, Hashable {
  /// A response; its body is stored beside it.
  case response(StoredHead)
  /// The list of several responses and how to find one.
  case variants(Variants)
}
