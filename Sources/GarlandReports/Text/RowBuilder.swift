import GarlandDiagnostics

/// A row under construction that knows its width: a run of many steps spends most of its reporting
/// on rows.
struct RowBuilder {
  private var styled = StyledText()
  /// The row without styles, for outputs that have none.
  private var plain: [UInt8] = []
  /// Columns so far, without what is only there for the next column.
  private(set) var width = 0
  private var gap = 0
  private let isPlain: Bool

  /// - Parameter isPlain: whether nobody will see styles, so that all can be one part.
  init(isPlain: Bool) {
    self.isPlain = isPlain
    if isPlain { plain.reserveCapacity(120) }
  }

  /// The row.
  var text: StyledText { isPlain ? StyledText(String(decoding: plain, as: UTF8.self)) : styled }

  /// Adds text; the spaces that fill its column appear when something follows.
  /// - Parameters:
  ///   - string: one line.
  ///   - style: the style.
  ///   - columns: the width of its column; longer text is cut if `cuts` is true.
  ///   - keepsEnd: whether it is cut in the middle.
  ///   - known: its width, if the caller knows it.
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

  /// Adds text at the right of its column.
  mutating func append(trailing string: String, _ style: StyledText.Style = .plain, columns: Int) {
    let length = RowBuilder.width(of: string)
    gap += max(0, columns - length)
    append(string, style, width: length)
  }

  /// Leaves columns free before what follows.
  mutating func space(_ columns: Int) { gap += columns }

  /// Columns so far, with those that are left free.
  var end: Int { width + gap }

  /// Most text is printable ASCII.
  static func width(of string: String) -> Int {
    RowBuilder.isPrintableASCII(string) ? string.utf8.count : DisplayWidth.of(string)
  }

  static func isPrintableASCII(_ string: String) -> Bool {
    string.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 >= 0x20 && $0 < 0x7F } } ?? false
  }
}
