import Foundation
import TestSupport
import Testing

/// Tests that reports and scripts replace older reports and scripts, but never files that a command reads.
@Suite(.timeLimit(.minutes(15))) struct ReportTargetTests {
  private func refusal(_ folder: TemporaryFolder, _ arguments: [String]) async throws -> String {
    let before = try folder.names.map { try folder.read($0) }
    let result = try await Garland.run(arguments, in: folder.path)
    #expect(result.status == 2, "\(result.error)")
    #expect(try folder.names.map { try folder.read($0) } == before)
    return String(result.error.prefix { $0 != "\n" })
  }

  private func folder() throws -> TemporaryFolder {
    let folder = try Garland.folder(steps: "a: { get: /health }")
    try folder.write("secrets.env", "TOKEN=abcdefgh\n")
    try folder.write("r.json", "{}")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link.json", withDestinationPath: "r.json")
    return folder
  }

  @Test func `a report that would overwrite the document to run is refused`() async throws {
    #expect(
      try await refusal(folder(), ["run", "w.yaml", "--sandbox", "--report", "html=./w.yaml"])
        == "Error: The report `html` would replace ./w.yaml, which this command reads: name another file.")
  }

  @Test func `a report that would overwrite a document not named on the command line is refused`() async throws {
    let folder = try folder()
    try folder.write("other.yaml", "garland: 1\nsteps: { b: { get: /health } }\n")
    #expect(
      try await refusal(folder, ["run", "w.yaml", "--sandbox", "--report", "json=other.yaml"])
        == "Error: The report `json` would replace other.yaml, which is a workflow: name another file.")
  }

  @Test func `a report that would overwrite a secrets file is refused`() async throws {
    #expect(
      try await refusal(folder(), ["run", "w.yaml", "--sandbox", "--secrets-file", "secrets.env", "--report", "json=secrets.env"])
        == "Error: The report `json` would replace secrets.env, which this command reads: name another file.")
  }

  @Test func `garland report refuses to overwrite the report that it reads`() async throws {
    #expect(
      try await refusal(folder(), ["report", "r.json", "--report", "html=link.json"])
        == "Error: The report `html` would replace link.json, which this command reads: name another file.")
  }

  @Test func `two reports to the same file are refused, even if one path is a link`() async throws {
    #expect(
      try await refusal(folder(), ["run", "w.yaml", "--sandbox", "--report", "json=r.json", "--report", "html=link.json"])
        == "Error: Two reports would be written to link.json, which is the same file as r.json.")
  }

  @Test func `two reports to the same file are refused even if the file does not exist yet`() async throws {
    #expect(
      try await refusal(folder(), ["run", "w.yaml", "--sandbox", "--report", "json=./new.json", "--report", "html=new.json"])
        == "Error: Two reports would be written to new.json, which is the same file as ./new.json.")
  }

  /// A folder with a workflow that reads the rows of `rows.csv`, calls `called.yaml` and takes a secret from `secret.txt`.
  private func folderOfFiles() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "w.yaml",
      """
      garland: 1
      defaults: { base_url: "http://127.0.0.1:1" }
      secrets: { KEY: { file: secret.txt } }
      steps:
        a: { rows: rows.csv, get: "/${item.name}", bearer: "${secrets.KEY}" }

      """)
    try folder.write("rows.csv", "name\nann\n")
    try folder.write("secret.txt", "abcdefgh\n")
    try folder.write("other.yaml", "garland: 1\nsteps: { b: { get: 'http://127.0.0.1:1/' } }\n")
    return folder
  }

  @Test(arguments: [
    ("w.yaml", "which this command reads"), ("./rows.csv", "which this command reads"), ("secret.txt", "which this command reads"),
    ("other.yaml", "which is a workflow"),
  ])
  func `an exported script that would overwrite a file of the workflow is refused`(target: String, reason: String) async throws {
    #expect(
      try await refusal(folderOfFiles(), ["export", "w.yaml", "--to", "k6", "--output", target])
        == "error: the script would replace `\(target)`, \(reason): name another file")
  }

  @Test(arguments: [["export", "w.yaml", "--to", "k6"], ["import", "a.sh"], ["import", "a.sh", "--force"]])
  func `if --output is empty or names a folder, it is refused and no folder is made`(command: [String]) async throws {
    let folder = try folderOfFiles()
    try folder.write("a.sh", "curl http://127.0.0.1:1/\n")
    try FileManager.default.createDirectory(atPath: "\(folder.path)/made", withIntermediateDirectories: false)
    let before = folder.names
    for target in ["new/", "new/inner/", "new/.", "new/..", "made", "made/", "."] {
      let result = try await Garland.run(command + ["--output", target], in: folder.path)
      #expect(result.status == 2 && result.error.hasSuffix("error: `\(target)` is a folder: name a file\n"), "\(result.error)")
    }
    let result = try await Garland.run(command + ["--output", ""], in: folder.path)
    #expect(result.status == 2 && result.error.hasSuffix("error: the value of `--output` is empty: name a file\n"), "\(result.error)")
    #expect(folder.names == before)
  }

  @Test func `garland export --output replaces an existing file with the script`() async throws {
    let folder = try folderOfFiles()
    try folder.write("load.js", "old")
    let result = try await Garland.run(["export", "w.yaml", "--to", "k6", "--output", "load.js"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    #expect(try folder.read("load.js").count > 100)
  }

  @Test func `a report that replaces a file keeps the permissions of the file`() async throws {
    let folder = try folder()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder.path)/r.json")
    let result = try await Garland.run(["run", "w.yaml", "--sandbox", "--report", "json=r.json"], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/r.json")[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}
