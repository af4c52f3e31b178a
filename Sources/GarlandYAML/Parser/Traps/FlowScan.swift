import GarlandText

/// Searches a flow collection, and the text right after it, for an unquoted value that needs quotes.
struct FlowScan {
  let bytes: UnsafeBufferPointer<UInt8>

  /// A value that YAML reads differently than its author most likely intended.
  struct Suspect {
    /// The byte range of the text that the author most likely meant as one value.
    var range: Range<Int>
    /// Whether the value is inside of `{…}` or `[…]`.
    var inFlow: Bool
  }

  /// Searches a line for the first value whose first character is `{` or `[`. Returns the offset of this value; nil if there is no such
  /// value.
  func firstBracket(inLine line: Range<Int>) -> Int? {
    var atStart = true
    for offset in line {
      let byte = bytes[offset]
      if byte.isBlank { continue }
      if atStart, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return offset }
      let isIndicator = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") && atStart
      atStart = isIndicator && offset + 1 < line.upperBound && bytes[offset + 1].isBlank
    }
    return nil
  }

  /// Searches a flow collection, and the text right after the collection, for the first value that needs quotes. Returns nil if there is no
  /// such value.
  ///
  /// - Parameters:
  ///   - start: The offset at which the flow collection starts.
  ///   - end: The offset at which the search ends.
  func suspect(from start: Int, to end: Int) -> Suspect? {
    var open: [Int] = []
    var word: Int?
    var at = start
    while at < end {
      let byte = bytes[at]
      if let begin = word {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
          word = nil
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          return suspect(begin, inFlow: !open.isEmpty)
        case UInt8(ascii: ":") where isSeparator(at + 1, end):
          word = nil
        case UInt8(ascii: "#") where bytes[at - 1].isWhiteSpace:
          while at < end, !SourceScan.isBreak(bytes[at]) { at += 1 }
          word = nil
          continue
        default: break
        }
        at += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        guard let closing = closingQuote(from: at, to: end) else { return nil }
        at = closing + 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(at)
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let begin = open.popLast() else { return nil }
        at += 1
        if isFollowedByText(at, end, inFlow: !open.isEmpty) { return suspect(begin, inFlow: !open.isEmpty) }
        if open.isEmpty { return nil }
      case UInt8(ascii: "#") where at > start && bytes[at - 1].isWhiteSpace:
        while at < end, !SourceScan.isBreak(bytes[at]) { at += 1 }
      case UInt8(ascii: ","):
        at += 1
      case UInt8(ascii: ":") where isSeparator(at + 1, end):
        at += 1
      default:
        if !byte.isWhiteSpace { word = at }
        at += 1
      }
    }
    return nil
  }

  private func suspect(_ start: Int, inFlow: Bool) -> Suspect {
    var range = SourceScan.lineValue(in: bytes, from: start, inFlow: inFlow)
    if inFlow, let end = endOfKey(in: range) { range = range.lowerBound..<end }
    return Suspect(range: range, inFlow: inFlow)
  }

  /// Returns the end of a key that contains brackets; nil if there is no `: ` outside of the brackets.
  private func endOfKey(in range: Range<Int>) -> Int? {
    var depth = 0
    for at in range {
      switch bytes[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ":") where depth <= 0 && at + 1 < range.upperBound && bytes[at + 1].isWhiteSpace:
        return SourceScan.trimmed(bytes, range.lowerBound..<at).upperBound
      default: break
      }
    }
    return nil
  }

  private func isSeparator(_ at: Int, _ end: Int) -> Bool {
    at >= end || bytes[at].isWhiteSpace || SourceScan.isFlowIndicator(bytes[at])
  }

  /// Whether a closing bracket is followed by text that is not allowed there. The end of the line, a comment, and `:` as a separator are
  /// allowed; inside of another collection, also `,`, `]` and `}`.
  private func isFollowedByText(_ start: Int, _ end: Int, inFlow: Bool) -> Bool {
    var at = start
    while at < end, bytes[at].isBlank { at += 1 }
    guard at < end, !SourceScan.isBreak(bytes[at]) else { return false }
    switch bytes[at] {
    case UInt8(ascii: "#"): return at == start
    case UInt8(ascii: ":"): return !isSeparator(at + 1, end)
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return !inFlow
    default: return true
    }
  }

  private func closingQuote(from start: Int, to end: Int) -> Int? {
    let quote = bytes[start]
    var at = start + 1
    while at < end {
      if bytes[at] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        at += 2
        continue
      }
      if bytes[at] == quote {
        guard quote == UInt8(ascii: "'"), at + 1 < end, bytes[at + 1] == quote else { return at }
        at += 1
      }
      at += 1
    }
    return nil
  }
}
