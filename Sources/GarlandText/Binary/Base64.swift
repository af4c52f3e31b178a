/// Base64 text (RFC 4648 section 4): `+` and `/`, always padded, no line breaks.
package enum Base64 {
  /// The 64 characters, in the order of their values.
  package static let alphabet = Base64Alphabet.standard.characters

  /// Returns `bytes` as padded base64.
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    Base64Alphabet.standard.encode(bytes, padded: true)
  }

  /// Decodes `text`. White space, missing padding and unused bits that are set are errors.
  package static func decode(_ text: some StringProtocol) throws(BinaryTextError) -> [UInt8] {
    try decode(text.utf8)
  }

  /// Decodes ASCII `text`. White space, and unused bits that are set, are errors. Missing padding is an error unless `isPaddingOptional` is
  /// true.
  ///
  /// - Parameter isPaddingOptional: Whether a text without any padding is valid, too.
  package static func decode(_ text: some Collection<UInt8>, isPaddingOptional: Bool = false) throws(BinaryTextError) -> [UInt8] {
    try Base64Alphabet.standard.decode(text, padding: isPaddingOptional ? .optional : .required)
  }
}

/// Base64 for URLs and JWTs (RFC 4648 section 5): `-` and `_`, without padding as in RFC 7515.
package enum Base64URL {
  /// The 64 characters, in the order of their values.
  package static let alphabet = Base64Alphabet.urlSafe.characters

  /// Returns `bytes` as base64url, without padding unless `padded` is true.
  package static func encode(_ bytes: some Collection<UInt8>, padded: Bool = false) -> String {
    Base64Alphabet.urlSafe.encode(bytes, padded: padded)
  }

  /// Decodes `text` with complete padding or without padding. White space is an error. The unused bits of the last character must be 0.
  package static func decode(_ text: some StringProtocol) throws(BinaryTextError) -> [UInt8] {
    try decode(text.utf8)
  }

  /// Decodes ASCII `text` with complete padding or without padding. White space is an error, and so is a 1 in the unused bits of the last
  /// character.
  package static func decode(_ text: some Collection<UInt8>) throws(BinaryTextError) -> [UInt8] {
    try Base64Alphabet.urlSafe.decode(text, padding: .optional)
  }
}
