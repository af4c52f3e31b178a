/// A shell command: a program and its arguments, without the rest of the shell's syntax.
struct ShellCommand {
  /// The source of standard input.
  enum Input {
    /// The text of a here-document after `<<`, or of a here-string after `<<<`.
    case text(ShellWord)
    /// The file whose name follows `<`.
    case file(ImportedText)
  }

  var words: [ShellWord] = []
  var input: Input?

  /// Returns the commands, each beginning with its program. The result does not contain prompts, variables before the program, redirections
  /// to files, or commands after a pipe other than curl.
  static func commands(_ words: [ShellWord]) -> [ShellCommand] {
    var commands: [ShellCommand] = []
    var current = ShellCommand()
    var isPiped = false
    func end() {
      let command = current.fromProgram
      if let name = command.words.first, !isPiped || isCurl(name) { commands.append(command) }
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
        if let last = current.words.last, ["0", "1", "2"].contains(last.text.literal), last.range.upperBound == word.range.lowerBound {
          current.words.removeLast()
        }
        if rest.first?.text.literal == "&", rest.first?.isOperator == true { rest.removeFirst() }
        if let target = rest.first, !target.isOperator {
          rest.removeFirst()
          current.take(target, behind: word.text.literal ?? "")
        }
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

  /// The command without the words before curl: variable assignments, and programs such as `sudo`.
  private var fromProgram: ShellCommand {
    guard let curl = words.firstIndex(where: Self.isCurl) else { return self }
    let isPreceded = words[..<curl].allSatisfy { word in
      guard case .literal(let text)? = word.text.pieces.first else { return false }
      return text.contains("=") || ["time", "sudo", "env", "exec", "command"].contains(text)
    }
    return isPreceded ? ShellCommand(words: Array(words[curl...]), input: input) : self
  }
}
