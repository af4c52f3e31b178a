import GarlandCrypto

/// Character sets by their names (RFC 2978): the usual ones here, all others as the C library has them.
public enum Charset {
  /// The text that bytes stand for; nil if they are none in this character set, or if nobody knows it. A byte order mark is not part of the text.
  public static func decode(_ bytes: [UInt8], as name: String) -> String? {
    try? TextDecoding.text(of: bytes, charset: name).get()
  }
}
