import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of `garland run --watch` with files and folders that appear, disappear, or change without end.
@Suite(.timeLimit(.minutes(15))) struct WatchedFolderTests {
  private static func document(_ path: String) -> String {
    "garland: 1\nsteps: { step: { get: \"${env.GARLAND_SANDBOX}\(path)\" } }\n"
  }

  private func start(_ arguments: String..., sandbox: Sandbox, in folder: TemporaryFolder) throws -> ChildProcess {
    try Garland.start(["run", "--watch"] + arguments, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
  }

  @Test(arguments: [false, true]) func `--watch reports a missing document and runs it as soon as it exists`(hasProject: Bool) async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    if hasProject {
      try folder.write("garland.project.yaml", "run: { paths: other.yaml }\n")
      try folder.write("other.yaml", Self.document("/anything/other"))
    }
    let child = try start("new/a.yaml", sandbox: sandbox, in: folder)
    #expect(await child.sees("there is no file new/a.yaml"))
    #expect(
      await child.sees("Waiting for new/a.yaml to be created" + (hasProject ? ", and for changes of 1 file. " : ". ") + "Ctrl-C ends."))
    try folder.write("new/a.yaml", Self.document("/anything/a"))
    await sandbox.waitForRequest { $0.target == "/anything/a" }
    try folder.write("new/a.yaml", Self.document("/anything/changed"))
    await sandbox.waitForRequest { $0.target == "/anything/changed" }
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    #expect(!sandbox.records.contains { $0.target == "/anything/other" })
    await sandbox.stop()
  }

  @Test func `--watch still notices changes after a folder was deleted and created again`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("tests/a.yaml", Self.document("/anything/a"))
    let child = try start("tests", sandbox: sandbox, in: folder)
    #expect(await child.sees("Waiting for changes of 1 file."))
    #expect(unlink(folder.path + "/tests/a.yaml") == 0 && rmdir(folder.path + "/tests") == 0)
    #expect(await child.sees("Waiting for tests to be created"))
    try folder.write("tests/a.yaml", Self.document("/anything/b"))
    await sandbox.waitForRequest { $0.target == "/anything/b" }
    // A folder of another name may take its place, too.
    #expect(rename(folder.path + "/tests", folder.path + "/old") == 0)
    try folder.write("tests/a.yaml", Self.document("/anything/c"))
    await sandbox.waitForRequest { $0.target == "/anything/c" }
    try folder.write("tests/a.yaml", Self.document("/anything/d"))
    await sandbox.waitForRequest { $0.target == "/anything/d" }
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }

  @Test func `--watch says that a document was deleted`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { try folder.write("tests/\(name).yaml", Self.document("/anything/\(name)")) }
    let child = try start("tests", sandbox: sandbox, in: folder)
    #expect(await child.sees("Waiting for changes of 2 files."))
    #expect(unlink(folder.path + "/tests/b.yaml") == 0)
    #expect(await child.sees("tests/b.yaml was deleted: "), "\(child.soFar)")
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }

  @Test func `--watch runs a document that is created in a new folder`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("garland.project.yaml", "run: { paths: tests }\n")
    try folder.write("tests/a.yaml", Self.document("/anything/a"))
    let child = try start(sandbox: sandbox, in: folder)
    #expect(await child.sees("Waiting for changes of 2 files."))
    #expect(mkdir(folder.path + "/tests/sub", 0o755) == 0)
    try folder.write("tests/b.yaml", Self.document("/anything/b"))
    await sandbox.waitForRequest { $0.target == "/anything/b" }
    try folder.write("tests/sub/c.yaml", Self.document("/anything/c"))
    await sandbox.waitForRequest { $0.target == "/anything/c" }
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    #expect(sandbox.records.count { $0.target == "/anything/a" } == 1)
    await sandbox.stop()
  }

  @Test func `--watch notices a change of a document even if another file in the folder changes all the time`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("a.yaml", Self.document("/anything/a"))
    let child = try start("a.yaml", sandbox: sandbox, in: folder)
    #expect(await child.sees("Waiting for changes of 1 file."))
    let log = Task {
      while !Task.isCancelled {
        try folder.write("server.log", "a line")
        await Task.yield()
      }
    }
    try folder.write("a.yaml", Self.document("/anything/b"))
    await sandbox.waitForRequest { $0.target == "/anything/b" }
    log.cancel()
    _ = await log.result
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }
}
