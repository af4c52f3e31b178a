import GarlandDiagnostics
import GarlandText

/// Explains libyaml's syntax errors in terms of the mistakes that authors of workflows typically make.
struct SyntaxExplainer {
  let composer: Composer
  let bytes: UnsafeBufferPointer<UInt8>
  /// The error message from libyaml.
  let problem: String
  let offset: Int
  let context: String
  let contextOffset: Int

  func diagnostic() -> Diagnostic {
    quotes() ?? flow() ?? tab() ?? indicator() ?? colon() ?? structure() ?? other()
  }

  // MARK: Helpers

  private func range(_ offsets: Range<Int>) -> SourceRange { composer.range(offsets) }

  /// Returns the range of the character at an offset; an empty range if the offset is the end of a line or of the text.
  private func character(at offset: Int) -> Range<Int> {
    guard offset < bytes.count, !SourceScan.isBreak(bytes[offset]) else { return offset..<offset }
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return offset..<end
  }

  private var inFlow: Bool { composer.frames.last?.isFlow ?? false }
  private var line: Range<Int> { SourceScan.line(in: bytes, around: offset) }

  private func byte(_ offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func isSameLine(_ left: Int, _ right: Int) -> Bool {
    SourceScan.line(in: bytes, around: left) == SourceScan.line(in: bytes, around: right)
  }

  /// Returns the range of a line without the white space at the beginning and the end of the line.
  private func text(ofLine line: Range<Int>) -> Range<Int> {
    var start = line.lowerBound
    while start < line.upperBound, bytes[start].isBlank { start += 1 }
    return SourceScan.trimmed(bytes, start..<line.upperBound)
  }

  // MARK: Quotes

  private func quotes() -> Diagnostic? {
    if context.hasSuffix("quoted scalar"), let diagnostic = quotedScalar() { return diagnostic }
    // `"a" b`: the parser has read the scalar and fails at the text after it.
    guard let scalar = composer.previousScalar, scalar.style == .singleQuoted || scalar.style == .doubleQuoted,
      scalar.range.upperBound <= offset, offset < bytes.count, !SourceScan.isBreak(bytes[offset]),
      bytes[scalar.range.upperBound..<offset].allSatisfy(\.isBlank), problem.hasPrefix("did not find expected"),
      !SourceScan.isFlowIndicator(bytes[offset])
    else { return nil }
    let rest = SourceScan.lineValue(in: bytes, from: offset, inFlow: inFlow)
    let diagnostic = Diagnostic(.unbalancedQuotes, "unexpected text after the closing quote", at: range(rest))
      .note("this is the text in quotes", at: range(scalar.range))
    guard isSameLine(scalar.range.lowerBound, offset) else { return diagnostic.help("is its closing quote missing?") }
    return helped(diagnostic, scalar, textAfterIt: rest)
  }

  /// Explains an error in a quoted scalar; returns nil if the error is of another kind.
  private func quotedScalar() -> Diagnostic? {
    switch problem {
    case "found unexpected end of stream", "found unexpected document indicator":
      return Diagnostic(
        .unbalancedQuotes, "the quote that opens here is never closed", at: range(character(at: contextOffset)),
        label: "opened here"
      ).help("add the closing quote; inside `'…'` a `'` is written `''`, inside `\"…\"` a `\"` is written `\\\"`")
    case "found unknown escape character":
      let escape = offset..<min(character(at: min(offset + 1, bytes.count)).upperBound, bytes.count)
      let shown = SourceScan.text(bytes, escape)
      return Diagnostic(.invalidEscape, "`\(shown)` is not an escape in double quotes", at: range(escape))
        .help(
          "use single quotes, where `\\` is an ordinary character, or write `\\\\`", fix: Diagnostic.Fix(range(offset..<offset), "\\"))
    case "did not find expected hexdecimal number":
      return Diagnostic(.invalidEscape, "hexadecimal digits are missing in an escape", at: range(max(0, offset - 2)..<offset))
        .help("`\\x41`, `\\u0041` and `\\U00000041` have two, four and eight digits")
    case "found invalid Unicode character escape code":
      return Diagnostic(
        .invalidEscape, "this escape is not a Unicode character: its number is a surrogate (D800 to DFFF) or greater than 10FFFF",
        at: range(max(0, offset - 2)..<min(offset + (byte(offset - 1) == UInt8(ascii: "U") ? 8 : 4), bytes.count))
      )
      .help("write a character beyond U+FFFF as it is, or as one escape such as `\\U0001F600`")
    default: return nil
    }
  }

  /// Returns `diagnostic` with the likely correction of a quoted scalar that is followed by text on the same line.
  private func helped(
    _ diagnostic: Diagnostic, _ scalar: (style: YAMLScalar.Style, range: Range<Int>), textAfterIt rest: Range<Int>
  ) -> Diagnostic {
    let whole = scalar.range.lowerBound..<rest.upperBound
    let quote = scalar.style == .singleQuoted ? "'" : "\""
    let inner = SourceScan.text(bytes, whole).dropFirst()
    let scalarText = SourceScan.text(bytes, scalar.range)
    let behind = SourceScan.text(bytes, rest)
    if scalar.style == .doubleQuoted, inner.hasSuffix(quote), scalarText.contains("${"), !scalarText.contains("}"),
      !inner.contains("\\")
    {
      return diagnostic.help(
        "put an expression that contains quotes in single quotes",
        fix: Diagnostic.Fix(range(whole), SourceScan.quoted(bytes, whole.lowerBound + 1..<whole.upperBound - 1)))
    } else if scalarText.contains("${"), offset == scalar.range.upperBound, !behind.contains("'"), !behind.contains("\""),
      !scalarText.contains("\\"), !scalarText.dropFirst().dropLast().contains("''")
    {
      return diagnostic.help(
        "put the quotes around the whole value",
        fix: Diagnostic.Fix(
          range(whole), "'\((scalarText.dropFirst().dropLast() + behind).replacing("'", with: "''"))'"))
    } else if inner.hasSuffix(quote), scalar.style == .singleQuoted {
      return diagnostic.help(
        "inside `'…'` a `'` is written `''`",
        fix: Diagnostic.Fix(range(whole), SourceScan.quoted(bytes, whole.lowerBound + 1..<whole.upperBound - 1)))
    } else {
      return diagnostic.help("quote the whole value", fix: composer.quoting(bytes, whole))
    }
  }

  // MARK: Brackets

  private func flow() -> Diagnostic? {
    let scan = FlowScan(bytes: bytes)
    guard let start = composer.frames.first(where: \.isFlow)?.start ?? scan.firstBracket(inLine: line) else { return nil }
    guard start <= offset, let suspect = scan.suspect(from: start, to: line.upperBound) else { return nil }
    if let template = composer.template(bytes, around: suspect.range.lowerBound) { return template }
    let shown = SourceScan.text(bytes, suspect.range)
    let isExpression = shown.contains("${")
    let message =
      switch (isExpression, suspect.inFlow) {
      case (true, true): "inside `{…}` and `[…]`, text with `${…}` needs quotes"
      case (false, true): "inside `{…}` and `[…]`, text with brackets needs quotes"
      case (true, false): "text that starts with a bracket and has `${…}` needs quotes"
      case (false, false): "text that starts with a bracket needs quotes"
      }
    return Diagnostic(isExpression ? .unquotedExpression : .unquotedBrackets, message, at: range(suspect.range))
      .help("put the text in quotes", fix: composer.quoting(bytes, suspect.range))
  }

  // MARK: Tabs

  private func tab() -> Diagnostic? {
    let line = line
    var at = line.lowerBound
    var tabs = 0
    while at < line.upperBound, bytes[at].isBlank {
      if bytes[at] == UInt8(ascii: "\t") { tabs += 1 }
      at += 1
    }
    guard tabs > 0, at < line.upperBound || offset < line.upperBound else {
      guard byte(offset) == UInt8(ascii: "\t") else { return nil }
      return Diagnostic(.tabIndentation, "a tab is not allowed here", at: range(offset..<offset + 1))
        .help("use spaces", fix: Diagnostic.Fix(range(offset..<offset + 1), "  "))
    }
    let indentation = line.lowerBound..<at
    let spaces = String(repeating: " ", count: depth(of: indentation))
    return Diagnostic(.tabIndentation, "YAML is indented with spaces, not with tabs", at: range(indentation), label: "a tab")
      .help("use spaces", fix: Diagnostic.Fix(range(indentation), spaces))
  }

  /// Returns the indentation that was probably intended for a line that begins with tabs.
  ///
  /// If an earlier line begins with the same tabs and spaces, the result is the indentation of that line. Otherwise, it is the indentation
  /// of the line above, or two columns more if the line above ends with `:`.
  private func depth(of indentation: Range<Int>) -> Int {
    if let known = composer.indentations[Array(bytes[indentation])] { return known }
    guard let above = textAbove(line), !above.isEmpty else { return 0 }
    let depth = above.lowerBound - SourceScan.line(in: bytes, around: above.lowerBound).lowerBound
    return bytes[above.upperBound - 1] == UInt8(ascii: ":") ? depth + 2 : depth
  }

  // MARK: Indicators at the start of a value

  private func indicator() -> Diagnostic? {
    switch (context, problem) {
    case (_, "found character that cannot start any token"):
      let shown = byte(offset) == UInt8(ascii: "`") ? "a backtick" : "`\(SourceScan.text(bytes, character(at: offset)))`"
      return needsQuotes(offset, "in YAML, a value that begins with \(shown) needs quotes")
    case ("while scanning an alias", _):
      return needsQuotes(contextOffset, "`*` starts an alias in YAML: a value that begins with it needs quotes")
    case ("while scanning an anchor", _):
      return needsQuotes(contextOffset, "`&` starts an anchor in YAML: a value that begins with it needs quotes")
    case ("while scanning a block scalar", "did not find expected comment or line break"),
      ("while scanning a block scalar", "found an indentation indicator equal to 0"):
      let shown = SourceScan.text(bytes, character(at: contextOffset))
      return needsQuotes(contextOffset, "`\(shown)` starts a block of text in YAML: a value that begins with it needs quotes")
    case ("while scanning a directive", _), ("while scanning a %YAML directive", _), ("while scanning a %TAG directive", _):
      return Diagnostic(
        .unquotedIndicator, "YAML reads a line that starts with `%` as a directive",
        at: range(text(ofLine: SourceScan.line(in: bytes, around: contextOffset)))
      ).help(
        "to begin the line with text, put the text in quotes; otherwise remove the line: the valid directives are `%YAML 1.2` and `%TAG`"
      )
    case (_, "found undefined tag handle"):
      let end = SourceScan.property(UInt8(ascii: "!"), in: bytes, offset..<bytes.count)
      return Diagnostic(.unknownTag, "unknown tag `\(SourceScan.text(bytes, end))`", at: range(end))
        .help(
          "if this is text, put it in quotes", fix: composer.quoting(bytes, SourceScan.lineValue(in: bytes, from: offset, inFlow: inFlow)))
    case ("while scanning a tag", _), ("while parsing a tag", _):
      return needsQuotes(contextOffset, "`!` starts a tag in YAML: a value that begins with it needs quotes")
    default:
      return nil
    }
  }

  private func needsQuotes(_ start: Int, _ message: String) -> Diagnostic {
    let value = SourceScan.lineValue(in: bytes, from: start, inFlow: inFlow)
    let place = value.isEmpty ? character(at: start) : value
    return Diagnostic(.unquotedIndicator, message, at: range(place)).help("put the value in quotes", fix: composer.quoting(bytes, place))
  }

  // MARK: Colons

  private func colon() -> Diagnostic? {
    switch problem {
    case "mapping values are not allowed in this context":
      let line = line
      guard let value = valueStart(in: line, before: offset) else {
        if let above = textAbove(line), !hasKey(above) { return noKey(above) }
        return Diagnostic(
          .invalidIndentation, "a key is not allowed here, because the line above already has a value",
          at: range(text(ofLine: line.lowerBound..<offset))
        ).help("indent this line as far as the key above, or remove the value of that key")
      }
      let whole = SourceScan.lineValue(in: bytes, from: value, inFlow: inFlow)
      let isExpression = SourceScan.hasOpenExpression(bytes[value..<max(value, offset)])
      return Diagnostic(
        .unquotedColon, isExpression ? "`: ` inside an expression needs quotes" : "`: ` inside a value needs quotes",
        at: range(offset..<min(offset + 1, bytes.count)), label: "read as the end of a key"
      ).help("quote the value", fix: composer.quoting(bytes, whole))
    case "could not find expected ':'":
      let line = SourceScan.line(in: bytes, around: contextOffset)
      let shown = text(ofLine: line)
      if shown.count > 1024 {
        return Diagnostic(
          .yamlSyntax, "a key is longer than 1024 characters", at: range(contextOffset..<min(contextOffset + 40, shown.upperBound)))
      }
      if let space = missingSpace(shown) { return space }
      let start = min(max(contextOffset, shown.lowerBound), shown.upperBound)
      return noKey(start..<shown.upperBound)
    default:
      return nil
    }
  }

  private func noKey(_ line: Range<Int>) -> Diagnostic {
    if let space = missingSpace(line) ?? missingSpaceBehindDash(line) { return space }
    return Diagnostic(.yamlSyntax, "this line is not a `key: value` pair", at: range(line))
      .help("if this is a key, add `:` after it; if this line continues the text above, indent the line deeper than the key of that text")
  }

  /// Returns the error for a missing space after a colon, as in `key:value`; nil for a URL such as `https://host`.
  private func missingSpace(_ line: Range<Int>) -> Diagnostic? {
    guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")), colon + 1 < line.upperBound, !bytes[colon + 1].isWhiteSpace,
      !bytes[colon + 1..<min(colon + 3, line.upperBound)].elementsEqual("//".utf8),
      !bytes[line.lowerBound..<colon].contains(where: \.isBlank)
    else { return nil }
    return Diagnostic(.missingSpace, "a space is missing after `:`", at: range(colon..<colon + 1))
      .help("add a space", fix: Diagnostic.Fix(range(colon + 1..<colon + 1), " "))
  }

  /// Returns the error for a missing space after a dash: `-item` after a line that begins with `-`.
  private func missingSpaceBehindDash(_ line: Range<Int>) -> Diagnostic? {
    guard line.count > 1, byte(line.lowerBound) == UInt8(ascii: "-"), let next = byte(line.lowerBound + 1), next != UInt8(ascii: "-"),
      !next.isWhiteSpace, let above = textAbove(SourceScan.line(in: bytes, around: line.lowerBound)),
      byte(above.lowerBound) == UInt8(ascii: "-")
    else { return nil }
    return Diagnostic(.missingSpace, "a space is missing after `-`", at: range(line.lowerBound..<line.lowerBound + 1))
      .help("add a space", fix: Diagnostic.Fix(range(line.lowerBound + 1..<line.lowerBound + 1), " "))
  }

  /// Returns the nearest line before `line` that is not blank.
  private func textAbove(_ line: Range<Int>) -> Range<Int>? {
    var end = line.lowerBound
    while end > 0, bytes[end - 1].isWhiteSpace { end -= 1 }
    return end > 0 ? text(ofLine: SourceScan.line(in: bytes, around: end)) : nil
  }

  private func hasKey(_ line: Range<Int>) -> Bool {
    line.contains { bytes[$0] == UInt8(ascii: ":") && ($0 + 1 == line.upperBound || bytes[$0 + 1].isWhiteSpace) }
  }

  /// Returns the start of the value in a line: the position after the first `key: ` or, in a line without a key, after the `- ` at its
  /// beginning. Returns nil if the line contains neither a key nor such a dash before the offset `limit`.
  private func valueStart(in line: Range<Int>, before limit: Int) -> Int? {
    var at = line.lowerBound
    var found: Int?
    while at + 1 < min(limit, line.upperBound) {
      let isDash =
        bytes[at] == UInt8(ascii: "-") && (found == nil ? bytes[line.lowerBound..<at].allSatisfy(\.isBlank) : found == at)
      if (bytes[at] == UInt8(ascii: ":") || isDash) && bytes[at + 1].isBlank {
        let isKey = bytes[at] == UInt8(ascii: ":")
        at += 1
        while at < line.upperBound, bytes[at].isBlank { at += 1 }
        found = at
        if isKey { return found }
        continue
      }
      at += 1
    }
    return found
  }

  // MARK: Structure

  private func structure() -> Diagnostic? {
    let place = character(at: offset)
    let shown = SourceScan.text(bytes, place)
    switch problem {
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      let bracket = contextOffset < bytes.count ? SourceScan.text(bytes, character(at: contextOffset)) : "["
      if offset >= bytes.count || !isSameLine(contextOffset, offset) {
        return Diagnostic(.yamlSyntax, "this `\(bracket)` is not closed", at: range(character(at: contextOffset)), label: "opened here")
          .note("up to here, neither `,` nor `\(bracket == "{" ? "}" : "]")` was found", at: range(place))
      }
      return Diagnostic(.yamlSyntax, "expected `,` or `\(bracket == "{" ? "}" : "]")` here", at: range(place))
        .note("the list or mapping opens here", at: range(character(at: contextOffset)))
    case "did not find expected key", "did not find expected '-' indicator":
      let isList = problem.hasSuffix("indicator")
      if ["]", "}", ","].contains(shown) {
        return Diagnostic(.yamlSyntax, "unexpected `\(shown)`", at: range(place)).help("if this is text, put it in quotes")
      }
      if shown == ":" { return Diagnostic(.invalidKey, "a key is missing before `:`", at: range(place)) }
      let own = composer.file.position(at: offset).column
      let block = composer.file.position(at: contextOffset)
      let shownLine = SourceScan.lineValue(in: bytes, from: offset, inFlow: false)
      let diagnostic = Diagnostic(
        .invalidIndentation,
        own == block.column
          ? (isList ? "an item of this list has to start with `- `" : "a key of this mapping was expected here")
          : "this line is indented by \(spaces(own - 1)), but no block above has this indentation",
        at: range(shownLine.isEmpty ? place : shownLine))
      return diagnostic.note(
        "the enclosing \(isList ? "list" : "mapping") starts here, indented by \(spaces(block.column - 1))",
        at: range(character(at: contextOffset)))
    case "block sequence entries are not allowed in this context":
      return Diagnostic(.yamlSyntax, "a list cannot start here", at: range(place))
        .help("start each `- ` on its own line, or write `[a, b]`; if this is text, put it in quotes")
    case "mapping keys are not allowed in this context":
      return needsQuotes(offset, "`? ` starts a key in YAML: a value that begins with it needs quotes")
    case "did not find expected node content":
      return Diagnostic(
        .yamlSyntax, offset >= bytes.count ? "a value is missing at the end" : "a value is missing before `\(shown)`", at: range(place)
      ).help("if this is text, put it in quotes")
    case "did not find expected <document start>":
      return Diagnostic(
        .yamlSyntax, "the document ends before this line", at: range(SourceScan.lineValue(in: bytes, from: offset, inFlow: false))
      )
      .help("a workflow is a mapping: each line at the left margin is `key: value`")
    case "found incompatible YAML document":
      return Diagnostic(.yamlSyntax, "only YAML 1.1 and 1.2 are supported", at: range(text(ofLine: line)))
    default:
      if problem.contains("nest") {
        return Diagnostic(.nestedTooDeep, "the value is nested more than \(composer.limits.depth) levels deep", at: range(place))
      }
      return nil
    }
  }

  /// Returns a phrase for a number of spaces, such as `2 spaces`.
  private func spaces(_ count: Int) -> String { "\(count) space\(count == 1 ? "" : "s")" }

  private func other() -> Diagnostic {
    var diagnostic = Diagnostic(.yamlSyntax, "this is not valid YAML: \(problem)", at: range(character(at: offset)))
    if !context.isEmpty, contextOffset != offset {
      diagnostic = diagnostic.note(context, at: range(character(at: contextOffset)))
    }
    return diagnostic
  }
}
