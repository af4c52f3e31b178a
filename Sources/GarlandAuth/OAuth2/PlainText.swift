/// Makes a provider's text safe to show: puts it on one line and replaces control characters that a terminal would interpret. RFC 6749
/// section 5.2 allows only printable ASCII in `error_description`; letters beyond ASCII are kept nevertheless.
package enum PlainText {
  package static func of(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { scalars.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
    return String(scalars)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
