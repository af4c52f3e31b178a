import GarlandDiagnostics
import GarlandJSON

/// Phrases for values, types and names in error messages.
enum Words {
  /// Returns the name of a kind of value with its article, such as "a number".
  static func kind(_ kind: JSONValue.Kind) -> String {
    switch kind {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "a mapping"
    }
  }

  /// Returns a description of a value, such as "the number 30", "the text `abc`" or "a list".
  static func found(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "`true`" : "`false`"
    case .number(let number): "the number \(excerpt(number.text))"
    case .string(""): "empty text"
    case .string(let text): "the text `\(excerpt(text))`"
    case .array: "a list"
    case .object: "a mapping"
    }
  }

  /// Returns a description of a value that may be secret. The description of a secret does not contain the secret.
  static func found(_ value: Value) -> String {
    switch value {
    case .plain(let value): found(value)
    case .secret(let value): secret(value.kind)
    case .list, .sparse: "a list"
    case .object: "a mapping"
    }
  }

  /// Returns a description of a secret value without the value, such as "a secret number" or "secret text".
  private static func secret(_ kind: JSONValue.Kind) -> String {
    let words = self.kind(kind)
    return words.hasPrefix("a ") ? "a secret " + words.dropFirst(2) : "secret " + words
  }

  /// Returns a noun with its article "a" or "an".
  static func withArticle(_ noun: String) -> String { ("aeio".contains(noun.prefix(1)) ? "an " : "a ") + noun }

  /// Returns a text on one line. A text that is longer than `limit` characters is shortened.
  static func excerpt(_ text: String, limit: Int = 60) -> String {
    if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == limit { return result + "…" }
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7F { result += "\u{FFFD}" } else { result.unicodeScalars.append(scalar) }
      }
      count += 1
    }
    return result
  }

  /// Returns names as a phrase, in backquotes and with a conjunction, such as "`a`, `b` and `c`". If there are more names than `limit`, the
  /// phrase ends with "and 6 more".
  static func list(_ names: some Collection<String>, conjunction: String = "and", limit: Int? = nil) -> String {
    let quoted = names.prefix(limit ?? names.count).map { "`\($0)`" }
    if quoted.count < names.count { return quoted.joined(separator: ", ") + " \(conjunction) \(names.count - quoted.count) more" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "" }
    return quoted.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}

extension Words {
  /// Returns help for an unknown name: "did you mean …?" with the most similar valid name, or else a list of the first valid names. Returns
  /// nil if there are no valid names.
  ///
  /// - Parameters:
  ///   - names: the valid names.
  ///   - name: the unknown name.
  static func available(_ names: [String], near name: String) -> String? {
    if let near = Suggestion.nearest(to: name, in: names) { return "did you mean `\(near)`?" }
    guard !names.isEmpty else { return nil }
    return "available: \(list(names, limit: 8))"
  }
}
