import ArgumentParser
import GarlandAuth

struct AuthStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show the stored token, without sending a request. The exit status is 1 if no token is stored.")

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
