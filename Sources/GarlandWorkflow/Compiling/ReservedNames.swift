import GarlandYAML

/// The names that the language reserves.
enum ReservedNames {
  /// Returns a valid name that resembles a text, as a suggestion: `list_all_books` for `list all books`.
  static func name(like text: String) -> String? {
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    let name = words.joined(separator: "_")
    return name != text && text.allSatisfy(\.isASCII) && isName(name) ? name : nil
  }

  /// Returns a name as it is after the fix of its error, so that uses of the right name are not errors, too: `book_id` for `book id`.
  static func repaired(_ name: String) -> String { isName(name) ? name : self.name(like: name) ?? name }

  /// Whether a name may contain a byte.
  static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
  }

  /// Names that steps must not have.
  static let steps: NameSet = ["vars", "env", "secrets", "inputs", "item", "index", "run", "response", "auth", "defaults"]
  /// Names that extracts must not have.
  static let extracts: NameSet = ["status", "headers", "cookies", "json", "text", "url", "time", "size", "version", "attempts"]

  /// Whether a key is a valid name and is not in `taken`.
  static func admits(_ key: YAMLNode, besides taken: NameSet) -> Bool { key.hasText { isName($0) && !taken.contains($0) } }

  /// Whether a text is a valid name: `[A-Za-z_][A-Za-z0-9_-]*`.
  static func isName(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isName($0) }
  }

  /// Whether a text, given as UTF-8, is a valid name.
  static func isName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, isNamePart(first), first != UInt8(ascii: "-"), first < UInt8(ascii: "0") || first > UInt8(ascii: "9")
    else { return false }
    for byte in text where !isNamePart(byte) { return false }
    return true
  }
}
