import Foundation
import GarlandSandbox
import TestSupport
import Testing

/// Tests of invalid input of every kind. Each results in a clear error with a place and in exit status 2, and no request is sent.
@Suite(.timeLimit(.minutes(15))) struct BadInputTests {
  static let folder = Repository.path("Tests/Fixtures/BadInput")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".yaml") }.sorted()

  @Test(arguments: names) func `garland check reports each mistake of an invalid document with its location`(name: String) async throws {
    let result = try await Garland.run(["check", name], in: Self.folder)
    expectGolden(result.error.replacing(Repository.path, with: "/REPOSITORY"), "bad-input/\(name.dropLast(5)).txt")
    // A secret that is not set is a warning of `check` and an error of `run`, since it may be set on the machine where the run takes place.
    #expect(result.status == (name == "missing-secret.yaml" ? 0 : 2))
    #expect(result.outputBytes.isEmpty || name == "missing-secret.yaml")
  }

  @Test(arguments: names) func `garland run refuses each invalid document before it sends a request`(name: String) async throws {
    let sandbox = try await Sandbox.start()
    let text = try String(decoding: Data(contentsOf: URL(filePath: Self.folder + "/" + name)), as: UTF8.self)
    let folder = try TemporaryFolder()
    try folder.write(name, text.replacingOccurrences(of: "http://127.0.0.1:1", with: sandbox.url))
    let result = try await Garland.run(["run", name], in: folder.path)
    #expect(result.status == 2, "\(result.error)")
    #expect(!result.error.isEmpty)
    #expect(sandbox.records.isEmpty)
    await sandbox.stop()
  }

  @Test func `a document of ten megabytes of open brackets is refused without a crash`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("deep.yaml", [UInt8](repeating: UInt8(ascii: "["), count: 10_000_000))
    let result = try await Garland.run(["check", "deep.yaml"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.error.utf8.count < 4_000)
    expectGolden(result.error, "bad-input/deep.txt")
  }

  @Test func `garland check refuses a workflow file that can't be read, and names the reason`() async throws {
    let folder = try TemporaryFolder()
    // Even root cannot read a folder as a file, or the memory of a process at address 0.
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/memory.yaml", withDestinationPath: "/proc/self/mem")
    let result = try await Garland.run(["check", "memory.yaml"], in: folder.path)
    #expect(result.status == 2)
    expectGolden(result.error, "bad-input/unreadable.txt")
  }

  @Test(arguments: [
    ["check", "no-such-file.yaml"], ["check", "folder"], ["check", "dangling.yaml"], ["run", "good.yaml", "raed"],
    ["run", "good.yaml", "--tag", "nothing"], ["run", "good.yaml", "--profile", "stagin"], ["run", "good.yaml", "--var", "base"],
    ["run", "good.yaml", "--var", "bsae=x"],
    ["run", "good.yaml", "--var", "base=[1"], ["run", "good.yaml", "--report", "junt=x.xml"], ["run", "good.yaml", "--concurrency", "0"],
    ["run", "good.yaml", "--vars-file", "no-such.yaml"], ["plan", "good.yaml", "--format", "svgg"], ["rnu", "good.yaml"], ["good.yaml"],
    ["frobnicate"],
    ["run", "good.yaml", "--quiet", "--verbose"], ["run", "good.yaml", "--report", "junit"], ["run", "good.yaml", "--deadline", "30"],
    ["run", "good.yaml", "--print", "token"], ["run", "good.yaml", "--print", "${raed.status}"], ["run", "good.yaml", "--changed-since"],
    ["run", "good.yaml", "--fail-fast", "--max-failures", "2"], ["run", "good.yaml", "--report", "junit=-", "--print", "${read.status}"],
    ["curl", "good.yaml", "raed"], ["plan", "good.yaml", "--why", "raed"], ["run", "folder", "good.yaml"], ["run"], ["run", "read"],
    ["run", "good.yaml", "--secrets-file", "broken.env"],
    ["run", "good.yaml", "--env", "prod"], ["run", "good.yaml", "--retry", "3"], ["run", "good.yaml", "--jobs=4"],
    ["run", "good.yaml", "-k"],
    ["check", "good.yaml", "--jobs", "4"], ["run", "good.yaml", "--concurency", "4"], ["run", "good.yaml", "--mode"], ["--env", "x"],
    ["run", "god.yaml"], ["run", "good"], ["run", "good.yaml", "--vars-file", "brokn.env"], ["check", "foldr/good.yaml"],
  ])
  func `each invalid command line gives the expected message and exit status`(arguments: [String]) async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/folder", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/dangling.yaml", withDestinationPath: "nowhere")
    try folder.write(
      "good.yaml",
      """
      garland: 1
      vars: { base: "http://127.0.0.1:1" }
      profiles:
        staging: { vars: { base: "http://127.0.0.1:2" } }
      steps:
        read: { get: "${vars.base}/" }

      """)
    try folder.write("broken.env", "TOKEN canary-9182\n")
    let result = try await Garland.run(arguments, in: folder.path)
    #expect(result.status == 2)
    #expect(result.outputBytes.isEmpty)
    #expect(!result.error.contains("canary"))
    expectGolden(try Garland.withoutFormats(result.error), "command-line/\(Garland.name(of: arguments)).txt")
  }
}
