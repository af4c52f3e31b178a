/// The rows at the bottom of a terminal that are redrawn in place: computes the bytes of each frame, all of which leave in one write.
///
/// The cursor rests at the end of the last row. Terminals that know synchronized output (DEC mode 2026) show a frame at once; the others
/// ignore the request, and while nothing scrolls see no blank row in between either: a row is overwritten before its rest is erased.
struct LiveRegion {
  /// A row with its escape sequences, and how many cells it takes.
  struct Row: Equatable {
    var text: String
    var width: Int
  }

  private var shown: [Row] = []
  private var isActive = false

  /// Shows the cursor again; written at the end, and by a signal handler that ends the program.
  static let showCursor = "\u{1B}[?25h"
  private static let hideCursor = "\u{1B}[?25l"
  private static let beginFrame = "\u{1B}[?2026h"
  private static let endFrame = "\u{1B}[?2026l"
  private static let eraseRestOfRow = "\u{1B}[K"
  private static let eraseBelow = "\u{1B}[J"

  /// Whether anything is on the screen, or the cursor hidden.
  var isVisible: Bool { isActive }

  /// Returns the bytes that write `lines` above the region permanently and `rows` into it; empty if nothing would change.
  ///
  /// - Parameters:
  ///   - lines: may be wider than the terminal, which then wraps them.
  ///   - rows: each narrower than the terminal.
  ///   - columns: the terminal's width now; if it has become narrower, the rows on the screen have been wrapped.
  mutating func frame(above lines: [String], rows: [Row], columns: Int) -> String {
    guard !isActive || !lines.isEmpty || rows != shown else { return "" }
    var text = LiveRegion.beginFrame
    if !isActive { text += LiveRegion.hideCursor }
    text += returnToTop(columns: columns)
    text += LiveRegion.permanent(lines)
    var isFirst = true
    for row in rows {
      if !isFirst { text += LiveRegion.eraseRestOfRow + "\r\n" }
      text += row.text
      isFirst = false
    }
    text += LiveRegion.eraseBelow + LiveRegion.endFrame
    shown = rows
    isActive = true
    return text
  }

  /// Forgets the rows on the screen: another program has written below them.
  mutating func forget() {
    shown = []
    isActive = false
  }

  /// The bytes that put `lines` on the screen, take the region away and show the cursor.
  mutating func end(above lines: [String], columns: Int) -> String {
    guard isActive else { return lines.map { $0 + "\n" }.joined() }
    var text = LiveRegion.beginFrame + returnToTop(columns: columns) + LiveRegion.permanent(lines)
    text += LiveRegion.eraseBelow + LiveRegion.showCursor + LiveRegion.endFrame
    shown = []
    isActive = false
    return text
  }

  /// Lines that scroll away may wrap, or fill a row to its last cell, where erasing its rest would take that cell: erase first.
  private static func permanent(_ lines: [String]) -> String {
    lines.isEmpty ? "" : eraseBelow + lines.map { $0 + "\r\n" }.joined()
  }

  private func returnToTop(columns: Int) -> String {
    guard let last = shown.last else { return "" }
    let above = shown.dropLast().reduce(0) { $0 + LiveRegion.height($1.width, columns) }
    let up = above + LiveRegion.height(last.width, columns) - 1
    return up > 0 ? "\r\u{1B}[\(up)A" : "\r"
  }

  private static func height(_ width: Int, _ columns: Int) -> Int {
    guard columns > 0, width > columns else { return 1 }
    return (width + columns - 1) / columns
  }
}
