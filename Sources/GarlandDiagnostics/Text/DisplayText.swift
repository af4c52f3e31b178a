import GarlandText

/// Makes text safe to show on a terminal.
public enum DisplayText {
  /// Returns a visible replacement for a scalar that would move the cursor, reverse the text's
  /// direction or be invisible; nil for any other scalar.
  ///
  /// Control characters are replaced by their pictures (`␛`), others by their code (`<U+202E>`).
  public static func substitute(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) }
    case 0x7F: return "␡"
    // C1 controls, directional marks, separators that some terminals break lines at, and the byte order mark.
    case 0x80..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      return "<U+\(Hex.padded(scalar.value, to: 4, uppercase: true))>"
    default: return nil
    }
  }

  /// Returns the text with all invisible characters made visible.
  ///
  /// Line breaks and tabs are replaced too, unless `keepingLines` is true.
  ///
  /// - Parameters:
  ///   - text: A text from a file or a server.
  ///   - keepingLines: Whether `\n` and `\t` are left unchanged.
  public static func visible(_ text: String, keepingLines: Bool = false) -> String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool { keepingLines && (scalar == "\n" || scalar == "\t") }
    guard text.unicodeScalars.contains(where: { !isKept($0) && substitute(for: $0) != nil }) else { return text }
    return text.replacingScalars { isKept($0) ? nil : substitute(for: $0) }
  }
}
