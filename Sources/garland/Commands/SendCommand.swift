import ArgumentParser
import GarlandDiagnostics
import GarlandImport
import GarlandReports
import GarlandText
import GarlandWorkflow
import Glibc

struct SendCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send one request without writing a file; --save adds it to a document as a step.",
    discussion: """
      Examples:
        garland send https://example.com/
        garland send POST /books --json title=Dune --json price=9.5
        garland send POST /books --json title=Dune --in shop.yaml \\
          --bearer '${login.token}' --save create_book
        garland send "curl -u alice:secret https://example.com/api"

      The request is a step of a document: it can use the variables, the secrets,
      the auth entries and the steps of the document that --in names. Steps that it
      uses run first.
      """)

  @Argument(
    help: ArgumentHelp("A method and a URL, a URL alone, or a command line of curl in quotes.", valueName: "request"))
  var words: [String]

  @OptionGroup(title: "Request") var parts: RequestOptions

  @Option(
    name: .customLong("in"), help: ArgumentHelp("The document whose values, auth and steps the request can use.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var document: String?
  @Option(
    name: .long, help: ArgumentHelp("If the request succeeds, add it to the document of --in as a step with this name.", valueName: "name"))
  var save: String?

  @Option(name: .long, help: ArgumentHelp("Show this part of each step's exchange, instead of only the body.", valueName: "what"))
  var show: ConsoleOptions.Show?
  @Flag(name: .long, help: "Start the embedded server and set env.GARLAND_SANDBOX to its URL.") var sandbox = false
  @Flag(name: .long, help: "Do not ask for confirmation, even if the profile requires it.") var yes = false
  @OptionGroup(title: "Project") var project: ProjectOptions
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Tokens") var tokens: TokenOptions

  func validate() throws {
    if save != nil, document == nil { throw ValidationError("--save needs the document to add the step to: --in FILE.") }
    if document == "-" { throw ValidationError("--in needs a file.") }
    if parts.bodies.count > 1 { throw ValidationError("\(parts.bodies.joined(separator: " and ")) are two bodies: give one of them.") }
    if parts.bearer != nil, parts.basic != nil { throw ValidationError("--bearer and --basic are two credentials: give one of them.") }
    if isCurl {
      guard words.count == 1 else { throw ValidationError("A command line of curl is one argument: put it in quotes.") }
      guard parts.isEmpty else {
        throw ValidationError("A curl command is a complete request: options for the request can't be added to it.")
      }
    } else if words.count == 1, Self.knownMethods.contains(words[0]) {
      throw ValidationError("There is no URL: write `garland send \(words[0]) URL`.")
    }
  }

  /// Throws an error if the arguments are not a method and a URL.
  ///
  /// This check is not a part of `validate()`. After an unknown option, as in `-H 'Accept: text/html'`, the option's value counts as an
  /// argument. So `validate()` would report too many arguments, which is less helpful than the error about the unknown option.
  private func checkWords() throws(CommandFailure) {
    guard !isCurl else { return }
    if words.count > 2 {
      throw .usage("expected a method and a URL, found \(words.count) words: put quotes around words that belong together")
    } else if words.count == 2, !words[0].utf8.allSatisfy(HTTPToken.contains) {
      throw .usage("`\(words[0])` is not a valid HTTP method: write `garland send METHOD URL`")
    }
    if let url = words.last, Self.beginsWithHostAndPort(url) {
      throw .usage(
        "`\(url)` has no scheme: write `\(IncompleteURL(url).completed)`, or `/\(url)` for a path after `base_url`")
    }
  }

  /// Whether a URL begins with a host and a port instead of a scheme, like `localhost:8080/health`: the text before the path ends with a
  /// colon and a port number.
  private static func beginsWithHostAndPort(_ url: String) -> Bool {
    let authority = url.prefix { !"/?#".contains($0) }
    guard let colon = authority.lastIndex(of: ":"), colon != authority.startIndex else { return false }
    let host = authority[..<colon]
    let isHost = host.hasPrefix("[") ? host.hasSuffix("]") : host.utf8.allSatisfy { $0 != UInt8(ascii: ":") && Self.isHostByte($0) }
    return isHost && UInt16(authority[colon...].dropFirst()) != nil
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    let scalar = Character(Unicode.Scalar(byte))
    return scalar.isASCII && (scalar.isLetter || scalar.isNumber || scalar == "." || scalar == "-")
  }

  private static let knownMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"]

  private var isCurl: Bool {
    guard let first = words.first?.split(whereSeparator: \.isWhitespace).first else { return false }
    return first == "curl" || first.hasSuffix("/curl") || first == "curl.exe"
  }

  // MARK: Running

  func run() async throws {
    try checkWords()
    let terminal = Terminal(output.color, environment: ProcessEnvironment.current)
    let texts = FixedTexts()
    let addition: (step: StepText, id: String)
    do {
      addition = try add(to: texts, terminal)
    } catch let refusal as DocumentAddition.Refusal {
      throw CommandFailure.usage(refusal.message)
    }
    // Otherwise a POST would have been sent before the user learns that the step can't be saved.
    if save != nil { try FixedFiles(texts).check() }
    var command = try RunCommand.parse([])
    command.paths.arguments = [document ?? FixedTexts.standardInput]
    command.paths.steps.names = [addition.id]
    command.paths.project = project
    (command.values, command.output, command.tokens) = (values, output, tokens)
    (command.setup.sandbox, command.setup.yes) = (sandbox, yes)
    command.results.show = show
    var workspace = Workspace(command.paths, values, output, environment: ProcessEnvironment.current, texts: texts)
    workspace.isSending = true
    for secret in addition.step.secrets {
      if let value = secret.value { workspace.keep(value, named: secret.name, from: "the command line") }
    }
    do {
      try await command.run(in: workspace)
    } catch {
      if let document {
        let state = save.map { "`\($0)` was not added to \(document)" } ?? "\(document) is unchanged"
        terminal.note("\(state). The errors above show its lines as they would be with the request.\n")
      }
      throw error
    }
    if let save, let document { try keep(texts, save, document, addition.step, terminal) }
  }

  /// Adds the request as a step to the text of the document. If the command names no document, adds the step to the text of an empty
  /// document. Writes no file. Returns the step, and the id of the step.
  private func add(to texts: FixedTexts, _ terminal: Terminal) throws -> (step: StepText, id: String) {
    guard let document else {
      var addition = DocumentAddition("the command line", Array(try emptyDocument().utf8))
      let added = try add(to: &addition, terminal)
      texts.setInput(addition.bytes, named: "the command line")
      return added
    }
    let system = SystemFiles()
    let path = system.resolve(document) ?? document
    let old: [UInt8]
    do {
      old = try system.read(path, limit: 64 << 20)
    } catch {
      throw CommandFailure.unreadable(document, error)
    }
    var addition = DocumentAddition(document, old)
    let added = try add(to: &addition, terminal)
    texts.change(path, to: FixedTexts.Change(name: document, old: old, new: addition.bytes))
    return added
  }

  /// Returns the text of a new document without steps. If there is no option `--in`, the request is added to this document.
  ///
  /// If the request has a relative URL and `--sandbox` is set, the document's base URL is that of the embedded server. In a folder with a
  /// project, the document gets no base URL, since the project may set one.
  private func emptyDocument() throws -> String {
    let start = "garland: 1\n"
    guard sandbox, words.last?.hasPrefix("/") == true else { return start }
    var paths = try RunCommand.parse([]).paths
    paths.project = project
    let workspace = Workspace(paths, values, output, environment: ProcessEnvironment.current)
    guard workspace.projects?.project(of: workspace.workingDirectory) == nil else { return start }
    return start + "defaults: { base_url: \"${env.\(RunInputs.sandboxVariable)}\" }\n"
  }

  private func add(to addition: inout DocumentAddition, _ terminal: Terminal) throws -> (step: StepText, id: String) {
    let steps = try addition.names(in: "steps")
    let id =
      try save.map { name in
        guard !steps.contains(name) else { throw DocumentAddition.Refusal(message: "\(document ?? "") has a step `\(name)` already") }
        return name
      } ?? Self.unused("send", steps)
    let step = try step(secrets: try addition.names(in: "secrets"), terminal)
    let known = try addition.names(in: "auth")
    for authentication in step.authentications where !known.contains(authentication.name) {
      try addition.add(authentication.name, authentication.value, to: "auth")
    }
    for secret in step.secrets { try addition.declareSecret(secret.name) }
    try addition.add(id, step.value, to: "steps")
    return (step, id)
  }

  private static func unused(_ name: String, _ taken: [String]) -> String {
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)_\(number)") { number += 1 }
    return "\(name)_\(number)"
  }

  private func step(secrets: [String], _ terminal: Terminal) throws -> StepText {
    var diagnostics = DiagnosticList()
    guard !isCurl else {
      let file = SourceFile(name: "the command line", bytes: Array(words[0].utf8))
      let step = StepText.curl(file, secrets: secrets, reading: { try? SystemFiles().read($0, limit: 16 << 20) }, into: &diagnostics)
      guard let step else {
        terminal.show(Self.withoutSource(diagnostics))
        throw ExitCode(2)
      }
      for value in step.secrets.compactMap({ $0.value }) { terminal.redactor.register(value) }
      terminal.show(step.diagnostics)
      return step
    }
    let request = SentRequest(
      method: words.count == 2 ? Self.method(words[0]) : nil, url: words.last ?? "", json: parts.json, form: parts.form, body: parts.body,
      headers: parts.header, query: parts.query, bearer: parts.bearer, basic: parts.basic)
    do {
      return StepText(try request.imported(into: &diagnostics), secrets: secrets)
    } catch let error as ValidationError {
      throw CommandFailure.usage(error.message)
    }
  }

  /// Returns the diagnostics about a curl command that could not be parsed, without their source line. The source line is the command,
  /// which may contain credentials that were not recognised. Instead of showing the line, each message begins with the position of the
  /// mistake.
  private static func withoutSource(_ diagnostics: DiagnosticList) -> DiagnosticList {
    var result = DiagnosticList()
    for diagnostic in diagnostics.all {
      let place = diagnostic.range.map { "\($0): " } ?? ""
      let shown = Diagnostic(diagnostic.code, severity: diagnostic.severity, place + diagnostic.message, at: nil)
      result.report(diagnostic.helps.reduce(shown) { $0.help($1.message) })
    }
    return result
  }

  /// Returns the method for a word, such as POST for `post`. Methods that are not standard are sent as they are written.
  private static func method(_ word: String) -> String {
    knownMethods.contains(word.uppercased()) ? word.uppercased() : word
  }

  /// Writes the document with the new step. Tells the user on which line the step was added, and which secrets later runs need.
  private func keep(_ texts: FixedTexts, _ name: String, _ document: String, _ step: StepText, _ terminal: Terminal) throws {
    try FixedFiles(texts).write()
    if !output.quiet {
      let bytes = texts.changes.values.first?.new ?? []
      let place = try DocumentAddition(document, bytes).place(of: name, in: "steps")
      terminal.note("Added `\(name)` to \(place.map { "\($0)" } ?? document)\n")
    }
    // Without the secrets, later runs fail.
    guard !step.secrets.isEmpty else { return }
    let names = step.secrets.map { "`\($0.name)`" }.joined(separator: ", ")
    terminal.note("Its credentials are not in the document: give the secret\(step.secrets.count == 1 ? "" : "s") \(names) to later runs\n")
  }
}
