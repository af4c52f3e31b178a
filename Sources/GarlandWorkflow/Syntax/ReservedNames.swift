import GarlandYAML

/// The rules for the names of steps, extracts and other parts of a document: the allowed characters and the reserved names.
enum ReservedNames {
  /// Returns a valid name that resembles `text`, as a suggestion: `list_all_books` for `list all books`. Returns nil if there is no such
  /// name.
  static func name(like text: String) -> String? {
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    let name = words.joined(separator: "_")
    return name != text && text.allSatisfy(\.isASCII) && isName(name) ? name : nil
  }

  /// Returns the corrected form of an invalid name, such as `book_id` for `book id`; the diagnostic of the name suggests the same
  /// correction. A name that is valid or has no correction is returned unchanged.
  ///
  /// The ``NameTable`` contains the corrected name, so an expression that uses the corrected name does not cause a second error.
  static func repaired(_ name: String) -> String { isName(name) ? name : self.name(like: name) ?? name }

  /// The names that steps must not have.
  static let steps: NameSet = ["vars", "env", "secrets", "inputs", "item", "index", "run", "response", "auth", "defaults"]
  /// The names that extracts must not have, because they are the names of parts that every response has.
  static let extracts: NameSet = ["status", "headers", "cookies", "json", "text", "url", "time", "size", "version", "attempts"]

  /// Whether a key is a valid name that is not among the reserved names `taken`.
  static func admits(_ key: YAMLNode, besides taken: NameSet) -> Bool { key.hasText { isName($0) && !taken.contains($0) } }

  /// Whether a text is a valid name: `[A-Za-z_][A-Za-z0-9_-]*`.
  static func isName(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isName($0) }
  }

  /// Whether a text, given as UTF-8, is a valid name.
  static func isName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, Lexer.isNameStart(first) else { return false }
    return text.allSatisfy(Lexer.isNamePart)
  }
}
