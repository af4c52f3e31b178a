/// Names that the language keeps for itself.
enum ReservedNames {
  /// Not to be used as ids of steps.
  static let steps = ["vars", "env", "secrets", "inputs", "item", "index", "run", "response", "auth", "defaults"]
  /// Not to be used as names of extracts.
  static let extracts = ["status", "headers", "cookies", "json", "text", "url", "time", "size", "version", "attempts"]

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
