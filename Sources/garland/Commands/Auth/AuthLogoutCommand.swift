import ArgumentParser

struct AuthLogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Delete the stored token, and revoke it at the provider.",
    discussion: """
      Example:
        garland auth logout shop smoke.yaml

      The token is revoked if the metadata of the `issuer` has a revocation
      endpoint (RFC 7009). It is deleted here even if it can't be revoked.
      """)

  @OptionGroup var arguments: AuthArguments

  func run() async throws {
    let session = try AuthSession(arguments)
    try await session.carryOut { auth in
      let words =
        switch try await auth.logOut() {
        case .nothing: "not logged in"
        case .forgotten: "logged out"
        case .revoked: "logged out, and the token is revoked"
        case .untold(let error): "logged out here; the provider could not be reached: \(error)"
        }
      try session.workspace.show("\(session.name): \(words)\n")
    }
  }
}
