import GarlandDiagnostics

/// A row in the making that knows its width: a run of many steps spends most of its reporting on these.
struct RowBuilder {
  private(set) var text = StyledText()
  /// Columns so far, without what is only there for the next column.
  private(set) var width = 0
  private var gap = 0
  private let isPlain: Bool

  /// - Parameter isPlain: whether nobody will see styles, so that all can be one part.
  init(isPlain: Bool) { self.isPlain = isPlain }

  /// Adds text; the spaces that fill its column appear when something follows.
  /// - Parameters:
  ///   - string: one line.
  ///   - style: what it is.
  ///   - columns: how wide its column is; longer text is cut if `cuts` says so.
  mutating func append(_ string: String, _ style: StyledText.Style = .plain, columns: Int = 0, cuts: Bool = false) {
    var string = string
    var length = RowBuilder.width(of: string)
    if cuts, length > columns {
      string = StyledText(string).truncated(to: columns).plain
      length = RowBuilder.width(of: string)
    }
    guard length > 0 else {
      gap += columns
      return
    }
    width += gap + length
    let style = isPlain ? .plain : style
    if gap > 0 { text.append(String(repeating: " ", count: gap), style) }
    text.append(string, style)
    gap = max(0, columns - length)
  }

  /// Adds text at the right of its column.
  mutating func append(trailing string: String, _ style: StyledText.Style = .plain, columns: Int) {
    gap += max(0, columns - RowBuilder.width(of: string))
    append(string, style)
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
