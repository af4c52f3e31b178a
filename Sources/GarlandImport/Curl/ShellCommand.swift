/// A shell command: a program and its arguments, without the rest of the shell's syntax.
struct ShellCommand {
  /// The text or the file that a command reads as its standard input.
  enum Input {
    /// The text of a here-document after `<<`, or of a here-string after `<<<`.
    case text(ShellWord)
    /// The file whose name follows `<`.
    case file(ImportedText)
  }

  var words: [ShellWord] = []
  var input: Input?
  /// Whether the command reads the output of the command before it through a pipe.
  var isPiped = false
  /// The redirections of standard output to a file. A redirection to `/dev/null` is not included.
  var outputFiles: [Range<Int>] = []

  /// Splits the words of a shell text into commands. Leaves out prompts such as `$`. Before the word `curl`, also leaves out programs such
  /// as `sudo`, and assignments of variables.
  static func commands(_ words: [ShellWord]) -> [ShellCommand] {
    var commands: [ShellCommand] = []
    var current = ShellCommand()
    var isPiped = false
    func end() {
      current.isPiped = isPiped
      let command = current.fromProgram
      if !command.words.isEmpty { commands.append(command) }
      current = ShellCommand()
    }
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word.isOperator else {
        // Skips the prompt in `$ curl …`, as in a manual.
        if !current.words.isEmpty || word.text.literal != "$" { current.words.append(word) }
        continue
      }
      switch word.text.literal ?? "" {
      case ">", ">>", "<", "<<", "<<<":
        // The `2` of `2>` is not an argument, and the `&1` after it is not a command.
        var isOutput = word.text.literal == ">" || word.text.literal == ">>"
        if let last = current.words.last, ["0", "1", "2"].contains(last.text.literal), last.range.upperBound == word.range.lowerBound {
          current.words.removeLast()
          isOutput = isOutput && last.text.literal == "1"
        }
        // A descriptor or a file follows `>&`, and a file follows `>|`.
        let sign = rest.first.flatMap { $0.isOperator ? $0.text.literal : nil }
        if sign == "&" || sign == "|" { rest.removeFirst() }
        if let target = rest.first, !target.isOperator {
          rest.removeFirst()
          current.take(target, behind: word.text.literal ?? "")
          let isDescriptor = sign == "&" && ["0", "1", "2", "-"].contains(target.text.literal)
          if isOutput, !isDescriptor, target.text.literal != "/dev/null" {
            current.outputFiles.append(word.range.lowerBound..<target.range.upperBound)
          }
        }
      // `&>` redirects standard output and standard error.
      case "&" where isOutputSign(rest.first, at: word.range.upperBound): break
      case "(", ")": break
      case "|":
        end()
        isPiped = true
      default:
        end()
        isPiped = false
      }
    }
    end()
    return commands
  }

  /// Whether a word is `>` or `>>` and begins at the given position.
  private static func isOutputSign(_ word: ShellWord?, at position: Int) -> Bool {
    guard let word, word.isOperator, word.range.lowerBound == position else { return false }
    return word.text.literal == ">" || word.text.literal == ">>"
  }

  private mutating func take(_ target: ShellWord, behind sign: String) {
    switch sign {
    case "<": input = .file(target.text)
    case "<<": input = .text(target)
    case "<<<":
      var word = target
      word.text = ImportedText.joined(word.text + ImportedText("\n"))
      word.bytes = word.bytes.map { $0 + [UInt8(ascii: "\n")] }
      input = .text(word)
    default: break
    }
  }

  static func isCurl(_ word: ShellWord) -> Bool {
    let name = word.text.literal?.split { $0 == "/" || $0 == "\\" }.last?.lowercased()
    return name == "curl" || name == "curl.exe"
  }

  /// The command without the words before `curl`. Such words are variable assignments, and programs such as `sudo`.
  private var fromProgram: ShellCommand {
    guard let curl = words.firstIndex(where: Self.isCurl) else { return self }
    let isPreceded = words[..<curl].allSatisfy { word in
      guard case .literal(let text)? = word.text.pieces.first else { return false }
      return text.contains("=") || ["time", "sudo", "env", "exec", "command"].contains(text)
    }
    guard isPreceded else { return self }
    var command = self
    command.words = Array(words[curl...])
    return command
  }
}
