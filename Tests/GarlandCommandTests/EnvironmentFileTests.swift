import Glibc
import TestSupport
import Testing

/// Tests of `.env` files beside the project file, and of files with secrets.
@Suite(.timeLimit(.minutes(15))) struct EnvironmentFileTests {
  private static let document = """
    garland: 1
    secrets: [TOKEN]
    steps: { look: { get: "${env.GARLAND_SANDBOX}/bearer/the-${env.KIND}-token", bearer: "${secrets.TOKEN}" } }

    """

  private func folder(_ files: [(name: String, text: String)], project: String = "profiles: { p: {} }\n") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", project)
    try folder.write("w.yaml", Self.document)
    for file in files {
      let path = try folder.write(file.name, file.text)
      chmod(path, 0o600)
    }
    return folder
  }

  private func value(_ name: String, in folder: TemporaryFolder, _ arguments: [String] = [], environment: [String: String?] = [:])
    async throws
    -> String
  {
    let result = try await Garland.run(["env", "w.yaml"] + arguments, environment: environment, in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let line = result.output.split(separator: "\n").first { $0.contains(" \(name) ") } ?? ""
    return line.split(separator: " ").dropFirst().joined(separator: " ")
  }

  @Test func `environment variables and secrets of a workflow are read from the dotenv file of the project`() async throws {
    let folder = try folder([(".env", "KIND=secret\nTOKEN='the-secret-token'\n")])
    let run = try await Garland.run(["run", "w.yaml", "--sandbox", "--strict"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    #expect(!run.output.contains("the-secret-token"))
    let without = try await Garland.run(["run", "w.yaml", "--sandbox", "--no-project"], in: folder.path)
    #expect(without.status == 2 && without.error.contains("missing-secret"), "\(without.error)")
    #expect(without.error.contains("there is no project file, so `.env` is not read; to use it, write `--secrets-file .env`"))
    unlink(folder.path + "/.env")
    let empty = try await Garland.run(["run", "w.yaml", "--sandbox"], environment: ["KIND": "secret"], in: folder.path)
    #expect(empty.status == 2 && empty.error.contains("in a project, `.env` beside the project file is read, too"), "\(empty.error)")
  }

  @Test func `the help for a missing secret names the dotenv files that are read for the profile and those that are not read`()
    async throws
  {
    let folder = try folder([(".env.base", "TOKEN=x\n")], project: "profiles: { base: {}, p: { extends: base } }\n")
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--profile", "p"], environment: ["KIND": "secret"], in: folder.path)
    let help = "`.env.p` and `.env` beside the project file are read, too; `.env.base` is not read, since the profile is `p`"
    #expect(result.status == 2 && result.error.contains(help), "\(result.error)")
  }

  @Test func `a more specific dotenv file overrides a general one, and environment variables override both`() async throws {
    let folder = try folder([
      (".env", "KIND=1\n"), (".env.local", "KIND=2\n"), (".env.p", "KIND=3\n"), (".env.p.local", "KIND=4\n"), (".env.other", "KIND=5\n"),
    ])
    #expect(try await value("env.KIND", in: folder) == "2 .env.local:1")
    #expect(try await value("env.KIND", in: folder, ["--profile", "p"]) == "4 .env.p.local:1")
    #expect(try await value("env.KIND", in: folder, environment: ["KIND": "0"]) == "0 environment")
    unlink(folder.path + "/.env.p.local")
    #expect(try await value("env.KIND", in: folder, ["--profile", "p"]) == "3 .env.p:1")
    unlink(folder.path + "/.env.local")
    #expect(try await value("env.KIND", in: folder) == "1 .env:1")
  }

  @Test func `the default profile of the project determines which dotenv file is read`() async throws {
    let folder = try folder([(".env.p", "KIND=p\n")], project: "default_profile: p\nprofiles: { p: {} }\n")
    #expect(try await value("env.KIND", in: folder) == "p .env.p:1")
  }

  @Test func `garland env masks the values of secrets`() async throws {
    let folder = try folder([(".env", "TOKEN=the-secret-token\n")])
    #expect(try await value("secrets.TOKEN", in: folder) == "*** .env:1")
    #expect(try await value("secrets.TOKEN", in: folder, ["--secret", "TOKEN=other-token"]) == "*** --secret")
    let json = try await Garland.run(["env", "w.yaml", "--format", "json"], in: folder.path)
    #expect(!json.output.contains("the-secret-token"))
  }

  @Test func `an invalid line of a dotenv file causes a warning that shows no text of the file`() async throws {
    let folder = try folder([(".env", "KIND=x\nhunter2x\nTOKEN=the-x-token\n")])
    let run = try await Garland.run(["run", "w.yaml", "--sandbox"], in: folder.path)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error.contains("warning[bad-dotenv]: .env:2:1") && !run.error.contains("hunter2x"), "\(run.error)")
  }

  @Test func `if a line of a dotenv file has an invalid name, the line is ignored with a warning`() async throws {
    let folder = try folder([(".env", "KIND=x\nTOKEN=the-x-token\na.b=7\n")])
    try folder.write("dots.yaml", "garland: 1\nsteps: { a: { get: \"http://127.0.0.1:1/${env['a.b'] ?? 'none'}\" } }\n")
    let list = try await Garland.run(["list", "dots.yaml"], in: folder.path)
    #expect(list.output.contains("http://127.0.0.1:1/none"), "\(list.output)")
    let check = try await Garland.run(["check", "dots.yaml"], in: folder.path)
    #expect(check.error.contains("warning[bad-name]: .env:3:1"), "\(check.error)")
  }

  @Test func `if a value in a dotenv file is not UTF-8, the error shows the line of the value`() async throws {
    let folder = try folder([])
    try folder.write("secrets.env", Array("KIND=kind\nTOKEN=caf".utf8) + [0xE9, 0x0A])
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--secrets-file", "secrets.env"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.error.contains("secrets.env:2:1: the text is neither UTF-8 nor UTF-16"), "\(result.error)")
  }

  @Test func `a dotenv file that other users can read causes a warning`() async throws {
    let folder = try folder([(".env", "KIND=x\n")])
    chmod(folder.path + "/.env", 0o644)
    chmod(folder.path, 0o755)
    let open = try await Garland.run(["check", "w.yaml"], in: folder.path)
    #expect(open.error.contains("warning[readable-secrets]: other users of this machine can read .env"), "\(open.error)")
    // Other users cannot access a file in a folder without permissions.
    chmod(folder.path, 0o700)
    #expect(try await !Garland.run(["check", "w.yaml"], in: folder.path).error.contains("readable-secrets"))
  }

  @Test func `a dotenv file that git tracks causes a warning`() async throws {
    let folder = try folder([(".env", "KIND=x\n"), (".env.local", "KIND=y\n")])
    for arguments in [["init", "-q"], ["add", ".env"]] {
      #expect(try await ChildProcess.run("/usr/bin/git", ["-C", folder.path] + arguments).status == 0)
    }
    let check = try await Garland.run(["check", "w.yaml"], in: folder.path)
    #expect(check.error.contains("warning[tracked-secrets]: git tracks .env\n"), "\(check.error)")
    #expect(!check.error.contains(".env.local"))
  }

  // MARK: Files of secrets

  @Test func `a secret is read from its file unless its value is set elsewhere`() async throws {
    let folder = try folder([("token.txt", "the-file-token\n")], project: "secrets: { TOKEN: { file: token.txt } }\n")
    let run = try await Garland.run(["run", "w.yaml", "--sandbox"], environment: ["KIND": "file"], in: folder.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    #expect(!run.output.contains("the-file-token"))
    let other = try await Garland.run(
      ["run", "w.yaml", "--sandbox"], environment: ["KIND": "other", "TOKEN": "the-other-token"], in: folder.path)
    #expect(other.status == 0, "\(other.output)\(other.error)")
  }

  @Test func `if the environment variable of a secret is empty, the other sources of the secret are used`() async throws {
    let dotenv = try folder([(".env", "TOKEN=the-dotenv-token\n")])
    let run = try await Garland.run(["run", "w.yaml", "--sandbox"], environment: ["KIND": "dotenv", "TOKEN": ""], in: dotenv.path)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    #expect(try await value("secrets.TOKEN", in: dotenv, environment: ["TOKEN": ""]) == "*** .env:1")
    let file = try folder([("token.txt", "the-file-token\n")], project: "secrets: { TOKEN: { file: token.txt } }\n")
    let other = try await Garland.run(["run", "w.yaml", "--sandbox"], environment: ["KIND": "file", "TOKEN": ""], in: file.path)
    #expect(other.status == 0, "\(other.output)\(other.error)")
    let none = try folder([])
    #expect(try await value("secrets.TOKEN", in: none, environment: ["TOKEN": ""]) == "— environment: an empty text")
  }

  @Test func `if the file of a secret does not exist, the secret is reported as missing, with the name of the file`() async throws {
    let folder = try folder([], project: "secrets: { TOKEN: { file: token.txt } }\n")
    let run = try await Garland.run(["run", "w.yaml", "--sandbox"], environment: ["KIND": "x"], in: folder.path)
    #expect(run.status == 2 && run.error.contains("missing-secret") && run.error.contains("token.txt can't be read"), "\(run.error)")
  }

  @Test(arguments: ["TOKEN=the-pipe-token\n", "{\"TOKEN\": \"the-pipe-token\"}", "TOKEN: the-pipe-token\n"])
  func `--secrets-file detects the format of its input, even if a pipe or standard input provides it`(text: String) async throws {
    let folder = try folder([("s", text)])
    for line in [
      "cat s | \"$GARLAND\" run w.yaml --sandbox --secrets-file -",
      "\"$GARLAND\" run w.yaml --sandbox --secrets-file /dev/fd/3 3< <(cat s)",
      "\"$GARLAND\" run w.yaml --sandbox --secrets-file /dev/fd/3 3< s",
      "\"$GARLAND\" run w.yaml --sandbox --secrets-file /dev/stdin < s",
      "\"$GARLAND\" run w.yaml --sandbox --secrets-file s",
    ] {
      let run = try await ChildProcess.run(
        "/bin/bash", ["-c", line], environment: ["GARLAND": Garland.path, "KIND": "pipe", "TOKEN": nil], in: folder.path)
      #expect(run.status == 0, "\(line): \(run.output)\(run.error)")
    }
  }
}
