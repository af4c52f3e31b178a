import GarlandSandbox
import Glibc
import TestSupport
import Testing

@testable import garland

/// Tests of `garland run --watch` with steps that write files.
@Suite(.timeLimit(.minutes(15))) struct WatchedWriteTests {
  private static let waiting = "Ctrl-C ends."

  private func count(_ sandbox: Sandbox, _ path: String) -> Int { sandbox.records.count { $0.target == path } }

  private static func document(_ steps: String) -> String {
    "garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n"
      + steps.split(separator: "\n").map { "  \($0)\n" }.joined()
  }

  // MARK: Files that a run writes

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

  @Test(
    arguments: [
      (steps: "send: { post: /anything?n=1, body: { file: out.txt } }", options: ["--report", "json=out.txt"]),
      (
        steps: """
        set: { get: "/cookies/set?redirect=0&a=${run.id}", cookies: out.txt }
        send: { post: /anything?n=1, body: { file: out.txt }, after: set }
        """, options: []
      ),
    ] as [(steps: String, options: [String])])
  func `a report or a cookie file that a run writes does not start another run of --watch`(steps: String, options: [String]) async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write("out.txt", "")
    try folder.write("a.yaml", Self.document(steps))
    let child = try Garland.start(
      ["run", "a.yaml", "--watch"] + options, environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    #expect(try folder.read("out.txt") != [])
    try folder.write("a.yaml", Self.document(steps).replacing("n=1", with: "n=2"))
    await sandbox.waitForRequest { $0.target == "/anything?n=2" }
    child.signal(SIGINT)
    let result = await child.result
    for words in ["out.txt has", "out.txt have", "change of out.txt"] { #expect(!result.error.contains(words), "\(result.error)") }
    #expect(count(sandbox, "/anything?n=1") == 1)
    await sandbox.stop()
  }

  @Test func `if the report of a refused run overwrites a file that a step uses, --watch does not start another run`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let text = Self.document("send: { post: /anything, body: { file: out.json } }")
    try folder.write("out.json", "")
    try folder.write("a.yaml", text)
    let child = try Garland.start(
      ["run", "a.yaml", "--watch", "--report", "json=out.json"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write("a.yaml", text.replacing("post:", with: "poost:"))
    #expect(await child.sees("error[unknown-key]"))
    try folder.write("a.yaml", text.replacing("/anything", with: "/anything/right"))
    await sandbox.waitForRequest { $0.target == "/anything/right" }
    child.signal(SIGINT)
    let result = await child.result
    for words in ["out.json has", "out.json have", "change of out.json"] { #expect(!result.error.contains(words), "\(result.error)") }
    await sandbox.stop()
  }

  // MARK: Changes by the user

  /// The parameters of a test in which the user changes a file after a run.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let steps: String
  }

  @Test(arguments: [
    Change(
      testDescription: "beside a download whose name the server suggests", file: "out/body.txt",
      steps: """
        fetch: { get: /uuid, download: { to: out, name: suggested } }
        send: { post: /anything, body: { file: out/body.txt }, after: fetch }
        """),
    Change(
      testDescription: "that a download must not replace", file: "out.txt",
      steps: """
        fetch: { get: /uuid, download: { to: out.txt, replace: false } }
        send: { post: /anything, body: { file: out.txt } }
        """),
    Change(
      testDescription: "that is a snapshot of a failed step", file: "out.snap",
      steps: "get: { get: /uuid, expect: { status: 404, snapshot: ./out.snap } }"),
    Change(
      testDescription: "that a step has downloaded", file: "out.txt",
      steps: """
        fetch: { get: /uuid, download: out.txt }
        send: { post: /anything, body: { file: out.txt }, after: fetch }
        """),
  ])
  func `--watch notices if the user changes a file that a step downloads, sends or uses as a snapshot`(change: Change)
    async throws
  {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    try folder.write(change.file, "")
    try folder.write("a.yaml", Self.document(change.steps))
    let child = try Garland.start(
      ["run", "a.yaml", "--watch", "--update-snapshots"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    #expect(await child.sees(Self.waiting))
    try folder.write(change.file, "changed by the user")
    #expect(await child.sees("\(change.file) has changed: running "), "\(child.soFar)")
    child.signal(SIGINT)
    #expect(await child.result.status == 130)
    await sandbox.stop()
  }

  // MARK: The list of written files

  @Test func `the list of the files that a run writes has each written file exactly once, and no other file`() async throws {
    let sandbox = try await Sandbox.start()
    let folder = try TemporaryFolder()
    let steps = """
      suggested: { get: /uuid, download: { to: out, name: suggested } }
      given: { get: "/cookies/set?redirect=0&a=b", download: given.txt, cookies: jar.txt }
      refused: { get: /json, download: { to: out, name: suggested, replace: false } }
      failed: { get: /uuid, download: failed.txt, expect: { status: 404 } }
      new: { get: /json, expect: { snapshot: ./new.snap } }
      unchanged: { get: /json, expect: { status: 404, snapshot: ./unchanged.snap } }
      """
    try folder.write("out/json", "")
    try folder.write("a.yaml", Self.document(steps))
    let words = "run a.yaml --update-snapshots --repeat 2 --report json=report.json --written 3"
    let result = try await ChildProcess.run(
      "/bin/bash", ["-c", "exec '\(Garland.path)' \(words) 3>> list"], environment: ["GARLAND_SANDBOX": sandbox.url], in: folder.path)
    let list = try folder.read("list").split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    let written = ["given.txt", "jar.txt", "new.snap", "out/uuid", "report.json"]
    #expect(list.sorted() == written.map { "\(folder.path)/\($0)" }, "\(result.output)\(result.error)")
    await sandbox.stop()
  }

  @Test func `the list of files that a run has written contains each path only once`() throws {
    let list = try #require(WrittenFiles())
    for _ in 0..<2 {
      let run = WrittenFiles(list.descriptor)
      for path in ["/a", "/b", "/a"] { run.append(path) }
      #expect(WatchMemory.read(list.descriptor) == Array("/a\0/b\0".utf8) && list.paths == ["/a", "/b"])
      list.empty()
      #expect(list.paths.isEmpty)
    }
    close(list.descriptor)
  }
}
