/// The body of a response that the cache is about to store.
enum NewBody {
  case bytes([UInt8], digest: [UInt8])
  /// A body that was already written to a temporary file.
  case temporary(TemporaryEntry, length: Int, digest: [UInt8])
  /// The body of an existing entry.
  case file(EntryFile)

  static var none: NewBody { .bytes([], digest: emptyDigest) }

  /// The SHA-256 digest of an empty body.
  private static let emptyDigest: [UInt8] = [
    0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
    0x93,
    0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
  ]

  var length: Int {
    switch self {
    case .bytes(let bytes, _): bytes.count
    case .temporary(_, let length, _): length
    case .file(let file): file.layout.bodyLength
    }
  }
}
