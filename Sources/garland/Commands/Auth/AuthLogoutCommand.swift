import ArgumentParser

struct AuthLogoutCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout",
    abstract: "Forget the token that is kept, and have the provider revoke it.",
    discussion: """
      The tokens are revoked at the provider if its metadata have an endpoint for that (RFC 7009),
      so with an `issuer`. If it cannot be, the token is forgotten all the same.
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
