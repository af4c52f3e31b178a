import ArgumentParser
import GarlandAuth

struct AuthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth",
    abstract: "Log in once for later runs.",
    discussion: """
      Examples:
        garland auth login shop smoke.yaml
        garland auth status shop smoke.yaml
        garland auth logout shop smoke.yaml

      Tokens are stored in a file that only you can read. Runs use and refresh
      them, also several runs at once. If CI is set in the environment, runs use
      them only with --token-cache.
      """,
    subcommands: [AuthLoginCommand.self, AuthStatusCommand.self, AuthLogoutCommand.self])
}

/// The command-line arguments that name an entry of `auth` and the document that declares it.
struct AuthArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The name under `auth:`, or `shop.api` in a document used as `shop`. Optional if there is only one.",
      valueName: "name"), completion: .custom(Completion.authentications))
  var name: String?

  @OptionGroup var paths: PathArguments
  @OptionGroup(title: "Values and secrets") var values: ValueOptions
  @OptionGroup(title: "Output") var output: OutputOptions
}

struct AuthStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the stored token, without sending a request.",
    discussion: """
      Examples:
        garland auth status shop smoke.yaml
        garland auth status smoke.yaml    the only entry of the document

      Exit status:
        0  a token is stored
        1  no token is stored
      """)

  @OptionGroup var arguments: AuthArguments

  func run() async throws {
    let session = try AuthSession(arguments, needsSecrets: false)
    try await session.carryOut { auth in
      guard let tokens = try await auth.kept() else {
        try session.workspace.show("\(session.name): not logged in\n")
        throw ExitCode(1)
      }
      try session.workspace.show("\(session.name): logged in\(TokenSummary(tokens, now: AuthEnvironment.systemTime()).text)\n")
    }
  }
}
