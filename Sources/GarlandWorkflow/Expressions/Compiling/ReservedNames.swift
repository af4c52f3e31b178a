/// Names that the language keeps for itself.
enum ReservedNames {
  /// The name that a text was perhaps meant to be: `list all books` as `list_all_books`.
  static func name(like text: String) -> String? {
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    let name = words.joined(separator: "_")
    return name != text && text.allSatisfy(\.isASCII) && isName(name) ? name : nil
  }

  /// Whether a byte can stand in a name.
  static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
  }

  /// Not to be used as ids of steps.
  static let steps = ["vars", "env", "secrets", "inputs", "item", "index", "run", "response", "auth", "defaults"]
  /// Not to be used as names of extracts.
  static let extracts = ["status", "headers", "cookies", "json", "text", "url", "time", "size", "version", "attempts"]

  /// Whether a name is one of a few, of which most have another length.
  static func has(_ name: String, in names: [String]) -> Bool {
    let count = name.utf8.count
    for other in names where other.utf8.count == count && other == name { return true }
    return false
  }

  /// Whether a text is a name: `[A-Za-z_][A-Za-z0-9_-]*`.
  static func isName(_ text: String) -> Bool {
    var isFirst = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): if isFirst { return false }
      default: return false
      }
      isFirst = false
    }
    return !isFirst
  }
}
