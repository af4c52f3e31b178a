import GarlandCrypto

/// The format of a cache file: the body, the record, and a tail that verifies both.
///
/// ```
/// body · record · length of the body (8) · length of the record (4) · digest of the body (32) · digest of the rest (32) · mark (8)
/// ```
/// The body comes first so that it can be written as it arrives. The mark comes last: a truncated
/// file has none. The second digest covers the record, the lengths, the first digest and the key,
/// so that neither a damaged nor a renamed file is mistaken for a response.
struct EntryLayout: Sendable {
  static let mark = Array("GARLAND1".utf8)
  static let tailSize = 8 + 4 + 32 + 32 + 8

  let bodyLength: Int
  let recordLength: Int
  let bodyDigest: [UInt8]
  private let digest: [UInt8]

  /// Returns the bytes at the end of a cache file: all bytes that follow the body.
  static func ending(
    record: [UInt8], bodyLength: Int, bodyDigest: [UInt8], of primary: CacheKey
  ) throws(CryptoError) -> [UInt8] {
    var bytes = record
    withUnsafeBytes(of: UInt64(bodyLength).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(record.count).littleEndian) { bytes.append(contentsOf: $0) }
    bytes += bodyDigest
    let digest = try Digest(of: primary.bytes + bytes, using: .sha256)
    return bytes + digest.bytes + mark
  }

  /// Reads `tail`, the last bytes of a file of `fileSize` bytes. Returns nil if they show that the file is incomplete or is no cache file.
  init?(tail: [UInt8], fileSize: Int) {
    var reader = ByteReader(tail)
    guard tail.count == Self.tailSize, let bodyLength = reader.number(8), let recordLength = reader.number(4), let body = reader.bytes(32),
      let digest = reader.bytes(32), let mark = reader.bytes(8), mark.elementsEqual(Self.mark), bodyLength <= UInt64(fileSize),
      Int(bodyLength) + Int(recordLength) + Self.tailSize == fileSize
    else { return nil }
    self.bodyLength = Int(bodyLength)
    self.recordLength = Int(recordLength)
    bodyDigest = Array(body)
    self.digest = Array(digest)
  }

  /// Decodes the record. Returns nil if the record was not written for the key `primary`.
  func record(_ bytes: [UInt8], of primary: CacheKey) -> CacheRecord? {
    guard
      let ending = try? Self.ending(record: bytes, bodyLength: bodyLength, bodyDigest: bodyDigest, of: primary),
      ending.dropLast(Self.mark.count).suffix(32).elementsEqual(digest)
    else { return nil }
    return RecordCoding.decode(bytes)
  }
}
