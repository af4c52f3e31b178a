import GarlandDiagnostics
import GarlandJSON

/// Provides the lines of workflow files for a report that is created from a recording. A line comes from the recording if the recording
/// quotes it, otherwise from the current file. If the current file does not contain the line either, only the position of the line is
/// known.
struct SourceDocuments {
  private let source: (String) -> SourceFile?
  private var quoted: [String: SourceFile] = [:]
  private var present: [String: SourceFile] = [:]
  private var missing: [String: SourceFile] = [:]

  /// Creates a provider of lines of workflow files.
  ///
  /// - Parameters:
  ///   - source: returns the workflow file with the given name; nil if the file is missing.
  ///   - report: the recording (a JSON report), which quotes some lines of the workflow files.
  init(_ source: @escaping (String) -> SourceFile?, quotedIn report: JSONValue) {
    self.source = source
    for (name, lines) in Self.quotes(in: report) {
      let count = min(lines.keys.max() ?? 0, Self.mostLines)
      let bytes = (1...max(1, count)).flatMap { Array((lines[$0] ?? "").utf8) + [UInt8(ascii: "\n")] }
      quoted[name] = SourceFile(name: name, bytes: bytes)
    }
  }

  private static let mostLines = 1_000_000
  /// The maximum size of the blank text in place of a missing file, in bytes.
  private static let mostBlanks = 128 << 20

  /// Returns the lines that the report quotes. The outer key is the name of the file, and the inner key is the line number.
  private static func quotes(in report: JSONValue) -> [String: [Int: Substring]] {
    var quotes: [String: [Int: Substring]] = [:]
    func quote(_ value: JSONValue, from line: Int?) {
      guard let file = value["file"]?.stringValue, let text = value["source"]?.stringValue, let line, 1...mostLines ~= line else { return }
      for (index, quoted) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        quotes[file, default: [:]][line + index] = quoted
      }
    }
    for notice in report["notices"]?.arrayValue ?? [] { quote(notice, from: notice["line"]?.intValue) }
    for step in report["steps"]?.arrayValue ?? [] { quote(step, from: step["sourceLine"]?.intValue) }
    for result in report["results"]?.arrayValue ?? [] {
      for failure in result["failures"]?.arrayValue ?? [] { quote(failure, from: failure["line"]?.intValue) }
    }
    return quotes
  }

  /// Returns whole lines of a document. Returns nil if the report does not contain the text of this document, or if the document has no
  /// such lines.
  func lines(_ name: String, from line: Int, count: Int) -> SourceRange? {
    guard let file = quoted[name], line >= 1, line + count - 1 <= file.lineCount else { return nil }
    let last = line + count - 1
    return SourceRange(file, file.offset(ofLine: line)..<file.bytes(ofLine: last).endIndex)
  }

  /// Returns the source range that a member of a report describes by `line`, `column` and optionally `length`.
  mutating func range(_ name: String, at place: JSONValue) -> SourceRange {
    let (line, column, length) = (place["line"]?.intValue, place["column"]?.intValue, place["length"]?.intValue)
    // The text of an option is in no file, and several options may have the same name.
    if name.hasPrefix("--"), line == 1, let text = place["source"]?.stringValue,
      let found = Self.range(SourceFile(name: name, bytes: Array(text.utf8)), line: 1, column: max(1, column ?? 1), length: length)
    {
      return found
    }
    return range(name, line: line, column: column, length: length)
  }

  /// Returns the source range at a line and column of a file. If the file is missing or has become shorter, the range contains only a
  /// space, so that no other text is quoted.
  private mutating func range(_ name: String, line: Int?, column: Int?, length: Int?) -> SourceRange {
    let line = max(1, min(line ?? 1, Self.mostLines))
    var column = max(1, min(column ?? 1, 10_000))
    if let file = quoted[name], let found = Self.range(file, line: line, column: column, length: length) { return found }
    if present[name] == nil, missing[name] == nil, let file = source(name) { present[name] = file }
    if let file = present[name], let found = Self.range(file, line: line, column: column, length: length) { return found }
    // A text that a place of the report needed before may have more lines than this place needs.
    let lines = max(line, missing[name]?.lineCount ?? 0)
    column = min(column, Self.mostBlanks / lines)
    if missing[name]?.lineCount ?? 0 < line || missing[name]?.bytes(ofLine: line).count ?? 0 < column {
      // The line is blank, so that no text is quoted that was never in the file.
      let width = max(column, 80)
      let text = [UInt8](repeating: 0x20, count: width) + [0x0A]
      missing[name] = SourceFile(name: name, bytes: (0..<lines).flatMap { _ in text })
    }
    guard let file = missing[name] else { return SourceRange(SourceFile(name: name, bytes: []), 0..<0) }
    let start = file.offset(ofLine: line) + column - 1
    return SourceRange(file, start..<start + 1)
  }

  /// Returns a range in a line.
  ///
  /// - Parameters:
  ///   - column: the column of the range's beginning, counted in Unicode scalars from 1.
  ///   - length: the length of the range in Unicode scalars. If nil, the range ends before the next space, tab, `:` or `,`, or at the end
  ///     of the line.
  private static func range(_ file: SourceFile, line: Int, column: Int, length: Int?) -> SourceRange? {
    let bytes = file.bytes(ofLine: line)
    let scalars = bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 }
    guard column <= scalars.count else { return nil }
    let start = scalars[column - 1]
    let end: Int
    if let length {
      let last = column - 1 + max(1, length)
      end = last < scalars.count ? scalars[last] : bytes.endIndex
    } else {
      let word = bytes[start...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ",") }
      end = start + max(1, word.count)
    }
    return SourceRange(file, start..<end)
  }
}
