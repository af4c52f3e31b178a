import COpenSSL

/// A hash function that OpenSSL implements.
public enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// MD5 (RFC 1321). Insecure for signatures; supported for checksums and HTTP digest authentication.
  case md5 = "MD5"
  /// SHA-1 (FIPS 180-4). Insecure for signatures; supported for OAuth 1 and old checksums.
  case sha1 = "SHA-1"
  /// SHA-256 (FIPS 180-4).
  case sha256 = "SHA-256"
  /// SHA-384 (FIPS 180-4).
  case sha384 = "SHA-384"
  /// SHA-512 (FIPS 180-4).
  case sha512 = "SHA-512"
  /// SHA-512/256 (FIPS 180-4, section 5.3.6): SHA-512 with other initial values, truncated to 256 bits. For HTTP
  /// digest authentication.
  case sha512_256 = "SHA-512-256"

  /// The length of a digest in bytes.
  public var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256, .sha512_256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// OpenSSL's implementation of the hash function; nil if no loaded provider of OpenSSL implements it.
  var implementation: OpaquePointer? {
    switch self {
    case .md5: Implementations.md5
    case .sha1: Implementations.sha1
    case .sha256: Implementations.sha256
    case .sha384: Implementations.sha384
    case .sha512: Implementations.sha512
    case .sha512_256: Implementations.sha512_256
    }
  }

  /// OpenSSL's implementations of the digests, which are fetched once per process. With `EVP_sha256()` and similar
  /// functions, OpenSSL 3 would search its providers again for every digest.
  private enum Implementations {
    // An `EVP_MD` is immutable and reference-counted after its fetch, never freed here, and
    // documented as safe to share between threads.
    nonisolated(unsafe) static let md5 = EVP_MD_fetch(nil, "MD5", nil)
    nonisolated(unsafe) static let sha1 = EVP_MD_fetch(nil, "SHA1", nil)
    nonisolated(unsafe) static let sha256 = EVP_MD_fetch(nil, "SHA2-256", nil)
    nonisolated(unsafe) static let sha384 = EVP_MD_fetch(nil, "SHA2-384", nil)
    nonisolated(unsafe) static let sha512 = EVP_MD_fetch(nil, "SHA2-512", nil)
    nonisolated(unsafe) static let sha512_256 = EVP_MD_fetch(nil, "SHA2-512/256", nil)
  }
}
