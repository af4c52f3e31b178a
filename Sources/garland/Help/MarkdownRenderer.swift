import GarlandDiagnostics

/// Renders Markdown for a terminal.
struct MarkdownRenderer {
  /// The maximum number of columns in a line. Lines of code are not wrapped.
  let width: Int
  /// Whether code in a sentence keeps its backquotes. This is needed if the output has no colour that marks code.
  let marksCode: Bool

  // These regular expressions are compiled once for a renderer, and not again for each character of a text.
  private let code = /`([^`]+)`/
  private let strong = /\*\*([^*]+)\*\*/
  private let link = /!?\[([^\]]*)\]\(([^)]*)\)/

  func render(_ document: MarkdownDocument) -> StyledText {
    var lines: [StyledText] = []
    var previous: MarkdownDocument.Block?
    for block in document.blocks {
      let rendered = render(block)
      if let previous, !(previous.isItem && block.isItem), rendered.first != "" { lines.append("") }
      lines += rendered
      previous = block
    }
    return Self.joined(lines)
  }

  /// Renders table rows from the documentation pages. Above consecutive rows from the same section of a page, one line shows the heading of
  /// the section and the name of the page.
  func render(_ entries: [HelpLibrary.Entry]) -> StyledText {
    var lines: [StyledText] = []
    var previous: String?
    for entry in entries {
      let place = "\(entry.heading) (garland help \(entry.page))"
      if place != previous { lines += (previous == nil ? [] : [""]) + [inline(place)] }
      previous = place
      lines += row(entry.cells)
    }
    return Self.joined(lines)
  }

  private static func joined(_ lines: [StyledText]) -> StyledText {
    lines.reduce(into: StyledText()) { text, line in
      text += line.trimmed
      text.append("\n")
    }
  }

  private func render(_ block: MarkdownDocument.Block) -> [StyledText] {
    switch block {
    case .heading(let level, let text):
      return [StyledText(level == 1 ? text.uppercased() : String(repeating: " ", count: max(0, level - 2)) + text, .emphasis)]
    case .paragraph(let text): return inline(text).wrapped(to: width, indentation: 0)
    case .item(let marker, let depth, let text):
      let head = String(repeating: " ", count: depth) + marker + " "
      return (StyledText(head) + inline(text)).wrapped(to: width, indentation: head.count)
    case .code(let code): return code.map { StyledText("    " + $0) }
    case .table(let titles, let rows): return table(titles, rows)
    }
  }

  // MARK: Tables

  /// Renders a table in columns if it is narrow enough or has only two columns; otherwise as a paragraph for each row.
  private func table(_ titles: [String], _ rows: [[String]]) -> [StyledText] {
    let cells = ([titles] + rows).map { $0.map(inline) }
    var widths = titles.indices.map { column in cells.map { $0.indices.contains(column) ? $0[column].width : 0 }.max() ?? 0 }
    let gaps = 2 * (titles.count - 1)
    if widths.reduce(gaps, +) > width {
      guard titles.count == 2, widths[0] < width / 2 else { return rows.flatMap { row(Array(zip(titles, $0))) } }
      widths[1] = width - gaps - widths[0]
    }
    var lines: [StyledText] = []
    for (index, row) in cells.enumerated() {
      let columns = zip(row, widths).map { $0.wrapped(to: $1, indentation: 0) }
      for line in 0..<(columns.map(\.count).max() ?? 0) {
        var text = StyledText()
        for (column, width) in zip(columns, widths) {
          if !text.isEmpty { text.append("  ") }
          text += (column.indices.contains(line) ? column[line] : StyledText()).padded(to: width)
        }
        lines.append(index == 0 ? StyledText(text.plain, .dim) : text)
      }
    }
    return lines
  }

  /// Returns a row of a table as a paragraph. The first cell is on the first line. Each further cell is on a line below, after the title of
  /// its column.
  private func row(_ cells: [(title: String, text: String)]) -> [StyledText] {
    guard let name = cells.first else { return [] }
    let others = cells.dropFirst().filter { !$0.text.isEmpty }
    let column = (others.map(\.title.count).max() ?? 0) + 2
    return [""] + ("  " + inline(name.text)).wrapped(to: width, indentation: 2)
      + others.flatMap { title, text in
        let head = StyledText("    ") + StyledText(title.lowercased(), .dim).padded(to: column)
        return (head + inline(text)).wrapped(to: width, indentation: 4 + column)
      }
  }

  // MARK: Text in a line

  /// Renders code, strong text and links of a sentence. A link is shown as its text. If the link leads outside of the documentation, its
  /// address follows.
  private func inline(_ text: String) -> StyledText {
    var result = StyledText()
    var rest = text[...]
    while let special = rest.firstIndex(where: Self.mayBegin) {
      result.append(String(rest[..<special]))
      rest = rest[special...]
      if let code = rest.prefixMatch(of: code) {
        result.append(marksCode ? String(code.0) : String(code.1), .key)
        rest = rest[code.range.upperBound...]
      } else if let strong = rest.prefixMatch(of: strong) {
        result.append(String(strong.1), .emphasis)
        rest = rest[strong.range.upperBound...]
      } else if let link = rest.prefixMatch(of: link) {
        result += inline(String(link.1))
        if link.2.contains("://") { result.append(" (\(link.2))", .url) }
        rest = rest[link.range.upperBound...]
      } else {
        if rest.first == "\\", rest.count > 1 { rest.removeFirst() }
        result.append(String(rest.removeFirst()))
      }
    }
    result.append(String(rest))
    return result
  }

  /// Whether code, strong text, a link or an escaped character may begin with this character.
  private static func mayBegin(_ character: Character) -> Bool {
    switch character {
    case "`", "*", "!", "[", "\\": true
    default: false
    }
  }
}

extension MarkdownDocument.Block {
  fileprivate var isItem: Bool {
    if case .item = self { true } else { false }
  }
}
