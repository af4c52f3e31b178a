/// The body of a stored response as it was transferred.
enum EntryBody: Sendable {
  /// A checked body in memory.
  case bytes([UInt8])
  /// A body in an open file, still to be checked.
  case file(EntryFile)

  var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let file): Int64(file.layout.bodyLength)
    }
  }
}
