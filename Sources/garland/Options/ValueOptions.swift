import ArgumentParser

/// The options that set variables and secrets, and that select a profile.
struct ValueOptions: ParsableArguments {
  @Option(
    name: .customLong("var"),
    help: ArgumentHelp("Set a variable. Its value is typed as in YAML.", valueName: "name=value"))
  var variables: [String] = []

  @Option(
    name: .customLong("var-string"),
    help: ArgumentHelp("Set a variable to text.", valueName: "name=value"))
  var textVariables: [String] = []

  @Option(
    name: .customLong("vars-file"),
    help: ArgumentHelp("Variables from a YAML, JSON or dotenv file; `-` is standard input.", valueName: "file"), completion: .file())
  var variableFiles: [String] = []

  @Option(
    name: .customLong("secret"),
    help: ArgumentHelp("Set a secret, which is masked everywhere. In CI, prefer the environment.", valueName: "name=value"))
  var secrets: [String] = []

  @Option(
    name: .customLong("secrets-file"),
    help: ArgumentHelp("Secrets from a YAML, JSON or dotenv file; `-` is standard input.", valueName: "file"), completion: .file())
  var secretFiles: [String] = []

  @Option(
    name: .customLong("profile"), help: ArgumentHelp("A profile of the documents.", valueName: "name"),
    completion: .custom(Completion.profiles))
  var profile: String?
}
