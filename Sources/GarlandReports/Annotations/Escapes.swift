/// How a system that looks for commands in the log of a job writes the characters that mean something to it.
struct Escapes: Sendable {
  private var written: [Unicode.Scalar: String]
  /// What stands before each UTF-16 unit, in four hexadecimal digits, of what is not ASCII; nil: that stays as it is.
  private let unitPrefix: String?

  /// - Parameters:
  ///   - written: what is written in place of characters.
  ///   - unitPrefix: what stands before each UTF-16 unit, in four hexadecimal digits, of what is not ASCII; nil, the default, leaves that as it is.
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
