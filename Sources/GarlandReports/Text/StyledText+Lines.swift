import GarlandDiagnostics

extension StyledText {
  /// The text cut at its line breaks; a last line break ends the last line.
  var lines: [StyledText] {
    var lines: [StyledText] = []
    var line = StyledText()
    for span in spans {
      var isFirst = true
      for part in span.text.split(separator: "\n", omittingEmptySubsequences: false) {
        if !isFirst {
          lines.append(line)
          line = StyledText()
        }
        line.append(String(part), span.style)
        isFirst = false
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }

  /// Without spaces at the end.
  var trimmed: StyledText {
    var kept = spans[...]
    while var last = kept.last {
      while last.text.last == " " { last.text.removeLast() }
      kept.removeLast()
      guard last.text.isEmpty else {
        kept.append(last)
        break
      }
    }
    return kept.reduce(into: StyledText()) { $0.append($1.text, $1.style) }
  }
}
