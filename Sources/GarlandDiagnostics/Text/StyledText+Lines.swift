extension StyledText {
  /// The text split at its line breaks. A line break at the end does not begin another line.
  package var lines: [StyledText] {
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

  /// Returns the text broken into lines at spaces. A line is wider than `width` only if it is a single long word. All lines after the first
  /// begin with `indentation` spaces.
  package func wrapped(to width: Int, indentation: Int) -> [StyledText] {
    guard self.width > width else { return [self] }
    var lines: [StyledText] = []
    var line = StyledText()
    var isStart = true
    for (word, leading) in words {
      if !isStart, line.width + leading.width + word.width > width {
        lines.append(line)
        line = StyledText(String(repeating: " ", count: indentation)) + word
      } else {
        line += leading + word
      }
      isStart = false
    }
    return lines + [line]
  }

  /// The words of the text, each with the spaces before it.
  private var words: [(word: StyledText, leading: StyledText)] {
    var words: [(word: StyledText, leading: StyledText)] = []
    var word = StyledText()
    var leading = StyledText()
    for span in spans {
      for character in span.text {
        if character == " " {
          if !word.isEmpty {
            words.append((word, leading))
            word = StyledText()
            leading = StyledText()
          }
          leading.append(" ", span.style)
        } else {
          word.append(String(character), span.style)
        }
      }
    }
    if !word.isEmpty { words.append((word, leading)) }
    return words
  }

  /// The text without the spaces at its end.
  package var trimmed: StyledText {
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
