/// Text of XML and HTML.
package enum Markup {
  /// Returns the reference for a character that text of an element must not contain: `&`, `<` or `>`. Returns nil for any other character.
  package static func reference(for scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    default: nil
    }
  }

  /// Escapes `&`, `<` and `>`, and replaces each other scalar for which `other` returns a text.
  package static func escape(_ text: String, _ other: (Unicode.Scalar) -> String? = { _ in nil }) -> String {
    text.replacingScalars { reference(for: $0) ?? other($0) }
  }
}

extension String {
  /// Replaces each scalar for which `replacement` returns a text.
  ///
  /// A loop over characters would miss a scalar that is only a part of a character, such as the `<` before a combining mark.
  package func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let new = replacement(scalar) { result += new } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
