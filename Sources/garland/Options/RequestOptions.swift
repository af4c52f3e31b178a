import ArgumentParser

/// The options for the parts of the request that `garland send` sends.
struct RequestOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("A member of a JSON body; its value is typed as YAML types it. May be repeated.", valueName: "name=value"))
  var json: [String] = []
  @Option(name: .long, help: ArgumentHelp("A parameter of a form. May be repeated.", valueName: "name=value")) var form: [String] = []
  @Option(name: .long, help: ArgumentHelp("Text as the body.", valueName: "text")) var body: String?
  @Option(name: .long, help: ArgumentHelp("A header field. May be repeated.", valueName: "name: value")) var header: [String] = []
  @Option(name: .long, help: ArgumentHelp("A parameter of the query. May be repeated.", valueName: "name=value")) var query: [String] = []
  @Option(name: .long, help: ArgumentHelp("A bearer token, such as '${login.token}'.", valueName: "token")) var bearer: String?
  @Option(name: .long, help: ArgumentHelp("User and password.", valueName: "user:password")) var basic: String?

  /// The names of the options on the command line that set a body, such as `--json`.
  var bodies: [String] {
    [json.isEmpty ? nil : "--json", form.isEmpty ? nil : "--form", body.map { _ in "--body" }].compactMap { $0 }
  }

  /// Whether no option was given.
  var isEmpty: Bool { bodies.isEmpty && header.isEmpty && query.isEmpty && bearer == nil && basic == nil }
}
