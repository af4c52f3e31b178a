import GarlandDiagnostics
import GarlandText

/// Finds the source range of a part of a scalar's text.
///
/// Only diagnostics need such ranges, so nodes do not store them. Instead, the source of the scalar is read again and compared with the
/// text. If the source and the text do not match (because of line breaks of YAML 1.1 such as U+2028), the result is the range of the whole
/// value.
enum ScalarMap {
  static func locate(_ range: Range<Int>, text: String, style: YAMLScalar.Style, in place: SourceRange) -> SourceRange {
    let text = Array(text.utf8)
    let lower = min(max(range.lowerBound, 0), text.count)
    let upper = min(max(range.upperBound, lower), text.count)
    let offsets = place.offsets
    guard offsets.upperBound <= place.file.bytes.count else { return place }
    var reader = ScalarReader(source: place.file.bytes, range: offsets, text: text, style: style)
    guard let pieces = reader.read() else { return place }
    guard lower < upper else {
      let at = lower < text.count ? pieces.starts[lower] : pieces.end
      return SourceRange(place.file, at..<at)
    }
    return SourceRange(place.file, pieces.starts[lower]..<max(pieces.starts[lower], pieces.ends[upper - 1]))
  }
}

/// Reads a scalar's source, and records for each byte of the decoded text the range of the source that produces it.
struct ScalarReader {
  struct Pieces {
    /// For each byte of the decoded text, the start offset of the source characters that produce this byte.
    var starts: [Int] = []
    /// For each byte of the decoded text, the end offset of the source characters that produce this byte.
    var ends: [Int] = []
    /// The offset in the source after the last character of the scalar's text.
    var end: Int
  }

  private let source: [UInt8]
  private let text: [UInt8]
  private let style: YAMLScalar.Style
  private let range: Range<Int>
  private var pieces: Pieces
  private var at: Int
  private var stop: Int

  init(source: [UInt8], range: Range<Int>, text: [UInt8], style: YAMLScalar.Style) {
    self.source = source
    self.text = text
    self.style = style
    self.range = range
    at = range.lowerBound
    stop = range.upperBound
    pieces = Pieces(end: range.upperBound)
  }

  /// Reads the scalar's source, and finds the source range of each byte of the decoded text. Returns nil if the source, as this reader
  /// decodes it, differs from the decoded text.
  mutating func read() -> Pieces? {
    pieces.starts.reserveCapacity(text.count)
    pieces.ends.reserveCapacity(text.count)
    switch style {
    case .plain: break
    case .singleQuoted, .doubleQuoted:
      let quote = style == .singleQuoted ? UInt8(ascii: "'") : UInt8(ascii: "\"")
      guard range.count >= 2, source[at] == quote, source[stop - 1] == quote else { return nil }
      at += 1
      stop -= 1
      pieces.end = stop
    case .literal, .folded:
      return readBlock() && pieces.starts.count == text.count ? pieces : nil
    }
    return readFlow() && pieces.starts.count == text.count ? pieces : nil
  }

  /// Checks that the next byte of the scalar's text is `byte`, and records `part` as the source range of this byte. Returns false, without
  /// recording, if the next byte is a different one.
  private mutating func emit(_ byte: UInt8, _ part: Range<Int>) -> Bool {
    guard pieces.starts.count < text.count, text[pieces.starts.count] == byte else { return false }
    pieces.starts.append(part.lowerBound)
    pieces.ends.append(part.upperBound)
    return true
  }

  private mutating func emit(_ bytes: some Collection<UInt8>, _ part: Range<Int>) -> Bool {
    for byte in bytes where !emit(byte, part) { return false }
    return true
  }

  private func isBreak(_ offset: Int) -> Bool { offset < stop && SourceScan.isBreak(source[offset]) }

  private func afterBreak(_ offset: Int) -> Int {
    source[offset] == UInt8(ascii: "\r") && offset + 1 < source.count && source[offset + 1] == UInt8(ascii: "\n") ? offset + 2 : offset + 1
  }

  // MARK: Plain and quoted

  private mutating func readFlow() -> Bool {
    while at < stop {
      let byte = source[at]
      if byte.isWhiteSpace {
        guard readBlanks() else { return false }
      } else if style == .singleQuoted, byte == UInt8(ascii: "'") {
        guard emit(byte, at..<at + 2) else { return false }
        at += 2
      } else if style == .doubleQuoted, byte == UInt8(ascii: "\\") {
        guard readEscape() else { return false }
      } else {
        guard emit(byte, at..<at + 1) else { return false }
        at += 1
      }
    }
    return true
  }

  /// Reads blanks and line breaks in the scalar's source, and checks that the decoded text contains what YAML makes of them (YAML 1.2.2,
  /// section 6.5): blanks within a line are unchanged, and line breaks are folded together with the blanks around them. Returns false if
  /// the decoded text differs.
  private mutating func readBlanks() -> Bool {
    let start = at
    while at < stop, source[at].isBlank { at += 1 }
    guard isBreak(at) else {
      for offset in start..<at where !emit(source[offset], offset..<offset + 1) { return false }
      return true
    }
    var breaks: [Range<Int>] = []
    while isBreak(at) {
      let next = afterBreak(at)
      breaks.append(at..<next)
      at = next
      while at < stop, source[at].isBlank { at += 1 }
    }
    if breaks.count == 1 { return emit(UInt8(ascii: " "), start..<at) }
    for part in breaks.dropFirst() where !emit(UInt8(ascii: "\n"), part) { return false }
    return true
  }

