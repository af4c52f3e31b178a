import GarlandText

/// Decodes text by the name of its character set (RFC 2978). This type decodes common character sets itself, and uses the C library for all
/// other character sets.
public enum Charset {
  /// Decodes bytes as text; nil if they are invalid in this character set, or if the character set
  /// is unknown. A byte order mark is not part of the text.
  public static func decode(_ bytes: [UInt8], as name: String) -> String? {
    try? TextDecoding.text(of: bytes, charset: name).get()
  }
}
