import GarlandDiagnostics

/// Imports requests from curl command lines, as users, manuals or browsers write them.
enum CurlImporter {
  static func collection(from file: SourceFile, reading: @escaping ImportFileReading) -> ImportedCollection {
    var collection = ImportedCollection()
    let words: [ShellWord]
    var substitutions: [Range<Int>] = []
    do throws(ShellWords.Problem) {
      if let range = powerShell(file.bytes) {
        throw ShellWords.Problem(message: "these are commands of PowerShell, which can't be read", range: range)
      }
      if CmdWords.isCmd(file.bytes) {
        words = CmdWords.words(of: file.bytes)
      } else {
        let shell = try ShellWords(file.bytes)
        words = shell.words
        substitutions = shell.substitutions
      }
    } catch {
      let help = error.message.contains("PowerShell") ? "copy the request as a command line of curl for bash or cmd" : nil
      collection.refuse(error.message, at: SourceRange(file, error.range), help: help)
      return collection
    }
    let commands = ShellCommand.commands(words).map(Self.withoutKeywords).filter { !$0.words.isEmpty }
    guard commands.contains(where: { $0.words.first.map(ShellCommand.isCurl) == true }) else {
      if let name = commands.first?.words.first {
        collection.refuse(Self.refusal(file), at: SourceRange(file, name.range), help: Self.help(file))
      }
      return collection
    }
    for range in substitutions where !commands.contains(where: { Self.isAssignment($0, of: range) }) {
      collection.warn(
        "this text was left out, because only a shell can expand it", at: SourceRange(file, range),
        help: "write a value in its place, such as a variable")
    }
    for command in commands {
      guard let name = command.words.first else { continue }
      guard ShellCommand.isCurl(name) else {
        let sets = substitutions.contains { Self.isAssignment(command, of: $0) }
        collection.warn(
          "this text is not a curl command, and was left out", at: SourceRange(file, name.range),
          help: sets
            ? "write the curl command alone, and add `extract` to its step: other steps can use the value"
            : command.isPiped ? "to take a value out of the response, add `extract` to the step, or pipe the output of `garland send`" : nil
        )
        continue
      }
      var line = CurlCommandLine(command.words.dropFirst(), program: name.range, input: command.input, file, reading: reading)
      collection.append(line.read())
      for range in command.outputFiles {
        collection.warn(
          "this redirection was left out", at: SourceRange(file, range), help: "`--output FILE` in its place becomes `download: FILE`")
      }
    }
    return collection
  }

  /// The keywords of the shell, such as `do` and `then`, that come before or after a command and are not commands themselves.
  private static let keywords: Set<String> = ["do", "done", "then", "else", "fi", "esac", "{", "}", "!"]

  private static func withoutKeywords(_ command: ShellCommand) -> ShellCommand {
    var command = command
    command.words = Array(command.words.drop { keywords.contains($0.text.literal ?? "") })
    return command
  }

  /// Whether a command is an assignment such as `TOKEN=$(curl …)`, whose command substitution is at `range`.
  private static func isAssignment(_ command: ShellCommand, of range: Range<Int>) -> Bool {
    guard command.words.count == 1, let word = command.words.first, word.range.contains(range.lowerBound) else { return false }
    return word.text.pieces.first.flatMap { if case .literal(let text) = $0 { text.contains("=") } else { nil } } ?? false
  }

  private static func first(_ file: SourceFile) -> Substring {
    let lines = String(decoding: file.bytes.prefix(4096), as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.first { !$0.hasPrefix("#") && !$0.hasPrefix("---") } ?? ""
  }

  private static func refusal(_ file: SourceFile) -> String {
    first(file).hasPrefix("garland:") ? "this is a workflow of Garland already" : "the file has no curl command"
  }

  private static func help(_ file: SourceFile) -> String {
    let line = first(file)
    if line.hasPrefix("garland:") { return "run it with `garland run \(file.name)`" }
    if line.hasPrefix("openapi:") || line.hasPrefix("swagger:") { return ImportedCollection.adviceOnOpenAPI }
    return "Garland imports curl commands, HAR files and Postman collections"
  }

  /// Returns the range that shows that a text is PowerShell: a PowerShell command or parameter, or a backquote after a space at the end of
  /// a line. Returns nil for other texts. In a POSIX shell, a backquote at the end of a line usually ends a command substitution, and has
  /// no space before it.
  private static func powerShell(_ bytes: [UInt8]) -> Range<Int>? {
    let text = String(decoding: bytes, as: UTF8.self)
    for mark in ["Invoke-WebRequest", "Invoke-RestMethod", "New-Object Microsoft.PowerShell", " -Uri ", " -Headers @{", " `\n", " `\r\n"] {
      guard let range = text.range(mark) else { continue }
      let start = text.utf8.distance(from: text.utf8.startIndex, to: range.lowerBound)
      return mark.hasPrefix(" `") ? start + 1..<start + 2 : start..<start + mark.utf8.count
    }
    return nil
  }
}
