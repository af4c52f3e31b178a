import COpenSSL
import GarlandText

/// Computes the digest of data that arrives in pieces, with memory that does not depend on the
/// data's size.
///
/// ```swift
/// let hasher = try DigestHasher(.sha256)
/// for chunk in chunks { try hasher.update(chunk) }
/// let digest = try hasher.finish()
/// ```
/// A hasher is not `Sendable`, since only one caller passes data to it.
public final class DigestHasher {
  /// The hash function.
  public let algorithm: DigestAlgorithm
  /// The number of bytes added so far.
  private(set) var byteCount: UInt64 = 0
  private let context: OpaquePointer

  /// Creates an empty hasher. Throws a ``CryptoError`` if OpenSSL does not support the algorithm, or if memory is short.
  public init(_ algorithm: DigestAlgorithm) throws(CryptoError) {
    guard let implementation = algorithm.implementation, let context = EVP_MD_CTX_new() else {
      throw CryptoError.fromQueue(algorithm.rawValue)
    }
    guard EVP_DigestInit_ex2(context, implementation, nil) == 1 else {
      EVP_MD_CTX_free(context)
      throw CryptoError.fromQueue(algorithm.rawValue)
    }
    self.algorithm = algorithm
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes to the data whose digest is computed.
  public func update(_ data: some Collection<UInt8>) throws(CryptoError) {
    guard withContiguousBytes(data, { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }) == 1 else {
      throw CryptoError.fromQueue(algorithm.rawValue)
    }
    byteCount += UInt64(data.count)
  }

  /// Adds bytes in the caller's memory to the data whose digest is computed. The memory is read only during the call.
  public func update(_ data: UnsafeRawBufferPointer) throws(CryptoError) {
    guard EVP_DigestUpdate(context, data.baseAddress, data.count) == 1 else { throw CryptoError.fromQueue(algorithm.rawValue) }
    byteCount += UInt64(data.count)
  }

  /// Returns the digest of all bytes that were added. The hasher is empty afterwards and can be reused.
  public func finish() throws(CryptoError) -> Digest {
    var output = [UInt8](repeating: 0, count: algorithm.byteCount)
    guard EVP_DigestFinal_ex(context, &output, nil) == 1, EVP_DigestInit_ex2(context, algorithm.implementation, nil) == 1 else {
      throw CryptoError.fromQueue(algorithm.rawValue)
    }
    byteCount = 0
    return Digest(algorithm: algorithm, bytes: output)
  }
}
