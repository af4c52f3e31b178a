/// Renders diagnostics for users, in the same form everywhere in Garland.
///
/// ```
/// error[unknown-key]: unknown key `statsu`
///   --> smoke.yaml:12:5
///    |
/// 12 |     statsu: 200
///    |     ^^^^^^ not a key of `expect`
///    = help: did you mean `status`?
///    |
/// 12 |     status: 200
///    |     ~~~~~~
/// ```
public struct DiagnosticRenderer: Sendable {
  /// The amount of detail of each diagnostic.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// Each diagnostic is shown with its source lines, notes and advice.
    case full
    /// Each diagnostic is shown on one line: `file:line:column: error: message [code]`.
    case short
  }

  /// The amount of detail of each diagnostic.
  var format: Format
  /// The number of available columns. Longer source lines are truncated around the caret.
  var width: Int
  /// The maximum number of diagnostics that are shown. Further diagnostics are only counted.
  var limit: Int
  /// The redactor that masks secrets in the source lines of diagnostics. The secrets of a line are masked before the line is truncated and
  /// underlined, so that the underline stays below its text and no part of a secret is shown. Default: nil, which masks nothing.
  public var redactor: Redactor?

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - format: The amount of detail of each diagnostic.
  ///   - width: The number of available columns; default 100, for output that is not a terminal.
  ///   - limit: The maximum number of diagnostics that are shown; further diagnostics are only counted.
  public init(format: Format = .full, width: Int = 100, limit: Int = 100) {
    self.format = format
    self.width = max(width, 40)
    self.limit = limit
  }

  /// Renders all diagnostics, ordered by file and position, and a line with their number. The text ends with a
  /// line break. Returns an empty text if there are no diagnostics.
  public func render(_ list: DiagnosticList) -> StyledText { render(list.all) }

  /// Renders at most ``limit`` diagnostics, ordered by file and position, and a line with the numbers of all errors and warnings. The text
  /// ends with a line break. Returns an empty text if there are no diagnostics.
  public func render(_ diagnostics: [Diagnostic]) -> StyledText {
    guard !diagnostics.isEmpty else { return StyledText() }
    var result = StyledText()
    for diagnostic in Self.sorted(diagnostics).prefix(limit) {
      result += render(diagnostic)
      if format == .full { result += "\n" }
    }
    result += Self.summary(of: diagnostics, hidden: max(0, diagnostics.count - limit))
    return result
  }

  /// Renders one diagnostic. The text ends with a line break.
  public func render(_ diagnostic: Diagnostic) -> StyledText {
    switch format {
    case .full: full(diagnostic)
    case .short: Self.short(diagnostic)
    }
  }

  /// Returns the diagnostics sorted by the name of their file, then by their position in the file. In a file, diagnostics without a
  /// position come first. At the same position, errors come before warnings.
  public static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    let offsets = diagnostics.map { $0.range?.offsets ?? 0..<0 }
    func isBefore(_ left: Int, _ right: Int) -> Bool {
      let names = (diagnostics[left].range?.file.name ?? "", diagnostics[right].range?.file.name ?? "")
      if names.0 != names.1 { return names.0 < names.1 }
      if offsets[left].lowerBound != offsets[right].lowerBound { return offsets[left].lowerBound < offsets[right].lowerBound }
      if offsets[left].upperBound != offsets[right].upperBound { return offsets[left].upperBound < offsets[right].upperBound }
      if diagnostics[left].severity != diagnostics[right].severity { return diagnostics[left].severity == .error }
      // Equal diagnostics keep the order of discovery.
      return left < right
    }
    return diagnostics.indices.sorted(by: isBefore).map { diagnostics[$0] }
  }

  /// Returns a summary such as `2 errors, 1 warning`, with the number of hidden diagnostics.
  static func summary(of diagnostics: [Diagnostic], hidden: Int = 0) -> StyledText {
    let errors = diagnostics.count { $0.severity == .error }
    let warnings = diagnostics.count - errors
    var parts: [StyledText] = []
    if errors > 0 { parts.append(StyledText("\(errors) error\(errors == 1 ? "" : "s")", .error)) }
    if warnings > 0 { parts.append(StyledText("\(warnings) warning\(warnings == 1 ? "" : "s")", .warning)) }
    var result = StyledText()
    for (index, part) in parts.enumerated() { result += index == 0 ? part : ", " + part }
    if hidden > 0 { result.append(" (\(hidden) not shown)", .dim) }
    return result + "\n"
  }

  private static func short(_ diagnostic: Diagnostic) -> StyledText {
    var result = StyledText()
    if let range = diagnostic.range { result.append(DisplayText.visible(range.description) + ": ", .emphasis) }
    result.append(diagnostic.severity.rawValue, diagnostic.severity == .error ? .error : .warning)
    result.append(": \(DisplayText.visible(diagnostic.message)) ")
    result.append("[\(diagnostic.code)]", .dim)
    return result + "\n"
  }

  // MARK: Full

  private func full(_ diagnostic: Diagnostic) -> StyledText {
    let style: StyledText.Style = diagnostic.severity == .error ? .error : .warning
    let gutter = Gutter(diagnostic)
    var result: StyledText = "\("\(diagnostic.severity.rawValue)[\(diagnostic.code)]", style)"
    result.append(": \(DisplayText.visible(diagnostic.message))\n", .emphasis)
    if let range = diagnostic.range {
      result += excerpt(range, label: diagnostic.label, mark: "^", style: style, gutter: gutter)
    }
    for note in diagnostic.notes {
      if let range = note.range {
        result += "\("note", .note): \(DisplayText.visible(note.message))\n"
        result += excerpt(range, label: nil, mark: "-", style: .note, gutter: gutter)
      } else {
        result += gutter.remark("note", .note, note.message)
      }
    }
    for help in diagnostic.helps {
      result += gutter.remark("help", .help, help.message)
      if let fix = help.fix { result += fixed(fix, gutter: gutter) }
    }
    return result
  }

  /// Renders the position of a diagnostic, its source lines, and the carets below them.
  private func excerpt(_ range: SourceRange, label: String?, mark: Character, style: StyledText.Style, gutter: Gutter) -> StyledText {
    let file = range.file
    let start = range.start
    let offsets = range.offsets
    // A range that ends after a line break does not include the next line.
    let last = offsets.isEmpty ? start.line : file.position(at: offsets.upperBound - 1).line
    var result = gutter.arrow(DisplayText.visible(range.description))
    result += gutter.bar()
    let room = width - gutter.digits - 3
    func line(_ number: Int, _ part: Range<Int>, _ label: String?) {
      let bytes = file.bytes(ofLine: number)
      let (shown, place) = masked(bytes, part)
      let source = SourceLine(shown, focus: place, width: room)
      result += gutter.source(number, source.text)
      let from = source.column(of: place.lowerBound)
      let marks = max(1, source.column(of: place.upperBound) - from)
      result += gutter.marks(
        String(repeating: " ", count: from), String(repeating: mark, count: min(marks, max(1, room - from))), label, style, room: room)
    }
    guard last > start.line else {
      line(start.line, offsets.lowerBound..<min(offsets.upperBound, file.bytes(ofLine: start.line).endIndex.advanced(by: 1)), label)
      return result
    }
    line(start.line, offsets.lowerBound..<max(file.bytes(ofLine: start.line).endIndex, offsets.lowerBound), nil)
    if last > start.line + 1 { result += gutter.gap() }
    let lastBytes = file.bytes(ofLine: last)
    let text = lastBytes.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? lastBytes.startIndex
    line(last, min(text, offsets.upperBound)..<min(offsets.upperBound, lastBytes.endIndex), label)
    return result
  }

  /// Masks the secrets in a line. Returns the masked line, and the range of `part` in the masked line.
  private func masked(_ line: ArraySlice<UInt8>, _ part: Range<Int>) -> (line: ArraySlice<UInt8>, part: Range<Int>) {
    guard let redactor, redactor.hasSecrets else { return (line, part) }
    let bytes = Array(line)
    let masked = redactor.redact(bytes)
    guard masked != bytes else { return (line, part) }
    func moved(_ offset: Int) -> Int {
      let place = offset - line.startIndex
      guard place <= bytes.count else { return masked.count + place - bytes.count }
      return min(masked.count, redactor.redact(Array(bytes[..<max(0, place)])).count)
    }
    let start = moved(part.lowerBound)
    return (masked[...], start..<max(start, moved(part.upperBound)))
  }

  /// Renders the source lines as they would be after the fix.
  private func fixed(_ fix: Diagnostic.Fix, gutter: Gutter) -> StyledText {
    let file = fix.range.file
    let offsets = fix.range.offsets.clamped(to: 0..<file.bytes.count)
    let first = file.position(at: offsets.lowerBound).line
    let last = file.position(at: offsets.upperBound).line
    let before = file.bytes(ofLine: first)[..<min(offsets.lowerBound, file.bytes(ofLine: first).endIndex)]
    let lastBytes = file.bytes(ofLine: last)
    let after = lastBytes[max(min(offsets.upperBound, lastBytes.endIndex), lastBytes.startIndex)...]
    let text = Array(before) + Array(fix.replacement.utf8) + Array(after)
    let changed = before.count..<before.count + fix.replacement.utf8.count
    let room = width - gutter.digits - 3
    var result = gutter.bar()
    var number = first
    var start = 0
    while start <= text.count, number < first + Self.fixLines {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
      let part = changed.clamped(to: start..<end)
      let focus = part.isEmpty && changed.lowerBound > start && changed.lowerBound <= end ? changed.lowerBound..<changed.lowerBound : part
      let (shown, place) = masked(text[start..<end], part)
      let source = SourceLine(shown, focus: masked(text[start..<end], focus).part, width: room)
      result += gutter.source(number, source.text)
      let from = source.column(of: place.lowerBound)
      let marks = source.column(of: place.upperBound) - from
      if marks > 0, text[part].contains(where: { $0 != UInt8(ascii: " ") }) {
        result += gutter.marks(String(repeating: " ", count: from), String(repeating: "~", count: marks), nil, .success, room: room)
      }
      start = end + 1
      number += 1
    }
    return result
  }

  /// The maximum number of source lines that are shown for a fix.
  private static let fixLines = 6
}
