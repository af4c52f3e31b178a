import ArgumentParser
import GarlandDiagnostics

/// The message about an unknown option on the command line. It suggests the option that the user probably meant. For an option of another
/// tool, it suggests the corresponding option of Garland.
///
/// This message replaces the suggestions of the argument parser, which also suggests names that are hardly similar, such as `--tag` for
/// `--env`.
struct UnknownOption {
  private let name: String
  private let command: any ParsableCommand.Type
  private let root: any ParsableCommand.Type
  private let words: ArraySlice<String>

  /// Reads an error of the argument parser. Returns nil if the error is not about an unknown option.
  ///
  /// - Parameters:
  ///   - message: the text of the error.
  ///   - words: the command line.
  ///   - root: the root command, which contains all others.
  init?(_ message: String, words: ArraySlice<String>, root: any ParsableCommand.Type) {
    let start = "Unknown option '"
    guard message.hasPrefix(start) else { return nil }
    name = String(message.dropFirst(start.count).prefix { $0 != "'" })
    command = Self.command(of: words, in: root)
    self.root = root
    self.words = words
  }

  /// The text that replaces the argument parser's error.
  var message: String {
    let start = "Unknown option '\(name)'"
    return (counterpart ?? elsewhere ?? near).map { "\(start): \($0)" } ?? start
  }

  /// Returns the command that the arguments select, or the root command if they select no command.
  private static func command(of words: ArraySlice<String>, in root: any ParsableCommand.Type) -> any ParsableCommand.Type {
    var command = root
    for word in words where !word.hasPrefix("-") {
      guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
      command = next
    }
    return command
  }

  private var isRoot: Bool { ObjectIdentifier(command) == ObjectIdentifier(root) }

  private var counterpart: String? {
    let isSend = command._commandName == "send"
    if isSend, let own = ForeignOptions.counterpartOfSend(of: name) { return own }
    let options = Self.options(of: command, in: root)
    if let redirection = redirection(options) { return redirection }
    guard let counterpart = ForeignOptions.counterpart(of: name) else { return nil }
    if case .option(let option) = counterpart {
      if options.contains(where: { option == $0 || option.hasPrefix($0 + " ") }) { return "write `\(option)`" }
      return readsDocuments(options) ? "`garland run` has `\(option)`" : nil
    }
    guard readsDocuments(options) else { return nil }
    let also = isSend ? "; or put a whole command line of curl in quotes: `garland send \"curl …\"`" : ""
    switch counterpart {
    case .setting(let key): return "write it in the document, in a step or under `defaults:`, such as `\(key)`" + also
    case .step(let key): return "write it in the document, in a step, such as `\(key)`" + also
    case .words(let words), .option(let words):
      guard !isRoot, Self.names(options: words, besides: options) else { return words }
      return isSend ? nil : "with `garland run`, \(words)"
    }
  }

  /// Returns advice to write a command's output to a file with `>`; nil if this advice does not apply.
  ///
  /// The advice applies if both conditions are met:
  /// - Other tools use the unknown option to name an output file.
  /// - The command only prints its result, like `schema`, `completions` and each command that reads documents and has no option
  ///   `--report`.
  private func redirection(_ options: [String]) -> String? {
    guard ForeignOptions.outputFiles.contains(name), !isRoot, !options.contains("--report"),
      readsDocuments(options) || ["schema", "completions"].contains(command._commandName)
    else { return nil }
    let file = value ?? "FILE"
    let format = formats.first { file.hasSuffix("." + $0) }.map { "--format \($0) " } ?? ""
    return "the output goes to standard output: write `\(format)> \(value.map(ShellWord.quoted) ?? file)`"
  }

  /// The values of the command's option `--format`, as its help lists them.
  private var formats: [String] {
    let help = root.helpMessage(for: command, columns: 1_000).split(separator: "\n")
    guard let line = help.first(where: { Self.names(inHelp: $0).contains("--format") }), let start = line.firstRange(of: "(values: ")
    else { return [] }
    return line[start.upperBound...].prefix { $0 != ";" && $0 != ")" }.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }

  /// The value that the command line gives to the option; nil if it gives none.
  private var value: String? {
    if let joined = words.first(where: { $0.hasPrefix(name + "=") }) { return String(joined.dropFirst(name.count + 1)) }
    guard let place = words.firstIndex(of: name), let next = words[words.index(after: place)...].first else { return nil }
    return next.hasPrefix("-") ? nil : next
  }

  /// Whether the text `words` mentions an option that the command does not have. Only options in backquotes are found. `known` contains the
  /// options of the command.
  private static func names(options words: String, besides known: [String]) -> Bool {
    words.split(separator: "`").contains { part in
      part.hasPrefix("--") && !known.contains(String(part.prefix { $0 != " " }))
    }
  }

  /// Whether the command that the user named reads workflows. Also true if the user named no command.
  private func readsDocuments(_ options: [String]) -> Bool {
    isRoot || options.contains("--var")
  }

  /// A text with the command that has the option, such as "`garland run` has `--var`"; nil if no command has the option. If several
  /// commands have the option, `garland run` takes precedence. A short option also gives nil, since its meaning differs from command to
  /// command.
  private var elsewhere: String? {
    guard name.hasPrefix("--") else { return nil }
    let commands = root.configuration.subcommands
    let named = commands.filter { $0._commandName == "run" } + commands
    return named.first { Self.options(of: $0, in: root).contains(name) }.map { "`garland \($0._commandName)` has `\(name)`" }
  }

  private var near: String? {
    guard name.hasPrefix("--") else { return nil }
    let names = Self.options(of: command, in: root).filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
    return Suggestion.nearest(to: String(name.dropFirst(2)), in: names).map { "did you mean `--\($0)`?" }
  }

  /// Returns the options that the help of a command lists, including the dashes.
  static func options(of command: any ParsableCommand.Type, in root: any ParsableCommand.Type) -> [String] {
    root.helpMessage(for: command, columns: 200).split(separator: "\n").flatMap(names(inHelp:))
  }

  /// Returns the options at the beginning of a line of a command's help, including the dashes.
  static func names(inHelp line: Substring) -> [String] {
    guard line.hasPrefix("  -") else { return [] }
    return line.split(separator: " ").prefix { $0.hasPrefix("-") }.map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
  }
}
