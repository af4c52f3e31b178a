import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of `garland run --watch`.
@Suite(.timeLimit(.minutes(15))) struct WatchTests {
  private static let waiting = "Ctrl-C ends."

  /// Returns a folder with two documents, and a run of both that waits for changes.
  private func started(_ sandbox: Sandbox, _ options: String...) async throws -> (TemporaryFolder, ChildProcess) {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.document("/anything/a"))
    try folder.write("b.yaml", Self.document("/anything/b"))
    let child = try Garland.start(
      ["run", "a.yaml", "b.yaml", "--watch"] + options, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    return (folder, child)
  }

  private static func document(_ path: String) -> String {
    "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps: { step: { get: \(path) } }\n"
  }

  private func count(_ sandbox: Sandbox, _ path: String) -> Int { sandbox.records.count { $0.target == path } }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func `if a document changes, --watch runs only this document again`(signal: Int32, status: Int32)
    async throws
  {
    let sandbox = try await Sandbox.start()
    let (folder, child) = try await started(sandbox)
    #expect(await child.sees(Self.waiting))
    try folder.write("b.yaml", Self.document("/anything/changed"))
    await sandbox.waitForRequest { $0.target == "/anything/changed" }
    #expect(await child.sees("b.yaml has changed: running 1 of 2 steps"))
    child.signal(signal)
    let result = await child.result
    #expect(result.status == status, "\(result.error)")
    #expect(count(sandbox, "/anything/a") == 1 && count(sandbox, "/anything/b") == 1)
    await sandbox.stop()
  }

  @Test(arguments: [
    "--secrets-file - < <(cat s)", "--secrets-file - < s", "--secrets-file <(cat s)", "--secrets-file /dev/fd/3 3< <(cat s)",
  ])
  func `with --watch, secrets are read from a pipe only once and used in every run`(options: String) async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      secrets: [S]
      steps: { a: { get: "${env.GARLAND_SANDBOX}/anything/first", headers: { X-S: "${secrets.S}" } } }

      """
    try folder.write("a.yaml", text)
    try folder.write("s", "S: hunter2x\n")
    let child = try ChildProcess(
      "/bin/bash", ["-c", "exec '\(Garland.path)' run a.yaml --watch \(options)"],
      environment: ["GARLAND_SANDBOX": sandbox.url, "S": nil], in: folder.path)
    await sandbox.waitForRequest { $0.target == "/anything/first" }
    #expect(await child.sees(Self.waiting), "\(child.soFar)")
    try folder.write("a.yaml", text.replacing("first", with: "second"))
    await sandbox.waitForRequest { $0.target == "/anything/second" }
    child.signal(SIGINT)
    let result = await child.result
    #expect(result.status == 130 && !result.error.contains("missing-secret"), "\(result.error)")
    #expect(sandbox.records.allSatisfy { $0.values(of: "X-S") == ["hunter2x"] })
    await sandbox.stop()
  }

  @Test func `a signal to the whole process group of a run with --watch counts as one signal, so that the cleanups run`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let steps = """
      { make: { get: /anything/make }, slow: { get: /delay/10, after: make }, undo: { get: /delay/1, cleanup: make } }
      """
    try folder.write("a.yaml", "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps: \(steps)\n")
    let child = try ChildProcess(
      "/usr/bin/setsid", [Garland.path, "run", "a.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    await sandbox.waitForRequest { $0.target == "/delay/10" }
    child.signalGroup(SIGINT)
    let result = await child.result
    #expect(result.status == 130, "\(result.error)")
    #expect(count(sandbox, "/delay/1") == 1 && !result.output.contains("may remain"), "\(result.output)\(result.error)")
    await sandbox.stop()
  }

  @Test func `a signal ends --watch even while --watch reads values from a pipe that stays open`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.document("/anything/a"))
    // The pipe of descriptor 3 has a writer for as long as bash runs. `timeout` sends SIGTERM, then SIGKILL.
    let command = "mkfifo p; exec 3<> p; timeout --kill-after 5 2 '\(Garland.path)' run a.yaml --watch --secrets-file - < p; echo $?"
    let result = try await ChildProcess.run("/bin/bash", ["-c", command], in: folder.path)
    #expect(result.output == "124\n", "\(result.output)\(result.error)")
  }

  @Test func `--watch repeats the run if a file that contains a secret changes`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("secret/s", "hunter2x\n")
    let text = "garland: 1\nsecrets: { S: { file: secret/s } }\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/anything/${secrets.S}\" } }\n"
    try folder.write("a.yaml", text)
    let child = try Garland.start(["run", "a.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url, "S": nil], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write("secret/s", "hunter3x\n")
    await sandbox.waitForRequest { $0.target == "/anything/hunter3x" }
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }

  @Test func `--watch notices a change even if an editor saves the file by renaming a temporary file`() async throws {
    let sandbox = try await Sandbox.start()
    let (folder, child) = try await started(sandbox)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml~", Self.document("/anything/renamed"))
    #expect(rename(folder.path + "/a.yaml~", folder.path + "/a.yaml") == 0)
    await sandbox.waitForRequest { $0.target == "/anything/renamed" }
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }

  @Test func `--watch ends with status 0 when the process that reads its output has ended`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.document("/anything/a"))
    let command = "GARLAND_SANDBOX=\(sandbox.url) '\(Garland.path)' run a.yaml --watch | head -n 1; echo ${PIPESTATUS[0]}"
    let result = try await ChildProcess.run("/bin/bash", ["-c", command], in: folder.path)
    #expect(result.output == "a  a.yaml  1 step\n0\n", "\(result.output)\(result.error)")
    await sandbox.stop()
  }

  @Test func `with --watch, a change during a run cancels the run, and the cleanups are executed`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("w.yaml", InterruptTests.workflow)
    let child = try Garland.start(["run", "w.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    await sandbox.waitForRequest { $0.target.hasPrefix("/fault/hang") }
    try folder.write("w.yaml", Self.document("/anything/short"))
    await sandbox.waitForRequest { $0.target == "/anything/short" }
    #expect(count(sandbox, "/anything/tidy/200") == 1)
    child.signal(SIGTERM)
    let result = await child.result
    #expect(result.error.contains("w.yaml has changed: running everything"), "\(result.error)")
    #expect(result.error.contains("Interrupted by a change of w.yaml: "), "\(result.error)")
    #expect(result.output.contains("not run: interrupted by a change of w.yaml while the step ran"), "\(result.output)")
    #expect(!(result.output + result.error).contains("SIGINT"), "\(result.output)\(result.error)")
    await sandbox.stop()
  }

  @Test func `with --watch, a document with an error runs as soon as the error is corrected`() async throws {
    let sandbox = try await Sandbox.start()
    let (folder, child) = try await started(sandbox)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", "garland: 1\nsteps: { step: { gett: /a } }\n")
    #expect(await child.sees("error[unknown-key]"))
    try folder.write("a.yaml", Self.document("/anything/right"))
    await sandbox.waitForRequest { $0.target == "/anything/right" }
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }

  @Test func `when a document is valid again, --watch runs only the steps that differ from its last valid version`() async throws {
    let sandbox = try await Sandbox.start()
    let (folder, child) = try await started(sandbox)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", "garland: 1\nsteps: { step: { gett: /a } }\n")
    #expect(await child.sees("error[unknown-key]"))
    try folder.write("a.yaml", Self.document("/anything/a"))
    #expect(await child.sees("a.yaml has changed: nothing to run again"), "\(child.soFar)")
    try folder.write("a.yaml", "garland: 1\nsteps: { step: { gettt: /a } }\n")
    #expect(await child.sees("gettt"))
    try folder.write("a.yaml", Self.document("/anything/other"))
    await sandbox.waitForRequest { $0.target == "/anything/other" }
    #expect(await child.sees("running 1 of 2 steps"))
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    #expect(count(sandbox, "/anything/a") == 1 && count(sandbox, "/anything/b") == 1)
    await sandbox.stop()
  }

  @Test func `--watch ends if the run needs a confirmation and there is no terminal`() async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\nprofiles: { production: { confirm: true } }\nsteps: { a: { get: 'http://127.0.0.1:1/' } }\n"
    try folder.write("a.yaml", text)
    let result = try await Garland.run(["run", "a.yaml", "--profile", "production", "--watch"], in: folder.path)
    #expect(result.status == 2 && result.error.contains("run with --yes"), "\(result.error)")
    #expect(!result.error.contains(Self.waiting), "\(result.error)")
  }

  @Test func `--watch is refused for standard input`() async throws {
    let result = try await Garland.run(["run", "-", "--watch"])
    #expect(result.status == 2 && result.error.contains("--watch can't watch standard input"), "\(result.error)")
  }

  // MARK: Kept values

  private static let session = """
    garland: 1
    defaults: { base_url: "${env.GARLAND_SANDBOX}" }
    auth:
      robot: { oauth2: { grant: client_credentials, token_url: /oauth/token, client_id: service, client_secret: service-secret } }
    steps:
      login: { post: /anything/login, json: { t: t0psecret }, extract: { token: { json: $.json.t, secret: true } } }
      settings: { get: "/anything/settings?a=1", extract: { a: $.query.values.a } }
      create: { post: /anything/create, json: { id: 7 }, extract: { id: $.json.id } }
      read: { get: "/anything/read/${create.id}", extract: { method: $.method } }
      use:
        get: "/anything/use/${settings.a}/${create.id}/${read.method}"
        bearer: ${login.token}
      robot: { get: /anything/robot, auth: robot }

    """

  /// Runs the session and changes its last two steps. Returns the targets that were requested after the change, sorted by name.
  private func targets(afterChangeOf text: String = session, options: String...) async throws -> (targets: [String], error: String) {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("s.yaml", text)
    let child = try Garland.start(["run", "s.yaml", "--watch"] + options, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    let count = sandbox.records.count
    try folder.write(
      "s.yaml",
      text.replacing("/anything/use/", with: "/anything/used/").replacing("get: /anything/robot", with: "get: /anything/robot/end"))
    await sandbox.waitForRequest { $0.target.hasPrefix("/anything/used/") }
    await sandbox.waitForRequest { $0.target == "/anything/robot/end" }
    child.signal(SIGINT)
    let result = await child.result
    let error = result.output + result.error
    let targets = sandbox.records.dropFirst(count).map(\.target).sorted()
    await sandbox.stop()
    return (targets, error)
  }

  @Test func `with --watch, unchanged steps keep their values, and tokens are not fetched again`() async throws {
    let (targets, error) = try await targets()
    #expect(targets == ["/anything/create", "/anything/read/7", "/anything/robot/end", "/anything/used/1/7/GET"], "\(error)")
    #expect(error.contains("s.yaml has changed: running 2 of 6 steps"), "\(error)")
    #expect(error.contains("result of the previous run"), "\(error)")
    #expect(!error.contains("t0psecret"), "\(error)")
  }

  @Test func `with --watch, a change in a part of the document that is not a step runs all steps again`() async throws {
    let text = Self.session.replacing("defaults:", with: "name: x # /anything/use/\ndefaults:")
    let (targets, error) = try await targets(afterChangeOf: text)
    #expect(targets.contains("/anything/login") && targets.contains("/oauth/token") == false, "\(targets)")
    #expect(error.contains("running everything"), "\(error)")
  }

  @Test func `with --watch, a step that sets cookies runs again, since the next run does not get the cookies`() async throws {
    let text = Self.session.replacing("/anything/settings?a=1", with: "/cookies/set?a=1").replacing(
      "{ a: $.query.values.a }", with: "{ a: { header: Content-Type } }")
    let (targets, error) = try await targets(afterChangeOf: text)
    #expect(targets.contains("/cookies/set?a=1"), "\(targets) \(error)")
  }

  @Test func `with --watch, a step runs again if a cleanup has undone the effect of the step`() async throws {
    let text = Self.session + "  logout: { cleanup: login, delete: /anything/logout, bearer: \"${login.token}\" }\n"
    let (targets, error) = try await targets(afterChangeOf: text)
    #expect(targets.contains("/anything/login"), "\(targets) \(error)")
  }

  @Test func `with --watch, after a step has failed, the next run repeats the steps whose values the failed step used`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let child = try await failing(folder, sandbox)
    // The second run reuses the login and fails, and the third run logs in again.
    #expect(count(sandbox, "/anything/login") == 1)
    try folder.write("s.yaml", Self.short("/status/404?third"))
    await sandbox.waitForRequest { $0.target == "/status/404?third" }
    #expect(count(sandbox, "/anything/login") == 2)
    child.signal(SIGINT)
    _ = await child.result
    await sandbox.stop()
  }

  private static func short(_ path: String) -> String {
    let lines = session.split(separator: "\n", omittingEmptySubsequences: false)
    return lines[..<5].joined(separator: "\n").replacing("auth:", with: "# auth:").replacing("  robot", with: "#") + "\n" + lines[5]
      + "\n  use: { get: \"\(path)\", bearer: \"${login.token}\" }\n"
  }

  private func failing(_ folder: TemporaryFolder, _ sandbox: Sandbox) async throws -> ChildProcess {
    try folder.write("s.yaml", Self.short("/status/200"))
    let child = try Garland.start(["run", "s.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write("s.yaml", Self.short("/status/404?second"))
    #expect(await child.sees("1 failed"), "\(child.soFar)")
    return child
  }

  @Test func `with --watch, all runs use the same sandbox`() async throws {
    let folder = try TemporaryFolder()
    let text = "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps: { a: { get: /anything/first } }\n"
    try folder.write("a.yaml", text)
    let child = try Garland.start(["run", "a.yaml", "--sandbox", "--watch", "-v"], in: folder.path)
    #expect(await child.sees("/anything/first"))
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", text.replacing("first", with: "second"))
    #expect(await child.sees("/anything/second"))
    child.signal(SIGINT)
    let error = await child.result.output
    let hosts = Set(error.matches(of: /> Host: 127\.0\.0\.1:\d+/).map { String($0.output) })
    #expect(hosts.count == 1, "\(error)")
  }
}
