/// What the language has and this version refuses, so that nothing a document says is ever ignored. A feature that the runner learns is taken
/// out of this table, and nothing else.
enum NotYetSupported {
  /// Keys, by the mapping they stand in.
  static let keys: [String: Set<String>] = [
    "step": [
      "listen"
    ]
  ]
}
