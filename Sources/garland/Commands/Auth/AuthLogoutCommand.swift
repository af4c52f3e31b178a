import ArgumentParser

struct AuthLogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Forget the token that is kept. The provider is not told.")

  @OptionGroup var arguments: AuthArguments

  func run() async throws {
    let session = try AuthSession(arguments)
    try await session.carryOut { auth in
      try session.workspace.show("\(arguments.name): \(try await auth.logOut() ? "logged out" : "not logged in")\n")
    }
  }
}
