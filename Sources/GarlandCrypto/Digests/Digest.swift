import COpenSSL
import GarlandText

/// The digest of some bytes.
///
/// ```swift
/// let digest = try Digest(of: Array("abc".utf8), using: .sha256)
/// print(digest.hex)  // ba7816bf8f01cfea…
/// ```
/// For data that does not fit into memory, use a ``DigestHasher``.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The hash function that made the digest.
  public let algorithm: DigestAlgorithm
  /// The digest itself, ``DigestAlgorithm/byteCount`` bytes.
  public let bytes: [UInt8]

  /// Computes the digest of `data`, which is completely in memory.
  ///
  /// Throws a ``CryptoError`` when OpenSSL lacks the algorithm.
  public init(of data: some Collection<UInt8>, using algorithm: DigestAlgorithm) throws(CryptoError) {
    guard let implementation = algorithm.implementation else { throw CryptoError.fromQueue(algorithm.rawValue) }
    var output = [UInt8](repeating: 0, count: algorithm.byteCount)
    let status = withContiguousBytes(data) { data in
      EVP_Digest(data.baseAddress, data.count, &output, nil, implementation, nil)
    }
    guard status == 1 else { throw CryptoError.fromQueue(algorithm.rawValue) }
    self.init(algorithm: algorithm, bytes: output)
  }

  init(algorithm: DigestAlgorithm, bytes: [UInt8]) {
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// The digest as lowercase hexadecimal text.
  public var hex: String { Hex.encode(bytes) }

  /// The digest as lowercase hexadecimal text, like ``hex``.
  public var description: String { hex }
}
