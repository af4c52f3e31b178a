/// A file of curl options, which `--config` names.
enum CurlConfigurationFile {
  /// Returns the options in the file as words of a command line. Each word gets the range of the `--config` option.
  static func words(of source: String, _ range: Range<Int>) -> [ShellWord] {
    var words: [ShellWord] = []
    for line in source.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      guard let first = line.first, first != "#" else { continue }
      let name = line.prefix { !isSeparator($0) }
      // A name without a dash is a long name.
      words.append(word(name.hasPrefix("-") ? String(name) : "--\(name)", range))
      let rest = line[name.endIndex...].drop(while: isSeparator)
      guard let start = rest.first, start != "#" else { continue }
      words.append(word(start == "\"" ? unquoted(rest.dropFirst()) : String(rest.prefix { $0 != " " && $0 != "\t" }), range))
    }
    return words
  }

  private static func word(_ text: String, _ range: Range<Int>) -> ShellWord { ShellWord(text: ImportedText(text), range: range) }

  private static func isSeparator(_ character: Character) -> Bool {
    character == " " || character == "\t" || character == "=" || character == ":"
  }

  private static func unquoted(_ text: Substring) -> String {
    let escapes: [Character: Character] = ["t": "\t", "n": "\n", "r": "\r", "v": "\u{0B}"]
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(escapes[character] ?? character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        result.append(character)
      }
    }
    return result
  }
}
