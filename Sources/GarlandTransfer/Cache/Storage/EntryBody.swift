/// The body of a stored response as it was transferred, before content decoding.
enum EntryBody: Sendable {
  /// A body in memory. Its bytes were already compared with the stored digest.
  case bytes([UInt8])
  /// A body in an open file. Its bytes have not been compared with the stored digest yet.
  case file(EntryFile)

  var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let file): Int64(file.layout.bodyLength)
    }
  }
}
