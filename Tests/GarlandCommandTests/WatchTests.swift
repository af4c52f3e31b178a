import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// `garland run --watch`.
@Suite(.timeLimit(.minutes(5))) struct WatchTests {
  private static let waiting = "Ctrl-C ends."

  /// A folder with two documents, and a run of both that waits for changes.
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
  func `a changed document alone runs again, until a signal ends the waiting`(signal: Int32, status: Int32) async throws {
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

  @Test func `a file that an editor saves by renaming another is noticed`() async throws {
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

  @Test func `a change during a run cancels it with its cleanups`() async throws {
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
    #expect(result.error.contains("w.yaml has changed: cancelling, then running everything"), "\(result.error)")
    await sandbox.stop()
  }

  @Test func `a mistake in a document is reported, and its correction runs`() async throws {
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

  @Test func `standard input can't be watched`() async throws {
    let result = try await Garland.run(["run", "-", "--watch"])
    #expect(result.status == 2 && result.error.contains("--watch can't watch standard input"), "\(result.error)")
  }
}
