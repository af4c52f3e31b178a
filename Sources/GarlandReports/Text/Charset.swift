import Glibc

/// Bodies as text, by the charset that their type declares.
enum Charset {
  /// The `charset` parameter of a media type, in lower case; nil without one.
  static func declared(in type: String?) -> String? {
    guard let type else { return nil }
    for parameter in type.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "charset" else { continue }
      var value = trimmed(parts[1])
      if value.hasPrefix("\""), value.hasSuffix("\""), value.count >= 2 { value = value.dropFirst().dropLast() }
      return value.isEmpty ? nil : value.lowercased()
    }
    return nil
  }

  /// A type with a charset of its own, for what is in UTF-8 now.
  static func inUTF8(_ type: String?) -> String? {
    guard foreign(to: [], type: type) != nil, let name = mediaType(type) else { return type }
    return "\(name); charset=utf-8"
  }

  /// The charset of bytes that are not in UTF-8: the one that is declared, or UTF-16 where every other byte of their beginning is zero.
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

  /// The type and subtype in lower case, without parameters.
  static func mediaType(_ type: String?) -> String? {
    guard let first = type?.split(separator: ";", omittingEmptySubsequences: false).first else { return nil }
    let name = trimmed(first).lowercased()
    return name.isEmpty ? nil : name
  }

  /// The text, or nil when the bytes are none in that charset, or nobody knows it. What breaks off in the middle of a character ends before it.
  static func decode(_ bytes: [UInt8], charset: String?, isComplete: Bool) -> String? {
    guard let charset, charset != "utf-8", charset != "utf8", charset != "us-ascii" else {
      var bytes = bytes[...]
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      guard !isComplete else { return nil }
      for _ in 0..<3 where !bytes.isEmpty {
        bytes.removeLast()
        if let text = String(validating: bytes, as: UTF8.self) { return text }
      }
      return nil
    }
    return convert(bytes, from: charset)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }

  private static func convert(_ bytes: [UInt8], from charset: String) -> String? {
    // The name comes from a server: only what names are made of reaches the library, and none of its `//` options.
    guard charset.utf8.allSatisfy({ $0 >= 0x2B && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else { return nil }
    guard let converter = iconv_open("UTF-8", charset), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    let written: Int? = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var left = input.count
        var into = output.baseAddress
        var room = output.count
        while left > 0 {
          if iconv(converter, &from, &left, &into, &room) != Int(bitPattern: UInt.max) { break }
          // What breaks off at the end is left out; a byte that is none of the charset makes it no text.
          guard errno == EINVAL else { return nil }
          break
        }
        return output.count - room
      }
    }
    guard let written else { return nil }
    return String(validating: output[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
