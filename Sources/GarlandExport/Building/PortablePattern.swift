/// A regular expression that has the same meaning in PCRE, Python and JavaScript.
///
/// Python reads such a pattern as PCRE does. In JavaScript, `.`, `$` and `\s` match different characters than in PCRE, so the JavaScript
/// pattern has replacements for them.
struct PortablePattern {
  /// The pattern in JavaScript's syntax, with the same meaning as in PCRE.
  private(set) var javaScript = ""
  private var rest: Substring
  private var previous: Character?

  /// Creates a pattern. Returns nil if the pattern does not have the same meaning in PCRE, Python and JavaScript.
  init?(_ pattern: String) {
    rest = pattern[...]
    while let letter = rest.popFirst() {
      guard add(letter) else { return nil }
      previous = letter
    }
  }

  private mutating func add(_ letter: Character) -> Bool {
    switch letter {
    case "\\": return addEscape(inSet: false)
    case "[": return addSet()
    case ".": javaScript += #"[^\n]"#
    // In PCRE and Python, `$` also matches before a line break at the end of the text.
    case "$": javaScript += #"(?=\n?$)"#
    case "(":
      // All other groups have a different syntax in one of the languages, or do not exist there.
      if rest.first == "*" || (rest.first == "?" && !["?:", "?=", "?!"].contains(where: rest.hasPrefix)) { return false }
      javaScript.append(letter)
    case "+":
      // A possessive quantifier of PCRE.
      if let previous, "+*?}".contains(previous) { return false }
      javaScript.append(letter)
    case "{":
      // Python reads `{,3}` as `{0,3}`.
      if rest.first == "," { return false }
      javaScript.append(letter)
    default:
      guard isPlain(letter) else { return false }
      javaScript.append(letter)
    }
    return true
  }

  /// Whether a character matches only itself in a pattern, in PCRE, Python and JavaScript. False for a character outside of the basic
  /// plane, which JavaScript counts as two characters. Also false for a special character that is followed by a combining mark, such as `*`
  /// with an accent, since the `*` keeps its special meaning.
  private func isPlain(_ letter: Character) -> Bool {
    let scalars = letter.unicodeScalars
    return scalars.allSatisfy { $0.value < 0x10000 } && (scalars.count == 1 || !letter.isPunctuation && !letter.isSymbol)
  }

  private mutating func addEscape(inSet: Bool) -> Bool {
    guard let letter = rest.popFirst(), "dDwWsSbBnrtf\\/.()[]{}|+*?^$-".contains(letter) else { return false }
    switch letter {
    case "s": javaScript += inSet ? #"\t-\r "# : #"[\t-\r ]"#
    case "S" where inSet: return false
    case "S": javaScript += #"[^\t-\r ]"#
    default: javaScript += "\\\(letter)"
    }
    previous = nil
    return true
  }

  /// Adds a set of characters, such as `[^a-z]`. Returns false if the set is invalid, or does not have the same meaning in PCRE, Python
  /// and JavaScript.
  private mutating func addSet() -> Bool {
    javaScript.append("[")
    if rest.first == "^" { javaScript.append(rest.removeFirst()) }
    // JavaScript reads `[]a]` as an empty set.
    guard rest.first != "]" else { return false }
    while let letter = rest.popFirst() {
      switch letter {
      case "]":
        javaScript.append(letter)
        return true
      case "[" where rest.first == ":": return false
      case "\\": if !addEscape(inSet: true) { return false }
      default:
        guard isPlain(letter) else { return false }
        javaScript.append(letter)
      }
    }
    return false
  }
}
