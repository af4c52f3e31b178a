import GarlandSandbox
import Glibc
import TestSupport
import Testing

/// Tests of `garland run --watch` with steps that write files.
@Suite(.timeLimit(.minutes(15))) struct WatchedWriteTests {
  private static let waiting = "Ctrl-C ends."

  private func count(_ sandbox: Sandbox, _ path: String) -> Int { sandbox.records.count { $0.target == path } }

  @Test func `a file that a run downloads does not start another run of --watch, even if the file's path contains a variable`() async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      vars: { name: out }
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        fetch: { get: /uuid, download: "${vars.name}.bin" }
        send: { post: /anything/first, body: { file: out.bin }, after: fetch }

      """
    try folder.write("out.bin", "")
    try folder.write("a.yaml", text)
    let child = try Garland.start(["run", "a.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", text.replacing("first", with: "second"))
    await sandbox.waitForRequest { $0.target == "/anything/second" }
    child.signal(SIGINT)
    let result = await child.result
    #expect(!result.error.contains("out.bin"), "\(result.error)")
    #expect(count(sandbox, "/anything/first") == 1)
    await sandbox.stop()
  }

  @Test func `a file that a run downloads does not start another run of --watch, even if the file's path depends on a response`()
    async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      defaults: { base_url: "${env.GARLAND_SANDBOX}" }
      steps:
        first: { get: /anything, query: { v: one } }
        fetch: { get: /uuid, download: "out/${first.status}.bin" }
        send: { post: /anything/sent, body: { file: out/200.bin }, after: fetch }

      """
    try folder.write("out/200.bin", "")
    try folder.write("a.yaml", text)
    let child = try Garland.start(["run", "a.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", text.replacing("v: one", with: "v: two"))
    await sandbox.waitForRequest { $0.target == "/anything?v=two" }
    child.signal(SIGINT)
    let result = await child.result
    #expect(!result.error.contains("200.bin"), "\(result.error)")
    #expect(count(sandbox, "/anything/sent") <= 2)
    await sandbox.stop()
  }

  @Test func `--watch notices changes of a document although a step downloads to the folder of the document`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let text = """
      garland: 1
      steps: { fetch: { get: "${env.GARLAND_SANDBOX}/uuid?n=1", download: { to: ., name: suggested } } }

      """
    try folder.write("a.yaml", text)
    let child = try Garland.start(["run", "a.yaml", "--watch"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", text.replacing("n=1", with: "n=2"))
    await sandbox.waitForRequest { $0.target == "/uuid?n=2" }
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }

  @Test func `a snapshot that a run updates does not start another run of --watch`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let text = "garland: 1\nsteps: { a: { get: \"${env.GARLAND_SANDBOX}/uuid?n=1\", expect: { snapshot: ./out.snap } } }\n"
    try folder.write("out.snap", "")
    try folder.write("a.yaml", text)
    let child = try Garland.start(
      ["run", "a.yaml", "--watch", "--update-snapshots"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", text.replacing("n=1", with: "n=2"))
    await sandbox.waitForRequest { $0.target == "/uuid?n=2" }
    child.signal(SIGINT)
    let result = await child.result
    for words in ["out.snap has", "out.snap have", "change of out.snap"] { #expect(!result.error.contains(words), "\(result.error)") }
    #expect(count(sandbox, "/uuid?n=1") == 1)
    await sandbox.stop()
  }
}
