/// The column of line numbers to the left of the source lines that a diagnostic shows. The column is as wide as the largest line number of
/// the diagnostic.
struct Gutter {
  /// The number of digits of the largest line number.
  let digits: Int

  init(_ diagnostic: Diagnostic) {
    var largest = 1
    let ranges = [diagnostic.range] + diagnostic.notes.map(\.range) + diagnostic.helps.map { $0.fix?.range }
    for case let range? in ranges { largest = max(largest, range.end.line) }
    digits = String(largest).utf8.count
  }

  private var blank: String { String(repeating: " ", count: digits) }

  func arrow(_ place: String) -> StyledText { "\(blank)\("-->", .dim) \(place)\n" }

  func bar() -> StyledText { "\(blank) \("|", .dim)\n" }

  func gap() -> StyledText { "\("...", .dim)\n" }

  func source(_ number: Int, _ text: String) -> StyledText {
    let digits = String(number)
    let space = String(repeating: " ", count: max(0, self.digits - digits.utf8.count))
    return "\(space)\("\(digits) |", .dim)\(text.isEmpty ? "" : " \(text)")\n"
  }

  /// Renders the marks below a source line, such as `^^^^`, with a label next to them, or on the next line if the label does not fit.
  ///
  /// - Parameters:
  ///   - space: The space before the marks.
  ///   - room: The number of columns to the right of the gutter.
  func marks(_ space: String, _ marks: String, _ label: String?, _ style: StyledText.Style, room: Int) -> StyledText {
    var result: StyledText = "\(blank) \("|", .dim) \(space)\(marks, style)"
    guard let label else { return result + "\n" }
    let shown = DisplayText.visible(label)
    let width = DisplayWidth.of(shown)
    if space.utf8.count + marks.utf8.count + 1 + width <= room {
      result += " \(shown, style)\n"
    } else {
      let indent = max(0, min(space.utf8.count, room - width))
      result += "\n\(blank) \("|", .dim) \(String(repeating: " ", count: indent))\(shown, style)\n"
    }
    return result
  }

  func remark(_ name: String, _ style: StyledText.Style, _ message: String) -> StyledText {
    "\(blank) \("=", .dim) \(name, style): \(DisplayText.visible(message))\n"
  }
}
