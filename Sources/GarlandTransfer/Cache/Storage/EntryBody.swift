/// The body of a stored response, as it came over the wire.
enum EntryBody: Sendable {
  /// In memory, and checked.
  case bytes([UInt8])
  /// In a file that is open, and yet to be checked.
  case file(EntryFile)

  var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let file): Int64(file.layout.bodyLength)
    }
  }
}
