/// The keys of `expect.error`, if its value is a mapping.
enum ErrorKey: String, DocumentKey {
  case kind, message
  static let table = KeyTable<ErrorKey>("`error`")

  var info: KeyInfo {
    let names = ErrorName.allCases.map(\.rawValue)
    return switch self {
    case .kind:
      KeyInfo(.either([.choice(names), .list(.choice(names))]), "The kind of error, or a list of kinds. Default: any.", "timeout")
    case .message: KeyInfo(.check, "The message of the failure.", "{ contains: expired }")
    }
  }
}

/// The keys of `expect.snapshot`, if its value is a mapping.
enum SnapshotKey: String, DocumentKey {
  case file, ignore
  static let table = KeyTable<SnapshotKey>("`snapshot`")

  var info: KeyInfo {
    switch self {
    case .file:
      KeyInfo(
        .path, "The file with the expected body, relative to the document; `--update-snapshots` writes it.", "snapshots/books.json")
    case .ignore:
      KeyInfo(
        .either([.name, .list(.name)]), "JSONPaths whose values may change; the values must exist.",
        "[$.id, '$.items[*].created']")
    }
  }
}

/// The keys of `schema`, if its value is not a schema but a mapping that names the file of a schema.
enum SchemaKey: String, DocumentKey {
  case file, schema, formats, references
  static let table = KeyTable<SchemaKey>("`schema`")

  var info: KeyInfo {
    switch self {
    case .file: KeyInfo(.path, "A file with the schema, relative to the document.", "book.schema.json")
    case .schema: KeyInfo(.either([.mapping(.anything), .flag]), "The schema, written out.", "{ type: object }")
    case .formats: KeyInfo(.flag, "Whether `format` is checked. Default: false, as 2020-12 has it.", "true")
    case .references:
      KeyInfo(
        .mapping(.path),
        "Folders or files for the beginnings of the URIs of references; nothing is downloaded. Other files can be named by their paths.",
        "{ 'https://example.com/schemas/': schemas }")
    }
  }
}
