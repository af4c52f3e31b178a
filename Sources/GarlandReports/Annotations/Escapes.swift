/// The escapes for characters with a meaning to a CI system that reads commands in the log of a
/// job.
struct Escapes: Sendable {
  private var written: [Unicode.Scalar: String]
  /// The prefix of each UTF-16 unit of a character beyond ASCII, which is written in four
  /// hexadecimal digits; nil if such characters stay as they are.
  private let unitPrefix: String?

  /// - Parameters:
  ///   - written: the replacements of characters.
  ///   - unitPrefix: the prefix of each UTF-16 unit of a character beyond ASCII, which is written in four hexadecimal digits; nil, the default, leaves such characters as they are.
  init(_ written: [Unicode.Scalar: String], unitPrefix: String? = nil) {
    self.written = written
    self.unitPrefix = unitPrefix
  }

  /// The same with more characters.
  func and(_ more: [Unicode.Scalar: String]) -> Escapes {
    var result = self
    result.written.merge(more) { $1 }
    return result
  }

  /// The text as the system reads it.
  func callAsFunction(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let escape = written[scalar] {
        result.append(contentsOf: escape.unicodeScalars)
      } else if let unitPrefix, !scalar.isASCII {
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16)
          result.append(contentsOf: (unitPrefix + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
        }
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
