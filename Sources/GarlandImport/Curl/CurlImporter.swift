import GarlandDiagnostics

/// Imports requests from curl command lines, as a person, a manual or a browser writes them.
enum CurlImporter {
  static func collection(from file: SourceFile, reading: @escaping ImportFileReading) -> ImportedCollection {
    var collection = ImportedCollection()
    let words: [ShellWord]
    do throws(ShellWords.Problem) {
      if let range = powerShell(file.bytes) {
        throw ShellWords.Problem(message: "these are commands of PowerShell, which can't be read", range: range)
      }
      if CmdWords.isCmd(file.bytes) {
        words = CmdWords.words(of: file.bytes)
      } else {
        let shell = try ShellWords(file.bytes)
        words = shell.words
        for range in shell.substitutions {
          collection.warn("only a shell can expand this", at: SourceRange(file, range), help: "write a variable instead")
        }
      }
    } catch {
      let help = error.message.contains("PowerShell") ? "copy the request as a command line of curl for bash or cmd" : nil
      collection.refuse(error.message, at: SourceRange(file, error.range), help: help)
      return collection
    }
    for command in ShellCommand.commands(words) {
      guard let name = command.words.first else { continue }
      guard ShellCommand.isCurl(name) else {
        collection.warn("this is not a curl command, and was left out", at: SourceRange(file, name.range))
        continue
      }
      var line = CurlCommandLine(command.words.dropFirst(), program: name.range, input: command.input, file, reading: reading)
      collection.append(line.read())
    }
    return collection
  }

  /// Returns the range that shows that a text is PowerShell: a PowerShell command or parameter, or a backquote at the end of a line.
  /// Returns nil for other texts.
  private static func powerShell(_ bytes: [UInt8]) -> Range<Int>? {
    let text = String(decoding: bytes, as: UTF8.self)
    for mark in ["Invoke-WebRequest", "Invoke-RestMethod", "New-Object Microsoft.PowerShell", " -Uri ", " -Headers @{", "`\n", "`\r\n"] {
      guard let range = text.range(mark) else { continue }
      let start = text.utf8.distance(from: text.utf8.startIndex, to: range.lowerBound)
      return start..<start + (mark.hasPrefix("`") ? 1 : mark.utf8.count)
    }
    return nil
  }
}
