import FoundationEssentials
import TestSupport
import Testing

/// `Tests/Conformance/run --update` in a folder of its own.
@Suite(.timeLimit(.minutes(15))) struct UpdateTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let manager = FileManager.default
    try manager.copyItem(atPath: "\(Conformance.folder)/run", toPath: folder.path + "/run")
    try manager.copyItem(atPath: "\(Conformance.folder)/services", toPath: folder.path + "/services")
    try manager.createDirectory(atPath: folder.path + "/topic", withIntermediateDirectories: true)
    try write("case", #"get: /json, expect: { json: { $.catalog.title: The bookshop } }"#)
  }

  private func write(_ name: String, _ step: String, header: String = "") throws {
    let text = "# A case.\n\(header)garland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps: { a: { \(step) } }\n"
    try text.write(toFile: "\(folder.path)/topic/\(name).yaml", atomically: true, encoding: .utf8)
  }

  private func update() async throws -> (status: Int32, output: String, isWritten: Bool) {
    let result = try await ChildProcess.run(folder.path + "/run", [Repository.products + "/garland", "--update"], in: folder.path)
    return (result.status, result.output, FileManager.default.fileExists(atPath: folder.path + "/topic/case.fails.json"))
  }

  private static let wrongTitle = "get: /json, expect: { json: { $.catalog.title: Another } }"
  private static let brokenPath = #"get: /json, expect: { json: { "$.catalog.[": Another } }"#

  @Test func `with --update, the conformance script records a refused document only if the test case names the error code`()
    async throws
  {
    try write("case.fails", Self.brokenPath)
    let first = try await update()
    #expect(first.status == 1 && !first.isWritten)
    #expect(first.output.contains("its document is refused by bad-jsonpath, which"), "\(first.output)")
    try write("case.fails", Self.brokenPath, header: "# refused: bad-jsonpath\n")
    #expect(try await update().isWritten)
  }

  @Test func `if a conformance case fails for a new reason, Tests/Conformance/run --update keeps the recorded failure`()
    async throws
  {
    try write("case.fails", Self.wrongTitle)
    #expect(try await update().isWritten)
    let recorded = FileManager.default.contents(atPath: folder.path + "/topic/case.fails.json")
    for step in [Self.brokenPath, "get: /json, expect: { status: 404 }"] {
      try write("case.fails", step)
      let result = try await update()
      #expect(
        result.status == 1
          && result.output.contains(
            "another reason than the one it is for: not by exit status 1, a: expectation json $.catalog.title, but by")
      )
      #expect(FileManager.default.contents(atPath: folder.path + "/topic/case.fails.json") == recorded)
    }
    try write("case.fails", "get: /json, expect: { json: { $.catalog.title: Third } }")
    #expect(try await update().status == 0)
    #expect(FileManager.default.contents(atPath: folder.path + "/topic/case.fails.json") != recorded)
  }

  @Test func `Tests/Conformance/run --update writes no file for a passing case that only posts to the echo of the sandbox`() async throws {
    try write("case.fails", Self.wrongTitle)
    for (method, isWritten) in [("post", false), ("get", true), ("post", false)] {
      let text = "# A case.\ngarland: 1\ndefaults: { base_url: \"${env.GARLAND_SANDBOX}\" }\nsteps:\n  a:\n    \(method): /anything\n"
      try text.write(toFile: "\(folder.path)/topic/case.yaml", atomically: true, encoding: .utf8)
      #expect(try await update().status == 0)
      #expect(FileManager.default.fileExists(atPath: folder.path + "/topic/case.json") == isWritten)
    }
  }

  @Test func `Tests/Conformance/run --update writes no file for a passing case whose header says that it sends nothing`() async throws {
    try write("case.fails", Self.wrongTitle)
    for (header, isWritten) in [("# sends: nothing\n", false), ("", true)] {
      let text = "# A case.\n\(header)garland: 1\nsteps:\n  a: { reach: \"${env.GARLAND_SANDBOX}\" }\n"
      try text.write(toFile: "\(folder.path)/topic/case.yaml", atomically: true, encoding: .utf8)
      #expect(try await update().status == 0)
      #expect(FileManager.default.fileExists(atPath: folder.path + "/topic/case.json") == isWritten)
    }
  }

  @Test func `Tests/Conformance/run --update records no result for a case that should pass but fails`() async throws {
    try write("case", Self.wrongTitle)
    try write("case.fails", Self.wrongTitle)
    #expect(try await update().status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/topic/case.json"))
  }
}
