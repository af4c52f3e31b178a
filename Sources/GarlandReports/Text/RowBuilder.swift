import GarlandDiagnostics

/// Builds a row of columns as the bytes that the console writes, and counts its width. If the output has colours, the bytes contain the
/// control sequences of the styles.
///
/// A row starts with ``begin(_:)`` and ends with ``finish(limit:)``. The builder has to be fast, since a run of many steps spends most of
/// its reporting time on rows. So each row uses the memory of the row before it.
struct RowBuilder {
  /// The bytes of the row so far.
  private(set) var bytes: [UInt8] = []
  /// The number of terminal columns that the row has so far, without the padding before the next text.
  private(set) var width = 0
  /// The number of spaces before the next text. They are added with this text, so that a row never ends with spaces.
  private var gap = 0
  private var colors = StyledText.ColorMode.plain
  /// The style of the last text.
  private var style = StyledText.Style.plain

  /// Removes the previous row, and begins a new one.
  mutating func begin(_ colors: StyledText.ColorMode) {
    bytes.removeAll(keepingCapacity: true)
    width = 0
    gap = 0
    style = .plain
    self.colors = colors
  }

  /// Adds text in a column. Text that is wider than its column is not cut.
  ///
  /// - Parameters:
  ///   - text: the text, without line breaks. It is `consuming`, so that its bytes are read without a copy of the text.
  ///   - style: the style of the text, such as bold.
  ///   - columns: the width of the column.
  ///   - alignment: the side of the column to which the text is aligned.
  ///   - known: the width of the text, if the caller knows it, so that it is not computed again.
  mutating func append(
    _ text: consuming String, _ style: StyledText.Style, columns: Int = 0, _ alignment: StyledText.Alignment = .leading,
    width known: Int? = nil
  ) {
    let length = known ?? RowBuilder.width(of: text)
    let padding = max(0, columns - length)
    if alignment == .trailing { gap += padding }
    if length > 0 {
      change(to: style)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: gap))
      text.withUTF8 { bytes.append(contentsOf: $0) }
      width += gap + length
      gap = 0
    }
    if alignment == .leading { gap += padding }
  }

  /// Leaves the given number of columns free before the next text.
  mutating func space(_ columns: Int) { gap += columns }

  /// The number of columns so far, including the padding before the next text.
  var end: Int { width + gap }

  /// Ends the row. If the row is wider than `limit` columns, cuts it to this width, with `…` as its last character.
  mutating func finish(limit: Int?) {
    change(to: .plain)
    if let limit, width > limit { cut(to: limit) }
  }

  private mutating func change(to next: StyledText.Style) {
    guard colors != .plain, next != style else { return }
    bytes.append(contentsOf: StyledText.codes(from: style, to: next).utf8)
    style = next
  }

  /// Cuts the finished row. The codes of styles have no width.
  private mutating func cut(to limit: Int) {
    let row = String(decoding: bytes, as: UTF8.self)
    var room = limit - 1
    var isInCode = false
    var isStyled = false
    let end = row.firstIndex { character in
      if character == "\u{1B}" {
        isInCode = true
        // A code that begins a style and a code that ends it alternate.
        isStyled.toggle()
      } else if isInCode {
        isInCode = character != "m"
      } else {
        room -= DisplayWidth.of(character)
      }
      return room < 0
    }
    bytes = Array((row[..<(end ?? row.endIndex)] + "…" + (isStyled ? StyledText.endOfStyle : "")).utf8)
  }

  /// Returns the width of a text in columns. The function is fast for printable ASCII, as in most texts.
  static func width(of string: String) -> Int {
    RowBuilder.isPrintableASCII(string) ? string.utf8.count : DisplayWidth.of(string)
  }

  static func isPrintableASCII(_ string: String) -> Bool {
    // Without an early exit, the processor can compare many bytes at once.
    string.utf8.withContiguousStorageIfAvailable { $0.reduce(0 as UInt8) { $0 | ($1 >= 0x20 && $1 < 0x7F ? 0 : 1) } == 0 } ?? false
  }
}
