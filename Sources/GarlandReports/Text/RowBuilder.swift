import GarlandDiagnostics

/// Builds a row of text from columns and counts its width. It has to be fast, since a run of many steps spends most of its reporting time
/// on rows.
struct RowBuilder {
  private var styled = StyledText()
  /// The bytes of the row; used instead of `styled` if the output has no styles.
  private var plain: [UInt8] = []
  /// The number of terminal columns that the row has so far, without the padding before the next text.
  private(set) var width = 0
  private var gap = 0
  private let isPlain: Bool

  /// Creates an empty row.
  ///
  /// - Parameter isPlain: whether the output has no styles, so that the row can be built as plain bytes, which is faster.
  init(isPlain: Bool) {
    self.isPlain = isPlain
    if isPlain { plain.reserveCapacity(120) }
  }

  /// The row as styled text, when all its parts have been added.
  var text: StyledText { isPlain ? StyledText(String(decoding: plain, as: UTF8.self)) : styled }

  /// Adds text in a column. The spaces that fill the rest of the column are added only when more text follows.
  /// - Parameters:
  ///   - string: the text, without line breaks.
  ///   - style: the style of the text, such as bold.
  ///   - columns: the width of the column; longer text is cut to this width if `cuts` is true.
  ///   - keepsEnd: whether longer text is cut in the middle and not at its end.
  ///   - known: the width of the text, if the caller knows it, so that it is not computed again.
  mutating func append(
    _ string: String, _ style: StyledText.Style = .plain, columns: Int = 0, cuts: Bool = false, keepsEnd: Bool = false,
    width known: Int? = nil
  ) {
    var string = string
    var length = known ?? RowBuilder.width(of: string)
    if cuts, length > columns {
      string = (keepsEnd ? StyledText(string).shortened(to: columns) : StyledText(string).truncated(to: columns)).plain
      length = RowBuilder.width(of: string)
    }
    guard length > 0 else {
      gap += columns
      return
    }
    width += gap + length
    if isPlain {
      for _ in 0..<gap { plain.append(UInt8(ascii: " ")) }
      plain.append(contentsOf: string.utf8)
    } else {
      if gap > 0 { styled.append(String(repeating: " ", count: gap), style) }
      styled.append(string, style)
    }
    gap = max(0, columns - length)
  }

  /// Adds text in a column of the given width, aligned to the right.
  mutating func append(trailing string: String, _ style: StyledText.Style = .plain, columns: Int) {
    let length = RowBuilder.width(of: string)
    gap += max(0, columns - length)
    append(string, style, width: length)
  }

  /// Leaves the given number of columns free before the next text.
  mutating func space(_ columns: Int) { gap += columns }

  /// The number of columns so far, including the padding before the next text.
  var end: Int { width + gap }

  /// Returns the width of a text in columns. The function is fast for printable ASCII, as in most texts.
  static func width(of string: String) -> Int {
    RowBuilder.isPrintableASCII(string) ? string.utf8.count : DisplayWidth.of(string)
  }

  static func isPrintableASCII(_ string: String) -> Bool {
    string.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } } ?? false
  }
}