  private mutating func readEscape() -> Bool {
    let start = at
    guard at + 1 < stop else { return false }
    let letter = source[at + 1]
    if SourceScan.isBreak(letter) {
      at = afterBreak(at + 1)
      while at < stop, source[at].isBlank { at += 1 }
      while isBreak(at) {
        let next = afterBreak(at)
        guard emit(UInt8(ascii: "\n"), at..<next) else { return false }
        at = next
        while at < stop, source[at].isBlank { at += 1 }
      }
      return true
    }
    at += 2
    let digits: Int
    switch letter {
    case UInt8(ascii: "x"): digits = 2
    case UInt8(ascii: "u"): digits = 4
    case UInt8(ascii: "U"): digits = 8
    default:
      guard let value = Self.escapes[letter] else { return false }
      return emit(String(value).utf8, start..<at)
    }
    guard at + digits <= stop, let value = UInt32(String(decoding: source[at..<at + digits], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { return false }
    at += digits
    return emit(String(Character(scalar)).utf8, start..<at)
  }

  /// The escapes of YAML 1.2.2, section 5.7.
  private static let escapes: [UInt8: Character] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t", UInt8(ascii: "\t"): "\t",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r",
    UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: " "): " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\",
    UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}", UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
  ]

  // MARK: Blocks

  /// Reads a block scalar. Returns false if the source does not match the decoded text.
  ///
  /// The decoded text contains the content of each line unchanged. ``readSeparator(_:before:)`` reads the line breaks between two lines.
  private mutating func readBlock() -> Bool {
    while at < stop, !isBreak(at) { at += 1 }
    guard at < stop else { return readTail() }
    at = afterBreak(at)
    guard let indent = blockIndent() else { return false }
    var pendingBreaks: [Range<Int>] = []
    while at < stop {
      let lineStart = at
      var content = at
      while content < stop, content - lineStart < indent, source[content] == UInt8(ascii: " ") { content += 1 }
      var end = content
      while end < stop, !isBreak(end) { end += 1 }
      if content < end {
        guard readSeparator(pendingBreaks, before: content) else { return false }
        pendingBreaks = []
        for offset in content..<end where !emit(source[offset], offset..<offset + 1) { return false }
      }
      guard end < stop else {
        at = stop
        break
      }
      at = afterBreak(end)
      pendingBreaks.append(end..<at)
    }
    return readTail()
  }

  /// Reads the line breaks between two lines of content. Returns false if the decoded text does not contain the characters that YAML puts
  /// in place of these line breaks:
  ///
  /// - In a literal block (`|`), all line breaks stay.
  /// - In a folded block (`>`), a single line break becomes a space. Of several line breaks in a row, the first is removed.
  private mutating func readSeparator(_ breaks: [Range<Int>], before content: Int) -> Bool {
    let position = pieces.starts.count
    guard let last = breaks.last, let first = breaks.first else { return true }
    if position < text.count, text[position] == UInt8(ascii: " "), breaks.count == 1, style == .folded {
      return emit(UInt8(ascii: " "), first.lowerBound..<content)
    }
    var newlines = 0
    while position + newlines < text.count, text[position + newlines] == UInt8(ascii: "\n") { newlines += 1 }
    // Before the first line of content, the text contains each line break. Between folded lines, it does not contain the first line break.
    guard newlines == breaks.count || newlines == breaks.count - 1 else { return false }
    for part in breaks.suffix(newlines) {
      guard emit(UInt8(ascii: "\n"), part.upperBound == last.upperBound ? part.lowerBound..<content : part) else { return false }
    }
    return true
  }

  /// Reads the part of a block scalar's text that comes after the end of the node's range: line breaks, and then a line of spaces if there
  /// is one. Returns false if this part of the text contains a visible character.
  private mutating func readTail() -> Bool {
    while pieces.starts.count < text.count {
      let byte = text[pieces.starts.count]
      guard byte.isWhiteSpace else { return false }
      let end = min(stop + 1, source.count)
      guard emit(byte, min(stop, end)..<(end > stop && source[stop].isWhiteSpace ? end : stop)) else { return false }
    }
    return true
  }

  /// Returns the indentation of a block scalar in columns, as found in the first source line that has text. Spaces that belong to the
  /// decoded text do not count. Returns nil if the source does not match the text.
  private func blockIndent() -> Int? {
    var offset = at
    while offset < stop {
      let start = offset
      while offset < stop, source[offset] == UInt8(ascii: " ") { offset += 1 }
      if !isBreak(offset) {
        guard offset < stop else { return nil }
        let own = text.drop { $0 == UInt8(ascii: "\n") }.prefix { $0 == UInt8(ascii: " ") }.count
        return offset - start >= own ? offset - start - own : nil
      }
      offset = afterBreak(offset)
    }
    return 0
  }
}
