import GarlandCrypto

/// Records a body as it arrives: a small body in memory, a larger body in a file. Used on the engine's thread only.
final class CacheRecorder {
  private let cache: ResponseCache
  private let limit: Int64
  private var bytes: [UInt8] = []
  private var file: TemporaryEntry?
  private var length: Int64 = 0
  private var hasher: DigestHasher?

  init(_ cache: ResponseCache) {
    self.cache = cache
    limit = cache.bodyLimit
    do throws(CryptoError) {
      hasher = try DigestHasher(.sha256)
    } catch {
      cache.note(failure: "\(error)")
    }
  }

  func append(_ piece: UnsafeRawBufferPointer) {
    guard let hasher else { return }
    length += Int64(piece.count)
    do {
      if length > limit {
        abandon()
        return
      }
      try hasher.update(piece)
      if let file {
        try file.write(piece)
        return
      }
      bytes.append(contentsOf: piece)
      if bytes.count > ResponseCache.immediateLimit, let file = try cache.temporaryEntry() {
        try file.write(bytes)
        self.file = file
        bytes = []
      }
    } catch {
      cache.note(
        failure: (error as? SystemError).map { "could not \($0.file.operation.rawValue) \($0.file.path): \($0.file.detail)" } ?? "\(error)")
      abandon()
    }
  }

  private func abandon() {
    hasher = nil
    bytes = []
    file?.abandon()
    file = nil
  }

  /// Returns the body; nil if it was not recorded completely.
  func finish() -> NewBody? {
    guard let hasher else { return nil }
    self.hasher = nil
    do throws(CryptoError) {
      let digest = try hasher.finish().bytes
      if let file { return .temporary(file, length: Int(length), digest: digest) }
      return .bytes(bytes, digest: digest)
    } catch {
      cache.note(failure: "\(error)")
      return nil
    }
  }
}
