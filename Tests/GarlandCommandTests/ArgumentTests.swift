import TestSupport
import Testing

/// Tests of messages about invalid arguments, and about a standard output that rejects data.
@Suite(.timeLimit(.minutes(15))) struct ArgumentTests {
  static let document = """
    garland: 1
    vars: { colour: red }
    inputs: { size: { type: integer, default: 3 } }
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    steps:
      login: { get: "/anything/${vars.colour}/${inputs.size}" }
      other: { get: /health }

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", Self.document)
    return folder
  }

  @Test func `a command-line argument that is the name of both a step and a folder causes a warning`() async throws {
    let folder = try folder()
    try folder.write("login/more.yaml", Self.document)
    let both = try await Garland.run(["run", "w.yaml", "login", "--sandbox"], in: folder.path)
    #expect(both.status == 0)
    #expect(
      both.error.contains("warning[ambiguous-argument]: `login` is a step, and also a folder, which is used here"), "\(both.error)")
    #expect(both.error.contains("the step is `--step login`, and the folder alone `./login`"))
    let strict = try await Garland.run(["run", "w.yaml", "login", "--sandbox", "--strict"], in: folder.path)
    #expect(strict.status == 2)
    for arguments in [["./login"], ["--step", "login"], ["other"]] {
      let result = try await Garland.run(["run", "w.yaml", "--sandbox"] + arguments, in: folder.path)
      #expect(result.status == 0 && !result.error.contains("ambiguous"), "\(arguments): \(result.error)")
    }
  }

  @Test func `if a command names a step but no workflow file, the error suggests the command with the placeholder FILE`()
    async throws
  {
    let folder = try TemporaryFolder()
    let result = try await Garland.run(["curl", "a b"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("name a workflow file first: `garland curl FILE 'a b'`"), "\(result.error)")
  }

  @Test(arguments: [
    ("${w.login.status}", "write the step without its document: `--print '${login.status}'`"),
    ("${logn.status}", "did you mean `login`?"), ("${nobody.status}", "`garland list` shows the steps of all documents"),
    ("${login.statu}", "did you mean `status`?"),
  ])
  func `in a run of several documents, the error for an unknown name in --print contains no list of steps`(
    text: String, help: String
  ) async throws {
    let folder = try folder()
    try folder.write("a.yaml", "garland: 1\nsteps: { first: { get: \"${env.GARLAND_SANDBOX}/get\" } }\n")
    let result = try await Garland.run(["run", "a.yaml", "w.yaml", "--sandbox", "--print", text], in: folder.path)
    #expect(result.status == 2 && result.error.contains(help) && !result.error.contains("the steps are"), "\(result.error)")
  }

  @Test func `for a mistyped variable name in --var, the correct name is suggested`() async throws {
    let folder = try folder()
    let near = try await Garland.run(["check", "w.yaml", "--var", "sise=4"], in: folder.path)
    #expect(near.status == 2 && near.error.contains("did you mean `size`?"), "\(near.error)")
    let far = try await Garland.run(["check", "w.yaml", "--var", "zzz=4"], in: folder.path)
    #expect(far.error.contains("available: `colour`, `size`"), "\(far.error)")
  }

  @Test func `if two documents have the same variable, the error for an unknown name in --var lists the variable only once`() async throws {
    let folder = try folder()
    try folder.write("v.yaml", Self.document)
    let result = try await Garland.run(["check", "w.yaml", "v.yaml", "--var", "zzz=4"], in: folder.path)
    #expect(result.error.contains("available: `colour`, `size`\n"), "\(result.error)")
  }

  @Test func `a --var value that looks like an expression is taken literally, with a warning`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", "garland: 1\nvars: { base: x }\nsteps: { a: { get: \"${vars.base}/health\" } }\n")
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--var", "base=${env.GARLAND_SANDBOX}"], in: folder.path)
    #expect(result.status == 1, "\(result.output)")
    #expect(result.error.contains("warning[literal-expression]: `${…}` in `--var` is taken literally"), "\(result.error)")
    #expect(result.output.contains("contains `${…}`, which is evaluated only in documents"), "\(result.output)")
    let text = try await Garland.run(["check", "w.yaml", "--strict", "--var-string", "base=http://h/${x}"], in: folder.path)
    #expect(text.status == 0, "\(text.error)")
  }

  @Test func `if garland run, check or import gets a Hurl file, the error suggests the documentation page about Hurl`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.hurl", "GET http://127.0.0.1:1/\nHTTP 200\n\nGET http://127.0.0.1:1/b\n")
    for command in ["run", "check", "import"] {
      let result = try await Garland.run([command, "a.hurl"], in: folder.path)
      #expect(result.status == 2 && result.error.contains("`garland help from-hurl`"), "\(result.error)")
      #expect(result.error.hasSuffix("\n1 error\n"), "\(result.error)")
    }
  }

  @Test(arguments: [
    "check w.yaml", "plan w.yaml", "list w.yaml", "curl w.yaml other", "schema", "run w.yaml --print '${other.status}'", "--help",
    "run --help",
    "help run", "--version", "--generate-completion-script bash",
  ])
  func `if standard output cannot be written, the error names standard output, and the exit status is 4`(line: String) async throws {
    let folder = try folder()
    let sandbox = line.hasPrefix("run w") || line.hasPrefix("curl") ? " --sandbox" : ""
    let child = try ChildProcess("/bin/sh", ["-c", "exec \"$0\" \(line)\(sandbox) >/dev/full", Garland.path], in: folder.path)
    let result = await child.result
    #expect(result.status == 4)
    #expect(result.error.contains("error: standard output cannot be written: No space left on device"), "\(line): \(result.error)")
  }

  @Test func `garland curl --sandbox prints a curl command with the address of the sandbox`() async throws {
    let folder = try folder()
    let result = try await Garland.run(["curl", "w.yaml", "other", "--sandbox"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("http://127.0.0.1:8080/health"), "\(result.output)\(result.error)")
    let own = try await Garland.run(
      ["curl", "w.yaml", "other", "--sandbox"], environment: ["GARLAND_SANDBOX": "http://127.0.0.1:9"], in: folder.path)
    #expect(own.output.contains("http://127.0.0.1:9/health"), "\(own.output)")
  }

  @Test(arguments: [["import", "requets.sh"], ["report", "reprot.json"], ["run", "w.yaml", "--from", "reprot.json"], ["plan", "w.yml"]])
  func `for a mistyped file name on the command line, the correct name is suggested`(arguments: [String]) async throws {
    let folder = try folder()
    try folder.write("requests.sh", "curl http://127.0.0.1:1/")
    try folder.write("report.json", "{}")
    let result = try await Garland.run(arguments, in: folder.path)
    #expect(result.status == 2)
    let meant = ["requets.sh": "requests.sh", "reprot.json": "report.json", "w.yml": "w.yaml"][arguments.last ?? ""] ?? ""
    #expect(result.error.contains("did you mean `\(meant)`?"), "\(result.error)")
  }
}
