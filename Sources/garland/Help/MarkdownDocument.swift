/// A Markdown text, split into blocks. It supports only the Markdown that the documentation uses: headings, paragraphs, lists, tables and
/// fenced code.
struct MarkdownDocument {
  enum Block: Equatable {
    case heading(level: Int, String)
    case paragraph(String)
    /// An item of a list, with its marker and the number of columns before the marker.
    case item(marker: String, depth: Int, String)
    case code([String])
    case table(titles: [String], rows: [[String]])
  }

  private(set) var blocks: [Block] = []

  init(_ text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    // The paragraph or list item that the next line may continue.
    var open: Block?
    while let line = lines.popFirst() {
      let words = line.drop { $0 == " " }
      if words.isEmpty {
        close(&open)
      } else if words.hasPrefix("```") {
        close(&open)
        blocks.append(Self.code(&lines, indentation: line.count - words.count))
      } else if words.hasPrefix("|") {
        close(&open)
        blocks.append(Self.table(words, &lines))
      } else if let (marks, text) = Self.split(words, afterMarker: { $0.prefix { $0 == "#" } }), marks.count <= 6 {
        close(&open)
        blocks.append(.heading(level: marks.count, text))
      } else if let (marker, text) = Self.split(words, afterMarker: Self.itemMarker) {
        close(&open)
        open = .item(marker: marker == "*" ? "-" : String(marker), depth: line.count - words.count, text)
      } else {
        open = Self.continued(open, String(words))
      }
    }
    close(&open)
  }

  /// Splits a line into the marker at its beginning and the text after it; nil if it begins with no marker, or no space follows. A regular
  /// expression would be compiled again for each line, which took half the time of a search in all pages.
  private static func split(
    _ line: Substring, afterMarker marker: (Substring) -> Substring
  ) -> (marker: Substring, text: String)? {
    let marker = marker(line)
    let rest = line[marker.endIndex...]
    guard !marker.isEmpty, rest.first == " " else { return nil }
    return (marker, String(rest.drop { $0 == " " }))
  }

  /// Returns the marker of a list item at the beginning of a line, such as `-` or `2.`; empty if there is none.
  private static func itemMarker(_ line: Substring) -> Substring {
    if line.hasPrefix("-") || line.hasPrefix("*") { return line.prefix(1) }
    let digits = line.prefix { $0.isNumber }
    return line.prefix(!digits.isEmpty && line[digits.endIndex...].hasPrefix(".") ? digits.count + 1 : 0)
  }

  private mutating func close(_ open: inout Block?) {
    if let block = open { blocks.append(block) }
    open = nil
  }

  private static func continued(_ block: Block?, _ line: String) -> Block {
    switch block {
    case .paragraph(let text): .paragraph(text + " " + line)
    case .item(let marker, let depth, let text): .item(marker: marker, depth: depth, text + " " + line)
    default: .paragraph(line)
    }
  }

  private static func code(_ lines: inout ArraySlice<Substring>, indentation: Int) -> Block {
    var code: [String] = []
    while let line = lines.popFirst(), !line.drop(while: { $0 == " " }).hasPrefix("```") {
      let spaces = min(line.prefix { $0 == " " }.count, indentation)
      code.append(String(line.dropFirst(spaces)))
    }
    return .code(code)
  }

  private static func table(_ first: Substring, _ lines: inout ArraySlice<Substring>) -> Block {
    var rows = [cells(first)]
    while let line = lines.first, line.drop(while: { $0 == " " }).hasPrefix("|") {
      lines.removeFirst()
      rows.append(cells(line))
    }
    // The second row is the line below the titles.
    return .table(titles: rows[0], rows: Array(rows.dropFirst(2)))
  }

  /// Returns the cells of a row. `\|` is a literal bar within a cell.
  private static func cells(_ line: Substring) -> [String] {
    var cells: [String] = []
    var cell = ""
    var isEscaped = false
    for character in line.drop(while: { $0 == " " }).dropFirst() {
      switch character {
      case "|" where !isEscaped:
        cells.append(String(cell.trimmingPrefix { $0 == " " }).trimmedAtEnd)
        cell = ""
      case "|":
        cell.removeLast()
        cell.append("|")
      default: cell.append(character)
      }
      isEscaped = character == "\\"
    }
    return cells
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension MarkdownDocument {
  /// The text of the first heading; nil if the document has no heading.
  var title: String? {
    for case .heading(1, let text) in blocks { return text }
    return nil
  }
}
