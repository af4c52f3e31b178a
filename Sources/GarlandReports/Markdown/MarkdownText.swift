/// Escapes text of documents and servers for GitHub Flavored Markdown, so that nothing in it is interpreted as markup, a link, a mention or
/// the end of a table cell.
enum MarkdownText {
  /// Returns text as inline code, for use in a line or a table cell. GitHub recognises mentions and references everywhere except in code.
  static func code(_ text: String) -> String {
    // In a table, a `|` ends a cell even in code, and a backslash before it would be part of the code.
    guard !text.utf8.contains(where: { $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: "\\") }), !text.isEmpty
    else {
      return htmlCode(text)
    }
    let isPadded = text.hasPrefix(" ") || text.hasSuffix(" ")
    return isPadded ? "` \(text) `" : "`\(text)`"
  }

  /// Returns text as an HTML `<code>` element. Each character that is markup in Markdown or in HTML becomes a character reference.
  static func htmlCode(_ text: String) -> String { "<code>\(references(text))</code>" }

  /// Returns text for use within a line. A zero-width space after each `@` prevents GitHub from recognising a mention.
  static func words(_ text: String) -> String { references(text).replacing("&#64;", with: "&#64;&#8203;") }

  /// Returns lines as a fenced code block. The fence is longer than any run of backticks in the lines.
  static func block(_ lines: [String]) -> String {
    var longest = 2
    for line in lines {
      var run = 0
      for byte in line.utf8 {
        run = byte == UInt8(ascii: "`") ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence)text\n\(lines.joined(separator: "\n"))\n\(fence)\n"
  }

  /// The characters that can begin markup, or that GitHub turns into a link.
  private static let special = Set("\\`*_[]<>#|~&@".unicodeScalars)

  private static func references(_ text: String) -> String {
    // GitHub also recognises an address without a scheme that begins with `www.`.
    let hasAddress = text.lowercased().contains("www.")
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      // A colon may be part of an address, or of an emoji such as `:tada:`, but not after a word or in a time.
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      let isColon =
        scalar == ":" && next != " "
        && !(index > 0 && scalars[index - 1].properties.numericType != nil && next.properties.numericType != nil)
      if special.contains(scalar) || isColon || (hasAddress && scalar == ".") {
        result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
