/// The keys of `expect.error` as a mapping.
enum ErrorKey: String, DocumentKey {
  case kind, message
  static let table = KeyTable<ErrorKey>("`error`", feature: "error")

  var info: KeyInfo {
    let names = ErrorName.allCases.map(\.rawValue)
    return switch self {
    case .kind:
      KeyInfo(.either([.oneOf(names), .list(.oneOf(names))]), "How the request fails, or a list of ways. Default: any.", "timeout")
    case .message: KeyInfo(.anything, "The words of the failure.", "{ contains: expired }")
    }
  }
}

/// The keys of `expect.snapshot` as a mapping.
enum SnapshotKey: String, DocumentKey {
  case file, ignore
  static let table = KeyTable<SnapshotKey>("`snapshot`", feature: "snapshot")

  var info: KeyInfo {
    switch self {
    case .file:
      KeyInfo(
        .path, "The file with the body as it should be, relative to the document; `--update-snapshots` writes it.", "snapshots/books.json")
    case .ignore:
      KeyInfo(
        .either([.name, .list(.name)]), "JSONPaths whose values may be others each time; they still have to be there.",
        "[$.id, '$.items[*].created']")
    }
  }
}
