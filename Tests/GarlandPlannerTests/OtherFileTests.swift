import GarlandDiagnostics
import GarlandWorkflow
import Testing

@testable import GarlandPlanner

/// Tests of the warning for a file that has the same path as a download, but is another file.
@Suite struct OtherFileTests {
  /// Returns the diagnostics of a document in the folder `/project/tests`.
  private static func diagnostics(_ file: String, download: String = "out/one.txt", in workingDirectory: String) throws -> [Diagnostic] {
    let text = """
      garland: 1
      defaults: { base_url: 'http://h' }
      vars: { name: one }
      steps:
        fetch: { get: /file, download: '\(download)' }
        up: { put: /upload, body: { file: '\(file)' } }

      """
    let access = FileAccess(Sample.AllFiles(), roots: ["/project"])
    let decoded = WorkflowDecoder.decode(
      name: "tests/u.yaml", bytes: Array(text.utf8), directory: "/project/tests", options: .init(files: access))
    let workflow = try #require(decoded.workflow)
    let plan = try #require(Planner(workingDirectory: workingDirectory, files: Sample.AllFiles()).plan([workflow]).plan)
    return plan.check(workingDirectory: workingDirectory).all.filter { $0.code != "unused-variable" }
  }

  @Test(arguments: ["out/one.txt", "./out/one.txt", "out/${vars.name}.txt"])
  func `a warning is reported if a step sends a file and a download with the same relative path goes to another folder`(
    file: String
  ) throws {
    let found = try Self.diagnostics(file, in: "/project")
    try #require(found.count == 1)
    #expect(found[0].code == .otherFile && found[0].severity == .warning)
    #expect(found[0].message == "`up` uses `tests/out/one.txt`, but `fetch` downloads to `out/one.txt`")
    #expect(found[0].notes.count == 1 && found[0].helps.count == 1)
    #expect(
      found[0].helps.first?.message
        == "run `garland` in the folder of the document, `tests`; or write the path from there to the download, `../out/one.txt`")
  }

  @Test func `sending the file that another step downloads causes no warning 'other-file'`() throws {
    #expect(try Self.diagnostics("out/one.txt", in: "/project/tests").isEmpty)
  }

  @Test(arguments: ["../out/one.txt", "/project/out/one.txt", "other.txt"])
  func `the warning 'other-file' is omitted if no download in the document has the same path as the sent file`(file: String) throws {
    #expect(try Self.diagnostics(file, in: "/project").isEmpty)
  }

  @Test func `the error for a missing file names the step that downloads to the same path`() throws {
    let found = try Self.diagnostics("none/x.txt", download: "none/x.txt", in: "/project")
    #expect(found.map(\.code.rawValue) == ["missing-file"])
    #expect(found.first?.notes.first?.message.contains("`fetch` downloads to `none/x.txt`") == true)
    #expect(found.first?.helps.last?.message.contains("`../none/x.txt`") == true)
  }
}
