import GarlandText

/// The replacements of characters that have a special meaning in the commands that a CI system reads from a job's log.
struct Escapes: Sendable {
  private var written: [Unicode.Scalar: String]
  /// The prefix of an escape for a character beyond ASCII. Each UTF-16 unit of the character is written as this prefix and four hexadecimal
  /// digits. If nil, such characters stay unchanged.
  private let unitPrefix: String?

  /// Creates a set of escapes.
  ///
  /// - Parameters:
  ///   - written: the replacements of characters.
  ///   - unitPrefix: the prefix for characters beyond ASCII: each UTF-16 unit of such a character is written as this prefix and four
  ///     hexadecimal digits. Nil, the default, leaves such characters unchanged.
  init(_ written: [Unicode.Scalar: String], unitPrefix: String? = nil) {
    self.written = written
    self.unitPrefix = unitPrefix
  }

  /// Returns a set that contains these escapes and the given ones.
  func and(_ more: [Unicode.Scalar: String]) -> Escapes {
    var result = self
    result.written.merge(more) { $1 }
    return result
  }

  /// Returns the text with each special character replaced by its escape.
  func callAsFunction(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let escape = written[scalar] {
        result.append(contentsOf: escape.unicodeScalars)
      } else if let unitPrefix, !scalar.isASCII {
        for unit in scalar.utf16 { result.append(contentsOf: (unitPrefix + Hex.padded(unit)).unicodeScalars) }
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
