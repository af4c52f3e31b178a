import GarlandDiagnostics
import GarlandText

/// Reports YAML that is valid, but that most likely does not mean what its author intended.
extension Composer {
  /// Reports an unquoted value if the comment after it probably belongs to the value. This is the case if the value contains an expression
  /// that is not closed before the comment, or if the comment begins with `#${`.
  mutating func checkPlain(_ value: UnsafeBufferPointer<UInt8>, _ offsets: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) {
    var at = offsets.upperBound
    guard at < bytes.count, bytes[at].isBlank else { return }
    while at < bytes.count, bytes[at].isBlank { at += 1 }
    guard at + 2 < bytes.count, bytes[at] == UInt8(ascii: "#") else { return }
    let isExpression = bytes[at + 1] == UInt8(ascii: "$") && bytes[at + 2] == UInt8(ascii: "{")
    guard isExpression || SourceScan.hasOpenExpression(value) else { return }
    let start = offsets.isEmpty ? at : offsets.lowerBound
    let inFlow = frames.last?.isFlow ?? false
    let whole = SourceScan.lineValue(in: bytes, from: start, inFlow: inFlow, keepComment: isExpression)
    report(
      Diagnostic(
        .cutByComment, "` #` starts a comment, so the value ends before it", at: range(at..<max(at + 1, whole.upperBound)),
        label: isExpression ? "this is not part of the value" : "the rest of the expression is a comment"
      ).help("quote the value", fix: quoting(bytes, whole)))
  }

  /// Reports values such as `>5` and `|3`. Their author meant text, but YAML reads `>` or `|` as the start of a block of text, and the
  /// digit as the indentation of this block.
  mutating func checkBlock(isEmpty: Bool, _ offsets: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) {
    guard isEmpty, bytes[offsets].contains(where: { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return }
    report(
      Diagnostic(
        .unquotedIndicator, "`\(SourceScan.text(bytes, offsets))` starts a block of text in YAML, but the block is empty",
        at: range(offsets)
      )
      .help("put the value in quotes", fix: quoting(bytes, offsets)))
  }

  /// Reports a key that is empty or is not a scalar. Also reports an unquoted expression that contains `: `, since YAML reads only its
  /// first part as a key.
  mutating func checkKey(_ node: Int32) {
    guard !tree.isPlainWord(node) else { return }
    file.bytes.withUnsafeBufferPointer { bytes in
      let place = tree.range(of: node)
      let offsets = place.offsets
      guard tree.isScalar(node) else {
        if let template = template(bytes, around: offsets.lowerBound) { return report(template) }
        return report(
          Diagnostic(.invalidKey, "a key cannot be \(tree.kindDescription(of: node))", at: place)
            .help("if this is text, put it in quotes", fix: tree.isAlias(node) ? nil : quoting(bytes, offsets)))
      }
      guard tree.style(of: node) == .plain, !tree.isAlias(node) else { return }
      let text = tree.text(of: node)
      if text.isEmpty {
        report(Diagnostic(.invalidKey, "a key is missing", at: place, label: "here"))
      } else if text.utf8.contains(UInt8(ascii: "$")), SourceScan.hasOpenExpression(Array(text.utf8)) {
        let whole = SourceScan.lineValue(in: bytes, from: offsets.lowerBound, inFlow: frames.last?.isFlow ?? false)
        report(
          Diagnostic(
            .unquotedColon, "the text before `: ` is read as a key, because the expression is not in quotes", at: range(whole),
            label: "read as the key `\(text)`"
          ).help("quote the value", fix: quoting(bytes, whole)))
      }
    }
  }

  /// Reports `{a:1}`, which has the key `a:1` and no value.
  mutating func checkMissingSpace(key: Int32, value: Int32) {
    guard tree.isScalar(key), tree.style(of: key) == .plain, tree.isNull(value), tree.range(of: value).offsets.isEmpty, !tree.isAlias(key),
      !tree.isAlias(value)
    else { return }
    let name = tree.text(of: key)
    let text = Array(name.utf8)
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < text.count,
      !text[(colon + 1)...].starts(with: "//".utf8),
      text[..<colon].allSatisfy({ $0 >= 0x80 || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") || $0.isLetterOrDigit })
    else { return }
    let place = tree.range(of: key).offsets.lowerBound + colon
    report(
      Diagnostic(.missingSpace, "a space is missing after `:`", at: range(place..<place + 1), label: "`\(name)` is read as a key")
        .help("add a space", fix: Diagnostic.Fix(range(place + 1..<place + 1), " ")))
  }

  func quoting(_ bytes: UnsafeBufferPointer<UInt8>, _ offsets: Range<Int>) -> Diagnostic.Fix {
    Diagnostic.Fix(range(offsets), SourceScan.quoted(bytes, offsets))
  }

  /// Returns the error for a placeholder such as `{{name}}` if one of its opening braces is at `offset`; otherwise nil.
  func template(_ bytes: UnsafeBufferPointer<UInt8>, around offset: Int) -> Diagnostic? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "{") else { return nil }
    var start = offset
    if start > 0, bytes[start - 1] == UInt8(ascii: "{") { start -= 1 }
    guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "{") else { return nil }
    var end = start + 2
    while end < bytes.count, !SourceScan.isBreak(bytes[end]), bytes[end] != UInt8(ascii: "}") { end += 1 }
    guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "}"), bytes[end + 1] == UInt8(ascii: "}") else { return nil }
    var name = start + 2
    while name < end, bytes[name].isBlank { name += 1 }
    let inner = SourceScan.text(bytes, SourceScan.trimmed(bytes, name..<end))
    let isName = !inner.isEmpty && inner.utf8.allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetterOrDigit }
    let place = range(start..<end + 2)
    let diagnostic = Diagnostic(.foreignTemplate, "`{{ … }}` is template syntax of another tool", at: place)
    var replacement = isName ? "${vars.\(inner)}" : "${\(inner)}"
    guard frames.contains(where: { $0.isFlow && $0.start < start }) else {
      return diagnostic.help("in Garland, write `${…}`", fix: Diagnostic.Fix(place, replacement))
    }
    let whole = SourceScan.lineValue(in: bytes, from: start, inFlow: true)
    replacement += SourceScan.text(bytes, end + 2..<max(end + 2, whole.upperBound))
    return diagnostic.help(
      "in Garland, write `${…}`, in quotes inside of `{…}` and `[…]`",
      fix: Diagnostic.Fix(range(whole), "'\(replacement.replacing("'", with: "''"))'"))
  }

  mutating func explain(_ problem: LibYAML.Problem, at offset: Int, context: Int, _ bytes: UnsafeBufferPointer<UInt8>) {
    // If a mistake on this line was already reported, it is the cause of libyaml's error, which is therefore not reported.
    let line = SourceScan.line(in: bytes, around: offset)
    if let last = diagnostics.all.last, let place = last.range?.offsets.lowerBound, line.contains(place) || place == line.upperBound,
      [.foreignTemplate, .unquotedColon, .cutByComment, .invalidKey].contains(last.code)
    {
      return
    }
    let explainer = SyntaxExplainer(
      composer: self, bytes: bytes, problem: problem.text, offset: min(offset, bytes.count), context: problem.context,
      contextOffset: min(context, bytes.count))
    report(explainer.diagnostic())
  }
}
