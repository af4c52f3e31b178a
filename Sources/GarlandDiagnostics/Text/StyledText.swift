/// Text whose parts have a meaning, such as an error or a number.
///
/// When the text is rendered, each meaning has its colour.
///
/// ```swift
/// let line: StyledText = "\("passed", .success) \("health", .emphasis) in 12 ms"
/// line.rendered(.plain)  // passed health in 12 ms
/// ```
public struct StyledText: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The meaning of a part of a text, such as an error or advice. The meaning determines how the part is displayed.
  public enum Style: UInt8, Sendable, Hashable, CaseIterable {
    /// Text without a special meaning.
    case plain
    /// The word for an error, or the mark under the text that causes the error.
    case error
    /// The word for a warning, or the mark under the text that causes the warning.
    case warning
    /// An additional fact about a diagnostic.
    case note
    /// Advice for the user.
    case help
    /// The most important part of a text.
    case emphasis
    /// A less important part of a text.
    case dim
    /// A step or check that passed, or the added text in a difference.
    case success
    /// A failed step or check, or a text that a change removes.
    case failure
    /// A step that was skipped or blocked.
    case skip
    /// A URL.
    case url
    /// The name of a member, header or key.
    case key
    /// A number.
    case number
    /// A string value in displayed data, such as JSON.
    case string
    /// A boolean or null in data, or a keyword.
    case keyword
  }

  /// Whether and how colours are rendered.
  public enum ColorMode: Sendable, Hashable {
    /// The text is rendered without colours.
    case plain
    /// The text is rendered with the sixteen colours that every terminal has; the terminal's settings determine their exact shades.
    case ansi16
  }

  /// A part of a text, with its style.
  public struct Span: Sendable, Hashable {
    /// The text of the part, without escape sequences.
    public var text: String
    /// The style that expresses the meaning of the part.
    public var style: Style

    /// Creates a part of a text.
    ///
    /// - Parameters:
    ///   - text: The text of the part.
    ///   - style: The meaning of the text.
    public init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  /// The parts of the text in order. No part is empty, and no two neighbours have the same style.
  public private(set) var spans: [Span] = []

  /// Creates text with one style.
  public init(_ text: String = "", _ style: Style = .plain) { append(text, style) }
  /// Creates text without a style.
  public init(stringLiteral value: String) { append(value) }
  /// Creates text from an interpolation.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.text }

  /// Collects the parts of a string interpolation such as `"\(text, .style)"`.
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = StyledText()
    /// Creates an empty text. The capacities are ignored.
    public init(literalCapacity: Int, interpolationCount: Int) {}
    /// Adds the literal text between interpolations.
    public mutating func appendLiteral(_ literal: String) { text.append(literal) }
    /// Adds text with a style.
    public mutating func appendInterpolation(_ value: String, _ style: Style = .plain) { text.append(value, style) }
    /// Adds an integer in decimal digits.
    public mutating func appendInterpolation(_ value: some BinaryInteger, _ style: Style = .plain) { text.append("\(value)", style) }
    /// Adds styled text and keeps its styles.
    public mutating func appendInterpolation(_ value: StyledText) { text.append(value) }
  }

  /// Adds text with a style.
  public mutating func append(_ text: String, _ style: Style = .plain) {
    guard !text.isEmpty else { return }
    if let last = spans.last, last.style == style {
      spans[spans.count - 1].text += text
    } else {
      spans.append(Span(text, style))
    }
  }

  /// Adds styled text and keeps its styles.
  mutating func append(_ other: StyledText) {
    for span in other.spans { append(span.text, span.style) }
  }

  /// Returns the concatenation of two texts.
  public static func + (left: StyledText, right: StyledText) -> StyledText {
    var result = left
    result.append(right)
    return result
  }

  /// Adds text at the end.
  public static func += (left: inout StyledText, right: StyledText) { left.append(right) }

  /// Whether the text is empty.
  public var isEmpty: Bool { spans.isEmpty }
  /// The text without styles.
  public var plain: String { spans.count == 1 ? spans[0].text : spans.map(\.text).joined() }
  /// The text without styles.
  public var description: String { plain }
  /// The number of terminal columns of the text, which must be a single line.
  public var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

  /// Returns the text truncated to at most `width` columns, with `…` at the end if a part was removed.
  public func truncated(to width: Int) -> StyledText {
    guard self.width > width else { return self }
    guard width > 0 else { return StyledText() }
    var result = StyledText()
    var left = width - 1
    for span in spans {
      var kept = ""
      for character in span.text {
        let columns = DisplayWidth.of(character)
        guard columns <= left else {
          result.append(kept + "…", span.style)
          return result
        }
        kept.append(character)
        left -= columns
      }
      result.append(kept, span.style)
    }
    return result
  }

  /// If the text is wider than `width`, returns it with `…` in place of its middle. The beginning and the end are kept, since two ids or
  /// URLs may differ only at the beginning or only at the end.
  public func shortened(to width: Int) -> StyledText {
    guard self.width > width else { return self }
    guard width > 2 else { return truncated(to: width) }
    let cells = spans.flatMap { span in span.text.map { (text: String($0), style: span.style, width: DisplayWidth.of($0)) } }
    func count(_ cells: some Sequence<(text: String, style: Style, width: Int)>, within columns: Int) -> Int {
      var left = columns
      return cells.prefix { cell in
        left -= cell.width
        return left >= 0
      }.count
    }
    let tail = count(cells.reversed(), within: (width - 1) / 2)
    let head = count(cells, within: width - 1 - (width - 1) / 2)
    var result = StyledText()
    for cell in cells.prefix(head) { result.append(cell.text, cell.style) }
    result.append("…", cells[head].style)
    for cell in cells.suffix(tail) { result.append(cell.text, cell.style) }
    return result
  }

  /// The side of a column to which a text is aligned.
  public enum Alignment: Sendable, Hashable {
    /// The text is at the left of the column.
    case leading
    /// The text is at the right of the column.
    case trailing
  }

  /// Returns the text padded with spaces to `width` columns; longer text stays unchanged.
  public func padded(to width: Int, _ alignment: Alignment = .leading) -> StyledText {
    let missing = width - self.width
    guard missing > 0 else { return self }
    let space = StyledText(String(repeating: " ", count: missing))
    return alignment == .leading ? self + space : space + self
  }

  /// Returns the text as a string, with or without the codes of its colours.
  public func rendered(_ mode: ColorMode) -> String {
    guard mode == .ansi16 else { return plain }
    var result = ""
    var style = Style.plain
    for span in spans {
      result += Self.codes(from: style, to: span.style) + span.text
      style = span.style
    }
    return result + Self.codes(from: style, to: .plain)
  }

  /// Returns the control sequences between a text of one style and a following text of another style. Coloured text begins and ends with
  /// the style ``Style/plain``.
  package static func codes(from style: Style, to next: Style) -> String {
    guard style != next else { return "" }
    return (style == .plain ? "" : endOfStyle) + (code(of: next).map { "\u{1B}[\($0)m" } ?? "")
  }

  /// The control sequence after a text with a style.
  package static let endOfStyle = "\u{1B}[0m"

  /// Returns ECMA-48 SGR parameters for a style. The colours are readable on dark and light backgrounds, so
  /// white, black and bright yellow are not used.
  private static func code(of style: Style) -> String? {
    switch style {
    case .plain: nil
    case .error: "1;31"
    case .warning: "1;33"
    case .note: "1;34"
    case .help: "1;36"
    case .emphasis: "1"
    case .dim: "2"
    case .success: "32"
    case .failure: "31"
    case .skip: "33"
    case .url: "4;36"
    case .key: "34"
    case .number: "36"
    case .string: "32"
    case .keyword: "35"
    }
  }
}
