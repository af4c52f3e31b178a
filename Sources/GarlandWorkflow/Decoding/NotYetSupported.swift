/// What the language has and this version refuses, so that nothing a document says is ever ignored. A feature that the runner learns is taken
/// out of this table, and nothing else.
enum NotYetSupported {
  /// Keys, by the mapping they stand in.
  static let keys: [String: Set<String>] = [
    "document": ["auth", "reachability"],
    "defaults": [
      "auth", "wait_for_connectivity",
    ],
    "step": [
      "reach", "listen", "within", "wait_for_connectivity",
    ],
  ]

  /// Values of `auth:` but `none` name an entry of the document's `auth`, which is not supported yet.
  static let namedAuth = true
}
