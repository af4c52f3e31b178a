import ArgumentParser

struct AuthCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auth",
    abstract: "Log in once for later runs.",
    discussion: """
      Tokens are kept in a file that only you can read. Runs use them and keep
      them fresh, and so do several runs at once. Where CI is set in the
      environment they don't, unless --token-cache says otherwise.

      Examples:
        garland auth login shop smoke.yaml
        garland auth status shop smoke.yaml
        garland auth logout shop smoke.yaml
      """,
    subcommands: [AuthLoginCommand.self, AuthStatusCommand.self, AuthLogoutCommand.self])
}

/// The command-line arguments that name an entry of `auth` and the document that declares it.
struct AuthArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Its name under `auth:`; `shop.api` is that of a document that is used as `shop`. Not needed where there is only one.",
      valueName: "name"), completion: .custom(Completion.authentications))
  var name: String?

  @OptionGroup var paths: PathArguments
  @OptionGroup var values: ValueOptions
  @OptionGroup var output: OutputOptions
}
