import GarlandDiagnostics

/// Returns the lines of workflow files that a JSON report quotes.
enum SourceLines {
  /// The maximum length of a line that a report shows. Longer lines are not shown, since a document may consist of a single line.
  private static let longestLine = 1_000
  /// The maximum number of lines quoted for a step.
  private static let mostLines = 200

  /// Returns the lines of a range, without blank lines at its end; nil if a line is too long to quote, or if the text of the file is
  /// unknown.
  static func text(of range: SourceRange) -> String? {
    let (first, last) = (range.start.line, range.end.line)
    guard !range.file.bytes.isEmpty else { return nil }
    var lines: [ArraySlice<UInt8>] = []
    for line in first...min(max(first, last), first + mostLines - 1) {
      let bytes = range.file.bytes(ofLine: line)
      guard bytes.count <= longestLine else { return nil }
      lines.append(bytes)
    }
    // The range of a block extends to the beginning of the next block, and may include that block's indentation.
    let end = min(range.offsets.upperBound, range.file.bytes.count)
    if lines.count > 1, range.file.bytes[min(range.file.offset(ofLine: last), end)..<end].allSatisfy({ $0 == 0x20 }) { lines.removeLast() }
    while let end = lines.last, end.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { lines.removeLast() }
    guard !lines.isEmpty else { return nil }
    return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
  }

  /// Returns the line in which a range begins; nil if the line is too long to quote, or if the text of the file is unknown.
  static func firstLine(of range: SourceRange) -> String? {
    let bytes = range.file.bytes(ofLine: range.start.line)
    guard !bytes.isEmpty, bytes.count <= longestLine, !bytes.allSatisfy({ $0 == 0x20 }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the number of Unicode scalars that a range covers in its first line; at least 1.
  static func length(of range: SourceRange) -> Int {
    let start = range.start
    let line = range.file.bytes(ofLine: start.line)
    let bytes = line[
      min(
        max(range.offsets.lowerBound, line.startIndex), line.endIndex)..<max(
          min(range.offsets.upperBound, line.endIndex), min(max(range.offsets.lowerBound, line.startIndex), line.endIndex))]
    return max(1, bytes.count { $0 & 0xC0 != 0x80 })
  }
}
