/// The rows at the bottom of a terminal that are redrawn in place.
///
/// The region computes the bytes of each frame, which are written in one piece. Between frames, the cursor is at the end of the last row.
/// Terminals that support synchronized output (DEC mode 2026) show each frame as a whole. Other terminals ignore the control sequence for
/// this mode, and could show a blank row for a moment. Therefore each row is overwritten first, and only then the rest of the row is
/// erased. A blank row appears only if the screen scrolls.
struct LiveRegion {
  /// A row with its escape sequences, and the number of cells that the row occupies.
  struct Row: Equatable {
    var text: String
    var width: Int
  }

  private var shown: [Row] = []
  private var isActive = false

  /// The control sequence that shows the cursor again. It is written at the end of the live view, and by a signal handler that ends the
  /// program.
  static let showCursor = "\u{1B}[?25h"
  private static let hideCursor = "\u{1B}[?25l"
  private static let beginFrame = "\u{1B}[?2026h"
  private static let endFrame = "\u{1B}[?2026l"
  private static let eraseRestOfRow = "\u{1B}[K"
  private static let eraseBelow = "\u{1B}[J"

  /// Whether the region has rows on the screen or has hidden the cursor.
  var isVisible: Bool { isActive }

  /// Returns the bytes that write `lines` above the region and replace the rows of the region with `rows`. The lines stay on the screen.
  /// Returns an empty text if nothing would change.
  ///
  /// - Parameters:
  ///   - lines: the lines, which may be wider than the terminal; the terminal then wraps them.
  ///   - rows: the rows, each narrower than the terminal.
  ///   - columns: the current width of the terminal. If the terminal has become narrower, it has wrapped the rows on the screen.
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

  /// Marks the region as empty, without changing the screen. Call this method after another program has written below the rows, since the
  /// region can't redraw the rows in place any more.
  mutating func forget() {
    shown = []
    isActive = false
  }

  /// Returns the bytes that write `lines` to the screen, remove the region and show the cursor.
  mutating func end(above lines: [String], columns: Int) -> String {
    guard isActive else { return lines.map { $0 + "\n" }.joined() }
    var text = LiveRegion.beginFrame + returnToTop(columns: columns) + LiveRegion.permanent(lines)
    text += LiveRegion.eraseBelow + LiveRegion.showCursor + LiveRegion.endFrame
    shown = []
    isActive = false
    return text
  }

  /// Returns the bytes that write lines above the region. These lines stay on the terminal, and scroll up when more lines follow.
  ///
  /// The rest of the screen is erased once, before the lines are written. Erasing the rest of the row after each line would be wrong: if a
  /// line fills its row completely, the last character of the line would be erased.
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
