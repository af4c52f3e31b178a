import TestSupport
import Testing

/// Tests of `--secret` and `--secrets-file`. A name that no document declares is an error on the command line, but is allowed in a file,
/// which may be used with other documents.
@Suite(.timeLimit(.minutes(15))) struct SecretOptionTests {
  private static func check(_ arguments: [String]) async throws -> ChildProcess.Result {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      secrets: [TOKEN]
      steps:
        a: { get: "http://127.0.0.1:1/", bearer: "${secrets.TOKEN}" }
        b: { call: called.yaml, with: { id: 7 } }

      """)
    try folder.write(
      "called.yaml",
      """
      garland: 1
      inputs: { id: { type: integer } }
      secrets: [PASSWORD]
      steps: { a: { get: "http://127.0.0.1:1/${inputs.id}", basic: "me:${secrets.PASSWORD}" } }

      """)
    try folder.write("shared.env", "TOKEN=canary-1\nFOR_OTHERS=canary-2\n")
    return try await Garland.run(["check", "w.yaml"] + arguments, in: folder.path)
  }

  @Test func `a --secret option with an undeclared name is refused`() async throws {
    let result = try await Self.check(["--secret", "TOKNE=canary-3"])
    #expect(result.status == 2)
    #expect(
      result.error
        == """
        error[unknown-secret]: w.yaml has no secret `TOKNE`
         --> --secret:1:1
          |
        1 | TOKNE
          | ^^^^^
          = help: did you mean `TOKEN`?

        1 error

        """)
    let other = try await Self.check(["--secret", "x=canary-4"])
    #expect(other.error.contains("= help: available: `PASSWORD`, `TOKEN`"), "\(other.error)")
  }

  @Test(arguments: ["--var", "--var-string"]) func `the error for --var with the name of a secret does not show the given value`(
    option: String
  ) async throws {
    for name in ["TOKEN", "PASSWORD", "PASWORD", "9PASSWORD"] {
      let result = try await Self.check([option, "\(name)=canary-5"])
      #expect(result.status == 2 && !result.error.contains("canary"), "\(result.error)")
      guard ["TOKEN", "PASSWORD"].contains(name) else { continue }
      let help = "= help: `\(name)` is a secret: write `--secret \(name)=…`, or set it in the environment"
      #expect(result.error.contains("1 | \(name)\n") && result.error.contains(help), "\(result.error)")
    }
  }

  @Test(arguments: ["--secrets-file", "--vars-file"])
  func `if an option that takes a file is given the value of a secret instead, the error does not show the value`(option: String)
    async throws
  {
    let result = try await Self.check([option, "TOKEN=canary-6"])
    #expect(result.status == 2 && result.error.contains("`\(option)` takes a file") && !result.error.contains("canary"), "\(result.error)")
  }

  @Test(arguments: [
    ["run", "w.yaml", "--report", "json=file/canary-7/r.json"], ["run", "w.yaml", "--failed-from", "canary-7.json"],
    ["plan", "w.yaml", "--from", "canary-7.json"], ["export", "w.yaml", "--to", "k6", "--output", "file/canary-7/w.js"],
  ])
  func `if the name of a file in an option contains a secret, the error masks the secret`(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml", "garland: 1\nsecrets: [TOKEN]\nsteps: { a: { get: \"http://127.0.0.1:1/\", bearer: \"${secrets.TOKEN}\" } }\n")
    // A file in the place of a folder, so that nothing can be written below it.
    try folder.write("file", "")
    let result = try await Garland.run(arguments, environment: ["TOKEN": "canary-7"], in: folder.path)
    #expect(result.status != 0 && result.error.hasPrefix("error: ") && result.error.contains("***"), "\(result.error)")
    #expect(!(result.error + result.output).contains("canary-7"), "\(result.error)")
  }

  @Test(arguments: [["--secret", "TOKEN=canary-3"], ["--secret", "PASSWORD=canary-4"], ["--secrets-file", "shared.env"]])
  func `a --secret option whose name the document declares is accepted`(arguments: [String]) async throws {
    let result = try await Self.check(arguments)
    #expect(result.status == 0, "\(result.output)\(result.error)")
  }
}
