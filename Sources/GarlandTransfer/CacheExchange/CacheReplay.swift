import GarlandCrypto

/// Delivers a stored response piece by piece.
///
/// Used on the engine's thread only.
///
/// A body in a file is read completely and compared with its digest before the first byte is delivered.
final class CacheReplay {
  /// The status and header of the response that is delivered.
  let head: StoredHead
  let source: TransactionMetrics.Source
  private let body: EntryBody
  /// Whether the response comes from the closure that replaces the network (``TransferRequest/responder``). Such a response is handled like
  /// a server's response.
  let isFromResponder: Bool
  private var hasher: DigestHasher?
  private var checked = 0
  private var position = 0
  private(set) var isChecked: Bool
  var hasHead = false

  /// The number of bytes of the body that are read in one call.
  private static let pieceSize = 64 << 10

  init(_ head: StoredHead, _ body: EntryBody, source: TransactionMetrics.Source, isFromResponder: Bool = false) {
    self.head = head
    self.body = body
    self.source = source
    self.isFromResponder = isFromResponder
    if case .bytes = body { isChecked = true } else { isChecked = false }
  }

  /// The size of the body in bytes.
  var length: Int64 { body.length }

  /// Reads the next part of the body and, after the last part, compares the digest of the body with the stored digest. Returns false if the
  /// body is damaged.
  func check() -> Bool {
    guard case .file(let file) = body else { return true }
    do {
      let hasher = try self.hasher ?? DigestHasher(.sha256)
      self.hasher = hasher
      // Eight pieces take about a millisecond, during which other transfers wait.
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

  /// Passes the next piece of the cached body to `take`, and returns the result of `take`. At the end of the body, returns nil without
  /// calling `take`. Throws if the cache file can no longer be read.
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
