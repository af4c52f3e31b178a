/// A source line in displayable form: tabs are expanded, invisible characters are made visible, and a long
/// line is truncated.
struct SourceLine {
  /// A displayed character, with the position of its bytes in the file.
  struct Cell {
    var text: String
    var width: Int
    /// The offset of the displayed character in the file: the offset of the first byte of this character.
    var offset: Int
  }

  private(set) var cells: [Cell] = []
  /// The offset in the file of the first byte after the displayed part of the line.
  private(set) var end: Int
  private var isCutLeft = false
  private var isCutRight = false

  private static let tabStop = 4
  /// The maximum number of bytes around the caret that are processed if a line is very long.
  private static let window = 4096

  /// Creates the displayable form of a line.
  ///
  /// - Parameters:
  ///   - bytes: The line; its indices are offsets in the file.
  ///   - focus: The part that must be visible.
  ///   - width: The number of available columns.
  init(_ bytes: ArraySlice<UInt8>, focus: Range<Int>, width: Int) {
    var lower = bytes.startIndex
    var upper = bytes.endIndex
    if bytes.count > Self.window {
      let center = min(max(focus.lowerBound, bytes.startIndex), bytes.endIndex)
      lower = max(lower, center - Self.window / 2)
      upper = min(upper, center + Self.window / 2)
      while lower > bytes.startIndex, lower < bytes.endIndex, bytes[lower] & 0xC0 == 0x80 { lower -= 1 }
      while upper < bytes.endIndex, bytes[upper] & 0xC0 == 0x80 { upper += 1 }
      isCutLeft = lower > bytes.startIndex
      isCutRight = upper < bytes.endIndex
    }
    end = upper
    read(bytes[lower..<upper])
    cut(focus: focus, width: width)
  }

  private mutating func read(_ bytes: ArraySlice<UInt8>) {
    var column = 0
    var at = bytes.startIndex
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      var text = String(Character(scalar))
      if scalar == "\t" {
        text = String(repeating: " ", count: Self.tabStop - column % Self.tabStop)
      } else if let substitute = DisplayText.substitute(for: scalar) {
        text = substitute
      }
      let width = DisplayWidth.of(text)
      if width == 0, let last = cells.indices.last {
        // A combining mark belongs to the preceding character. U+FE0F makes this character wider.
        cells[last].text += text
        let wider = cells[last].width == 1 && scalar.value == 0xFE0F ? 1 : 0
        cells[last].width += wider
        column += wider
      } else {
        cells.append(Cell(text: text, width: width, offset: at))
        column += width
      }
      at += Self.length(bytes, at, scalar)
    }
  }

  /// Returns the length in bytes of the scalar at a position. For a replacement character, it is the number of invalid bytes that the
  /// character replaces.
  private static func length(_ bytes: ArraySlice<UInt8>, _ at: Int, _ scalar: Unicode.Scalar) -> Int {
    guard scalar == "\u{FFFD}", at < bytes.endIndex, bytes[at] != 0xEF else { return UTF8.width(scalar) }
    var end = at + 1
    while end < bytes.endIndex, bytes[end] & 0xC0 == 0x80, end - at < 3 { end += 1 }
    return end - at
  }

  private mutating func cut(focus: Range<Int>, width: Int) {
    let total = cells.reduce(0) { $0 + $1.width }
    guard total > width || isCutLeft || isCutRight else { return }
    let first = cells.firstIndex { $0.offset >= focus.lowerBound } ?? cells.count
    let focused = cells[first...].prefix { $0.offset < focus.upperBound }.reduce(0) { $0 + $1.width }
    // A third of the columns shows the text before the caret, or more if the marked text is short and ends the line.
    let room = max(width - 2, 8)
    let before = max(room / 3, room - max(focused, 1) - room / 3)
    var lower = first
    var used = 0
    while lower > 0, used + cells[lower - 1].width <= before {
      lower -= 1
      used += cells[lower].width
    }
    var upper = first
    while upper < cells.count, used + cells[upper].width <= room {
      used += cells[upper].width
      upper += 1
    }
    while lower > 0, used + cells[lower - 1].width <= room {
      lower -= 1
      used += cells[lower].width
    }
    isCutLeft = isCutLeft || lower > 0
    isCutRight = isCutRight || upper < cells.count
    if upper < cells.count { end = cells[upper].offset }
    cells = Array(cells[lower..<upper])
  }

  /// The line as text, with `…` where it was truncated.
  var text: String { (isCutLeft ? "…" : "") + cells.map(\.text).joined() + (isCutRight ? "…" : "") }

  /// Returns the terminal column at which a byte of the line is displayed, starting at 0.
  func column(of offset: Int) -> Int {
    var column = isCutLeft ? 1 : 0
    for (index, cell) in cells.enumerated() {
      let next = index + 1 < cells.count ? cells[index + 1].offset : end
      if offset < next { return column }
      column += cell.width
    }
    return column
  }
}
