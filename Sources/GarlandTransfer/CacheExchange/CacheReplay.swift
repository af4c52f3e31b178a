import GarlandCrypto

/// A stored response on its way to whoever asked, piece by piece. Used on the engine's thread only.
///
/// A body in a file is read to its end and compared with its digest before the first byte is handed on.
final class CacheReplay {
  /// The response as it is answered with.
  let head: StoredHead
  let source: TransactionMetrics.Source
  private let body: EntryBody
  private var hasher: DigestHasher?
  private var checked = 0
  private var position = 0
  private(set) var isChecked: Bool
  var hasHead = false

  /// How much is read at once.
  private static let pieceSize = 64 << 10

  init(_ head: StoredHead, _ body: EntryBody, source: TransactionMetrics.Source) {
    self.head = head
    self.body = body
    self.source = source
    if case .bytes = body { isChecked = true } else { isChecked = false }
  }

  /// Reads on and compares; false if the body is not what was stored.
  func check() -> Bool {
    guard case .file(let file) = body else { return true }
    do {
      let hasher = try self.hasher ?? DigestHasher(.sha256)
      self.hasher = hasher
      // As much as takes about a millisecond: other transfers wait meanwhile.
      for _ in 0..<8 where checked < file.layout.bodyLength {
        let piece = try file.read(at: checked, count: Self.pieceSize)
        try hasher.update(piece)
        checked += piece.count
      }
      guard checked == file.layout.bodyLength else { return true }
      isChecked = true
      return try hasher.finish().bytes == file.layout.bodyDigest
    } catch {
      return false
    }
  }

  /// Hands the next piece on; nil at the end. Throws if it can't be read any more.
  func next(_ take: (UnsafeRawBufferPointer) -> Bool) throws(EntryFile.Absence) -> Bool? {
    switch body {
    case .bytes(let bytes):
      guard position < bytes.count else { return nil }
      let end = min(bytes.count, position + Self.pieceSize)
      defer { position = end }
      return bytes.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[position..<end])) }
    case .file(let file):
      guard position < file.layout.bodyLength else { return nil }
      let piece = try file.read(at: position, count: Self.pieceSize)
      position += piece.count
      return piece.withUnsafeBytes { take($0) }
    }
  }
}
