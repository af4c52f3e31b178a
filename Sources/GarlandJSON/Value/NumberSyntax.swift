import GarlandText

/// The form of a number's text by the grammar of [RFC 8259 §6](https://www.rfc-editor.org/rfc/rfc8259#section-6): an integer, or a number
/// with a fraction or an exponent.
enum NumberSyntax: Equatable {
  /// Digits, with an optional minus sign.
  case integer
  /// A number with a fraction or an exponent.
  case decimal

  init?<Bytes: Collection<UInt8>>(of bytes: Bytes) {
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    guard let first = rest.first else { return nil }
    if first == UInt8(ascii: "0") {
      rest = rest.dropFirst()
    } else {
      guard NumberSyntax.dropDigits(&rest) else { return nil }
    }
    self = .integer
    if rest.first == UInt8(ascii: ".") {
      self = .decimal
      rest = rest.dropFirst()
      guard NumberSyntax.dropDigits(&rest) else { return nil }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      self = .decimal
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard NumberSyntax.dropDigits(&rest) else { return nil }
    }
    guard rest.isEmpty else { return nil }
  }

  /// Skips digits. Returns whether there was at least one.
  private static func dropDigits<Bytes: Collection<UInt8>>(_ rest: inout Bytes) -> Bool where Bytes.SubSequence == Bytes {
    let start = rest.startIndex
    rest = rest.drop(while: { $0.isDigit })
    return rest.startIndex != start
  }
}
