/// What the language has and this version refuses, so that nothing a document says is ever ignored. A feature that the runner learns is taken
/// out of this table, and nothing else.
enum NotYetSupported {
  /// Keys, by the mapping they stand in.
  static let keys: [String: Set<String>] = [
    "document": ["auth"],
    "defaults": ["auth"],
    "step": [
      "listen"
    ],
  ]

  /// Values of `auth:` but `none` name an entry of the document's `auth`, which is not supported yet.
  static let namedAuth = true
}
