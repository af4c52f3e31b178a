public import GarlandJSON
import GarlandText

/// An item of `tls.pins:`: a public key that the server's certificate chain must contain, given by the SHA-256 digest of its
/// `SubjectPublicKeyInfo`.
public struct PinSetting: Sendable, Hashable {
  /// The SHA-256 digest of the public key, 32 bytes.
  public let sha256: [UInt8]
}

extension PinSetting: SettingValue {
  /// The required form of a pin, for error messages.
  public static var expectation: String { "a pin: `sha256/` and the SHA-256 digest of a public key in base64 (44 characters)" }

  /// Reads a pin of a public key from a text such as `sha256/…`. Throws an error if the value is not a valid pin.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> PinSetting {
    guard case .string(let text) = value else { throw SettingMistake.unexpected(value, instead: expectation) }
    let prefix = "sha256/"
    if text.hasPrefix(prefix) {
      var digest = Array(text.utf8.dropFirst(prefix.utf8.count))
      // curl writes a second slash. A digest has 44 characters, so a 45th can only be that slash.
      if digest.count == 45, digest.first == UInt8(ascii: "/") { digest.removeFirst() }
      if let bytes = try? Base64.decode(digest), bytes.count == 32 { return PinSetting(sha256: bytes) }
    }
    throw SettingMistake.unexpected(value, instead: expectation, suggestion: suggestion(for: text))
  }

  /// Returns the corrected pin for a SHA-256 digest that lacks the prefix `sha256/`, or that is written in hexadecimal, as `openssl` prints
  /// it. Returns nil for any other text.
  private static func suggestion(for text: String) -> String? {
    var digits = text[...]
    for prefix in ["sha256/", "sha256:", "SHA256:", "SHA256="] where digits.hasPrefix(prefix) { digits = digits.dropFirst(prefix.count) }
    if let bytes = try? Hex.decode(digits.utf8.filter { $0 != UInt8(ascii: ":") }), bytes.count == 32 {
      return "sha256/" + Base64.encode(bytes)
    }
    if let bytes = try? Base64.decode(digits), bytes.count == 32 { return "sha256/" + Base64.encode(bytes) }
    return nil
  }
}
