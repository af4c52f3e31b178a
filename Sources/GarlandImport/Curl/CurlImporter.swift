import GarlandDiagnostics

/// Makes requests of command lines of curl: one or several, as a person, a manual or a browser writes them.
enum CurlImporter {
  static func collection(from file: SourceFile) -> ImportedCollection {
    var collection = ImportedCollection()
    let words: ShellWords
    do throws(ShellWords.Problem) {
      words = try ShellWords(file.bytes)
    } catch {
      collection.refuse(error.message, at: SourceRange(file, error.range))
      return collection
    }
    for range in words.substitutions {
      collection.warn("only a shell knows what this becomes", at: SourceRange(file, range), help: "write a variable in its place")
    }
    for command in commands(words.words) {
      guard let name = command.first else { continue }
      let program = name.text.literal?.split(separator: "/").last.map(String.init)
      guard program == "curl" else {
        collection.warn("this is no command line of curl", at: SourceRange(file, name.range))
        continue
      }
      var line = CurlCommandLine(Array(command.dropFirst()), program: name.range, file)
      line.read(into: &collection)
    }
    return collection
  }

  /// Commands, each from its program on, without what a shell does besides: prompts, variables before the program, pipes and files.
  private static func commands(_ words: [ShellWord]) -> [[ShellWord]] {
    var commands: [[ShellWord]] = []
    var current: [ShellWord] = []
    var isSkipped = false
    var skipsNext = false
    for word in words {
      guard word.isOperator else {
        if skipsNext {
          skipsNext = false
          continue
        }
        if isSkipped { continue }
        // `$ curl …` in a manual, and `NAME=value curl …`.
        if current.isEmpty, word.text.literal == "$" { continue }
        current.append(word)
        continue
      }
      switch word.text.literal ?? "" {
      case "|": isSkipped = true
      case ">", ">>", "<", "<<":
        // The `2` of `2>` is no argument.
        if let last = current.last?.text.literal, ["1", "2"].contains(last), current.last?.range.upperBound == word.range.lowerBound {
          current.removeLast()
        }
        skipsNext = true
      case "(", ")": break
      default:
        if !current.isEmpty { commands.append(current) }
        current = []
        isSkipped = false
      }
    }
    if !current.isEmpty { commands.append(current) }
    return commands.map { command in
      guard let curl = command.firstIndex(where: { $0.text.literal?.split(separator: "/").last == "curl" }) else { return command }
      let isPreceded = command[..<curl].allSatisfy { word in
        guard case .literal(let text)? = word.text.pieces.first else { return false }
        return text.contains("=") || ["time", "sudo", "env", "exec", "command"].contains(text)
      }
      return isPreceded ? Array(command[curl...]) : command
    }
  }
}
