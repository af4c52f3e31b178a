import GarlandDiagnostics

/// Masks secrets in text before a report cuts, escapes or colours the text. In the changed text, a secret could no longer be recognised,
/// for example if half of it was cut off.
struct Mask: Sendable {
  private let redactor: Redactor

  init(_ redactor: Redactor) { self.redactor = redactor }

  /// A counter that grows with each registered secret, so that a cached masked text can be recognised as outdated; see
  /// ``Redactor/generation``.
  var generation: Int { redactor.generation }

  /// Returns the text with every secret masked.
  func text(_ text: String) -> String { redactor.redact(text) }

  /// Returns a renderer for diagnostics that masks secrets.
  func renderer(width: Int = 100) -> DiagnosticRenderer {
    var renderer = DiagnosticRenderer(width: width)
    renderer.redactor = redactor
    return renderer
  }

  /// Masks the next piece of a body and returns it; see ``Redactor/redact(_:after:isLast:)``.
  func piece(_ bytes: [UInt8], after rest: inout [UInt8], isLast: Bool) -> [UInt8] { redactor.redact(bytes, after: &rest, isLast: isLast) }

  /// Returns the text with every secret masked, even a secret that extends over parts with different styles.
  func styled(_ text: StyledText) -> StyledText { redactor.redact(text) }

  /// Returns the text on one line, with secrets masked. Characters that would move the cursor are made visible.
  func line(_ text: String) -> String {
    let masked = redactor.redact(text)
    return RowBuilder.isPrintableASCII(masked) ? masked : DisplayText.visible(masked)
  }

  /// Returns the text's lines, with secrets masked and tabs replaced by spaces. Characters that would move the cursor are made visible.
  func lines(_ text: String) -> [String] {
    var text = redactor.redact(text)
    if text.utf8.contains(UInt8(ascii: "\r")) { text = Mask.withoutCarriageReturns(text) }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.utf8.contains(UInt8(ascii: "\t")) ? Mask.expandingTabs(line) : String(line)
      return DisplayText.visible(line)
    }
  }

  /// Returns the bytes with every secret masked. If the bytes are incomplete and end with a possible beginning of a secret, this beginning
  /// is omitted.
  func bytes(_ bytes: [UInt8], isComplete: Bool) -> [UInt8] {
    guard redactor.hasSecrets else { return bytes }
    guard !isComplete else { return redactor.redact(bytes) }
    let masked = cut(bytes)
    var stream = Redactor.Stream()
    return redactor.redact(masked, in: &stream, isLast: false)
  }

  /// Masks the secrets in bytes that are the beginning of a longer text. If the last bytes are only the beginning of a secret, they are
  /// masked too.
  private func cut(_ bytes: [UInt8]) -> [UInt8] {
    let mark = Array("…".utf8)
    let masked = redactor.redact(bytes + mark)
    return masked.suffix(mark.count) == mark[...] ? masked.dropLast(mark.count) : masked
  }

  private static func withoutCarriageReturns(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if previous == "\r", scalar != "\n" { scalars.append("\r") }
      if scalar != "\r" { scalars.append(scalar) }
      previous = scalar
    }
    if previous == "\r" { scalars.append("\r") }
    return String(scalars)
  }

  private static func expandingTabs(_ line: Substring) -> String {
    var result = ""
    var column = 0
    for character in line {
      if character == "\t" {
        let count = 8 - column % 8
        result += String(repeating: " ", count: count)
        column += count
      } else {
        result.append(character)
        column += DisplayWidth.of(character)
      }
    }
    return result
  }
}
