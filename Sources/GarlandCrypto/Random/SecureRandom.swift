import COpenSSL

/// Unpredictable bytes from OpenSSL's generator, suitable for tokens, nonces and keys.
public enum SecureRandom {
  /// Returns `count` random bytes; an empty array if `count` is zero or less. Throws a ``CryptoError`` when
  /// the system has no entropy.
  public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    guard count > 0 else { return [] }
    guard let size = Int32(exactly: count) else { throw CryptoError(operation: "\(count) random bytes", reasons: ["more than 2 GiB"]) }
    var output = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&output, size) == 1 else { throw CryptoError.fromQueue("random bytes") }
    return output
  }
}
