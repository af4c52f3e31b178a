import COpenSSL
import GarlandText

/// Keyed message authentication codes (RFC 2104).
///
/// ```swift
/// let signature = try HMAC.authenticate(Array(body.utf8), key: Array(secret.utf8), using: .sha256).hex
/// ```
public enum HMAC {
  /// Returns the authentication code of `message` with `key`.
  ///
  /// The code is as long as a digest of `algorithm`.
  ///
  /// Compare the code with ``constantTimeEqual(_:_:)``. Throws a ``CryptoError`` when OpenSSL lacks the algorithm, or for a key over 2 GiB.
  public static func authenticate(
    _ message: some Collection<UInt8>, key: some Collection<UInt8>, using algorithm: DigestAlgorithm
  ) throws(CryptoError) -> Digest {
    guard let implementation = algorithm.implementation, let keySize = Int32(exactly: key.count) else {
      throw CryptoError.fromQueue("HMAC-\(algorithm.rawValue)")
    }
    var output = [UInt8](repeating: 0, count: algorithm.byteCount)
    // An empty key still needs an address: to OpenSSL, a null address means the previous key.
    let succeeded = withContiguousBytes(keySize == 0 ? [0] : Array(key)) { key in
      withContiguousBytes(message) { message in
        COpenSSL.HMAC(
          implementation, key.baseAddress, keySize, message.baseAddress?.assumingMemoryBound(to: UInt8.self), message.count, &output, nil)
          != nil
      }
    }
    guard succeeded else { throw CryptoError.fromQueue("HMAC-\(algorithm.rawValue)") }
    return Digest(algorithm: algorithm, bytes: output)
  }
}
