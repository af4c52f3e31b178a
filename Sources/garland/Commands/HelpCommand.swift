import ArgumentParser
import GarlandDiagnostics
import Glibc

struct HelpCommand: CommandAboutCommands {
  static let configuration = CommandConfiguration(
    commandName: "help",
    abstract: "Explain a command, a page of the documentation, a key, or the code of a diagnostic.",
    discussion: """
      Examples:
        garland help run                 the options of a command
        garland help expectations        a page of the documentation
        garland help for_each            a key
        garland help undefined-member    the code of a diagnostic
        garland help --concurrency       an option

      Without a topic it lists all commands and pages.
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("A command, a page, or a name that a page explains.", valueName: "topic"), completion: .custom(Completion.topics))
  var topic: [String] = []

  func run(root: any ParsableCommand.Type) throws {
    let environment = ProcessEnvironment.current
    let terminal = Terminal(.auto, environment: environment)
    let facts = terminal.facts(of: STDOUT_FILENO)
    let renderer = MarkdownRenderer(width: min(facts.width ?? 80, 100), marksCode: facts.colors == .plain)
    try terminal.show(text(root, renderer, width: facts.width))
  }

  private func text(_ root: any ParsableCommand.Type, _ renderer: MarkdownRenderer, width: Int?) throws(CommandFailure) -> StyledText {
    guard let name = topic.first else {
      return StyledText(root.helpMessage(columns: width) + "\n") + Self.topics
    }
    if let command = Self.command(topic[...], below: root) {
      return StyledText(root.helpMessage(for: command, columns: width) + "\n")
    }
    guard topic.count == 1 else {
      throw .usage("`garland help` takes one topic, and there is no command `\(topic.joined(separator: " "))`")
    }
    guard let library = HelpLibrary() else {
      if let option = Self.optionText(name, root, width: width) { return option }
      throw Self.missing(name)
    }
    if let page = library.page(near: name) { return renderer.render(try library.document(page)) }
    var entries = try library.entries(about: name)
    if entries.isEmpty { entries = try library.entries(about: name, ignoringCase: true) }
    if entries.isEmpty, let page = library.page(endingWith: name) { return renderer.render(try library.document(page)) }
    // The name of an option is also known without its dashes.
    let option = name.hasPrefix("-") ? name : "--" + name
    if entries.isEmpty { entries = try library.entries(about: option) }
    if entries.isEmpty { entries = try library.entries(under: name) }
    if entries.isEmpty, name.hasSuffix("s") { entries = try library.entries(about: String(name.dropLast())) }
    if entries.isEmpty { entries = try library.entries(aboutPath: name) }
    guard !entries.isEmpty else {
      if let text = Self.optionText(option, root, width: width) { return text }
      let failure = try Self.unknown(name, root, library)
      throw failure
    }
    return renderer.render(entries)
  }

  /// Returns the command with the names `words`, which may be a subcommand at any depth; nil if there is no such command.
  private static func command(_ words: ArraySlice<String>, below parent: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
    guard let word = words.first else { return parent }
    guard let child = parent.configuration.subcommands.first(where: { $0.configuration.commandName == word }) else { return nil }
    return command(words.dropFirst(), below: child)
  }

  /// Returns the help text of an option, for each command that has the option; nil if no command has it. Commands with the same text are
  /// listed together.
  private static func optionText(_ option: String, _ root: any ParsableCommand.Type, width: Int?) -> StyledText? {
    guard option.hasPrefix("-") else { return nil }
    var found: [(commands: [String], lines: [Substring])] = []
    for (name, command) in commands(below: root, named: "garland") {
      let help = root.helpMessage(for: command, columns: width).split(separator: "\n", omittingEmptySubsequences: false)
      guard let start = help.firstIndex(where: { UnknownOption.names(inHelp: $0).contains(option) }) else { continue }
      // The text of an option continues in lines with more indentation.
      let rest = help[(start + 1)...].prefix { $0.hasPrefix("      ") }
      let lines: [Substring] = [help[start]] + rest
      if let place = found.firstIndex(where: { $0.lines == lines }) {
        found[place].commands.append(name)
      } else {
        found.append(([name], lines))
      }
    }
    guard !found.isEmpty else { return nil }
    let texts = found.map { entry in
      "\(entry.commands.map { "`\($0)`" }.joined(separator: ", "))\n\n\(entry.lines.joined(separator: "\n"))\n"
    }
    return StyledText(texts.joined(separator: "\n"))
  }

  /// Returns all commands that have no subcommands, each with its full name.
  private static func commands(
    below parent: any ParsableCommand.Type, named name: String
  ) -> [(name: String, command: any ParsableCommand.Type)] {
    let children = parent.configuration.subcommands
    guard !children.isEmpty else { return [(name, parent)] }
    return children.flatMap { commands(below: $0, named: "\(name) \($0._commandName)") }
  }

  /// The list of help pages with their titles, in groups.
  private static var topics: StyledText {
    guard let library = HelpLibrary() else { return StyledText() }
    var text = StyledText()
    for isOfLanguage in [false, true] {
      text.append(isOfLanguage ? "\nThe language:\n" : "\nPages:\n")
      for page in library.pages where page.isOfLanguage == isOfLanguage {
        let title = (try? library.document(page))?.title ?? ""
        text += "  " + StyledText(page.name, .key).padded(to: 28) + StyledText(title + "\n")
      }
    }
    text.append("\n`garland help TOPIC` shows a page. It also explains keys, filters, options, and the codes of diagnostics.\n")
    return text
  }

  private static func missing(_ name: String) -> CommandFailure {
    .usage(
      "there is no command `\(name)`, and the documentation is not installed beside this program, in ../share/garland/docs; in the source code it is the folder docs, where language/diagnostics.md explains the codes of diagnostics"
    )
  }

  private static func unknown(
    _ name: String, _ root: any ParsableCommand.Type, _ library: HelpLibrary
  ) throws(CommandFailure) -> CommandFailure {
    let commands = root.configuration.subcommands.compactMap { $0.configuration.commandName }
    let names = try library.entryNames()
    let near = Suggestion.nearest(to: name, in: commands + library.pages.map(\.name) + names)
    return .usage("there is no help on `\(name)`: \(near.map { "did you mean `\($0)`?" } ?? "`garland help` lists the topics")")
  }
}
