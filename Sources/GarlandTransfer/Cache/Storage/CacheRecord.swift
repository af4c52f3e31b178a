/// What stands under a key.
enum CacheRecord: Sendable, Hashable {
  /// A response; its body is beside it.
  case response(StoredHead)
  /// That there are several, and how to find one.
  case variants(Variants)
}
