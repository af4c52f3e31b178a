import GarlandText

/// Decodes bodies as text, by the charset that their media type declares.
enum Charset {
  /// Returns, in lower case, the `charset` parameter of a media type; nil if the media type has no such parameter.
  static func declared(in type: String?) -> String? { type.flatMap(TextDecoding.charset) }

  /// Returns the charset of bytes that are not in UTF-8; nil for UTF-8 and for binary types.
  ///
  /// If a charset is declared, the result is this charset. Otherwise the first 64 bytes are examined. The result is UTF-16 if at least a
  /// quarter of them are zero, and the zeros are either all at even positions or all at odd positions. For other bytes, the result is nil.
  static func foreign(to bytes: [UInt8], type: String?) -> String? {
    if let declared = declared(in: type) { return ["utf-8", "utf8", "us-ascii"].contains(declared) ? nil : declared }
    if let name = mediaType(type), !name.hasPrefix("text/"), !["json", "xml", "form-urlencoded"].contains(where: { name.hasSuffix($0) }) {
      return nil
    }
    let beginning = bytes.prefix(64)
    guard beginning.count >= 4, beginning.count.isMultiple(of: 2) else { return nil }
    let zeros = beginning.indices.filter { beginning[$0] == 0 }
    guard zeros.count * 4 >= beginning.count else { return nil }
    return zeros.allSatisfy { !$0.isMultiple(of: 2) } ? "utf-16le" : zeros.allSatisfy { $0.isMultiple(of: 2) } ? "utf-16be" : nil
  }

  /// Returns the type and subtype of a media type in lower case, without parameters.
  static func mediaType(_ type: String?) -> String? {
    guard let first = type?.split(separator: ";", omittingEmptySubsequences: false).first else { return nil }
    let name = first.withoutBlanks.lowercased()
    return name.isEmpty ? nil : name
  }

  /// Decodes bytes as text. Returns nil if the bytes are invalid in the charset, or if the charset is unknown. If `isComplete` is false, an
  /// incomplete character at the end is omitted.
  static func decode(_ bytes: [UInt8], charset: String?, isComplete: Bool) -> String? {
    let name = charset == "us-ascii" ? nil : charset
    return try? TextDecoding.text(of: bytes, charset: name ?? "utf-8", isComplete: isComplete).get()
  }
}
