/// A simple terminal that interprets exactly the escape sequences that the live view uses, and records any other as a mistake.
struct VirtualTerminal {
  private(set) var columns: Int
  private(set) var rows: Int
  /// The lines that have scrolled off the top of the screen.
  private(set) var scrollback: [String] = []
  private(set) var isCursorVisible = true
  private(set) var isSynchronized = false
  /// The escape sequences that are unknown.
  private(set) var mistakes: [String] = []
  private var cells: [[Character?]]
  private var row = 0
  private var column = 0
  private var wrapIsPending = false

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Array(repeating: nil, count: columns), count: rows)
  }

  /// The rows of the screen down to the last row that is not blank, without trailing spaces.
  var screen: [String] {
    var lines = cells.map(VirtualTerminal.text)
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// All lines from the beginning, including those that have scrolled off.
  var everything: String { (scrollback + screen).joined(separator: "\n") }

  var cursor: (row: Int, column: Int) { (row, column) }

  private static func text(_ cells: [Character?]) -> String {
    var line = ""
    for cell in cells {
      // A wide character also occupies the next cell, which contains U+0000.
      if cell != "\0" { line.append(cell ?? " ") }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  mutating func write(_ text: String) {
    var characters = Array(text.unicodeScalars)[...]
    while let scalar = characters.popFirst() {
      switch scalar {
      case "\u{1B}": escape(&characters)
      case "\r":
        column = 0
        wrapIsPending = false
      case "\n":
        // The line discipline (ONLCR) adds a carriage return.
        column = 0
        lineFeed()
      default: put(scalar)
      }
    }
  }

  /// Makes the terminal narrower or wider and wraps its rows again, as most terminals do.
  mutating func resize(columns newColumns: Int) {
    var rewrapped: [[Character?]] = []
    var newRow = 0
    var newColumn = 0
    for (index, line) in cells.enumerated() {
      var rest = line
      while let last = rest.last, last == nil { rest.removeLast() }
      if index == row {
        newRow = rewrapped.count + (column > 0 ? (column - 1) / newColumns : 0)
        newColumn = column > 0 ? (column - 1) % newColumns + 1 : 0
      }
      repeat {
        let part = Array(rest.prefix(newColumns))
        rewrapped.append(part + Array(repeating: nil, count: newColumns - part.count))
        rest = Array(rest.dropFirst(newColumns))
      } while !rest.isEmpty
    }
    while rewrapped.count > rows, rewrapped.last?.allSatisfy({ $0 == nil }) == true, rewrapped.count - 1 > newRow { rewrapped.removeLast() }
    while rewrapped.count > rows {
      scrollback.append(VirtualTerminal.text(rewrapped.removeFirst()))
      newRow -= 1
    }
    columns = newColumns
    cells = rewrapped
    row = max(0, newRow)
    column = min(newColumn, columns - 1)
    wrapIsPending = newColumn == columns
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let wide = scalar.value >= 0x1100 && (scalar.value <= 0x115F || (0x2E80...0xFFDC).contains(scalar.value) || scalar.value >= 0x1F300)
    if wrapIsPending || (wide && column == columns - 1) {
      column = 0
      lineFeed()
    }
    cells[row][column] = Character(scalar)
    if wide { cells[row][column + 1] = "\0" }
    column += wide ? 2 : 1
    wrapIsPending = column >= columns
    if wrapIsPending { column = columns - 1 }
  }

  private mutating func lineFeed() {
    wrapIsPending = false
    if row < rows - 1 {
      row += 1
    } else {
      scrollback.append(VirtualTerminal.text(cells.removeFirst()))
      cells.append(Array(repeating: nil, count: columns))
    }
  }

  private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    guard rest.popFirst() == "[" else {
      mistakes.append("ESC without [")
      return
    }
    var parameter = ""
    while let scalar = rest.popFirst() {
      guard scalar.value >= 0x40 else {
        parameter.unicodeScalars.append(scalar)
        continue
      }
      switch (parameter, scalar) {
      case ("?25", "l"): isCursorVisible = false
      case ("?25", "h"): isCursorVisible = true
      case ("?2026", "h"): isSynchronized = true
      case ("?2026", "l"): isSynchronized = false
      case ("", "K"): for index in column..<columns { cells[row][index] = nil }
      case ("", "J"):
        for index in column..<columns { cells[row][index] = nil }
        for below in (row + 1)..<max(row + 1, rows) { cells[below] = Array(repeating: nil, count: columns) }
      case (_, "A"):
        row = max(0, row - (Int(parameter) ?? 1))
        wrapIsPending = false
      case (_, "m"): break
      default: mistakes.append("ESC [ \(parameter) \(scalar)")
      }
      return
    }
    mistakes.append("an unfinished sequence")
  }
}
