import GarlandCrypto
import GarlandText

/// The SHA-256 digest of a public key's `SubjectPublicKeyInfo`, as in RFC 7469 and curl.
///
/// ```swift
/// let pin = try PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
/// ```
/// On the command line:
/// `openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
  /// The SHA-256 digest of the public key, 32 bytes.
  public let sha256: [UInt8]

  /// Parses a pin: `sha256/` (or `sha256//` as in curl) and the digest in base64.
  public init(_ text: String) throws(TrustConfigurationError) {
    let prefix = "sha256/"
    guard text.hasPrefix(prefix) else { throw .pin(text, detail: "it does not begin with `sha256/`") }
    var encoded = text.utf8.dropFirst(prefix.utf8.count)
    // Require 44 remaining characters, so that a slash of the digest itself is not mistaken for curl's second slash.
    if encoded.count == 45, encoded.first == UInt8(ascii: "/") { encoded = encoded.dropFirst() }
    let bytes: [UInt8]
    do throws(BinaryTextError) {
      bytes = try Base64.decode(Array(encoded))
    } catch {
      throw .pin(text, detail: "its base64 is broken: \(error)")
    }
    try self.init(sha256: bytes)
  }

  /// Creates a pin from a digest, which must have 32 bytes.
  public init(sha256: [UInt8]) throws(TrustConfigurationError) {
    guard sha256.count == 32 else {
      throw .pin("sha256/" + Base64.encode(sha256), detail: "a SHA-256 digest has 32 bytes, not \(sha256.count)")
    }
    self.sha256 = sha256
  }

  /// Creates the pin of a public key from its `SubjectPublicKeyInfo` in DER.
  init(ofKey der: [UInt8]) throws(CryptoError) { sha256 = try Digest(of: der, using: .sha256).bytes }

  /// The text of the pin: `sha256/` and the digest in base64.
  public var description: String { "sha256/" + Base64.encode(sha256) }
}
