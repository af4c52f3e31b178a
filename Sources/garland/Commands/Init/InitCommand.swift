import ArgumentParser
import GarlandDiagnostics
import GarlandWorkflow
import Glibc

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a small project, or a commented starter workflow.",
    discussion: """
      Examples:
        garland init                  writes a project into this folder
        garland init --ci github      the same, with a workflow for GitHub
        garland init smoke.yaml       writes one starter workflow
        garland init -                writes it to standard output

      A project has garland.project.yaml, two environments, a login that two
      documents share, a .gitignore and a file for the CI system.
      """)

  @Argument(
    help: ArgumentHelp("Where to write one workflow; `-` is standard output. Without it: a project in this folder.", valueName: "file"),
    completion: .file())
  var path: String?

  @Option(name: .long, help: "The CI system whose configuration file is written. Default: the system that the repository uses, if any.")
  var ci: StarterCI?

  @Flag(name: .long, help: "Replace files that exist.")
  var force = false

  func validate() throws {
    if path != nil, ci != nil { throw ValidationError("--ci is for a project: leave the file out.") }
    if let problem = path.flatMap(StarterPath.problem) { throw ValidationError(problem) }
  }

  func run() throws {
    guard let path else { return try writeProject() }
    let starter = StarterWorkflow(at: path == "-" ? "garland.yaml" : path)
    guard path != "-" else { return try CommandOutput.writeAll(Array(starter.text.utf8), to: STDOUT_FILENO) }
    try write(Array(starter.text.utf8), to: path)
    try Terminal(.never, environment: [:]).remark("Wrote \(path). Try it: \(starter.command)\n")
  }

  private func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    do {
      try WholeFile.write(bytes, to: path, replacing: force)
    } catch .exists {
      throw CommandFailure.usage("\(path) exists already; --force replaces it")
    } catch {
      throw CommandFailure.local("cannot write \(path): \(error)")
    }
  }

  // MARK: Projects

  private func writeProject() throws {
    let files = StarterProject.files
    // Either all files are written or none, since an incomplete project would prevent the next attempt.
    if !force, let there = files.map(\.path).first(where: { access($0, F_OK) == 0 }) {
      throw CommandFailure.usage("\(there) exists already; --force replaces it, and `garland init FILE` writes one workflow")
    }
    var written: [String] = []
    for file in files {
      try makeFolders(for: file.path)
      try write(Array(file.text.utf8), to: file.path)
      written.append(file.path)
    }
    if try writeIgnored() { written.append(StarterProject.ignorePath) }
    if let file = (ci ?? StarterCI.found(in: ".")).file, access(file.path, F_OK) != 0 {
      try makeFolders(for: file.path)
      try write(Array(file.text.utf8), to: file.path)
      written.append(file.path)
    }
    try Terminal(.never, environment: [:]).remark(
      "Wrote \(written.joined(separator: ", ")).\nTry it: garland run --sandbox\n")
  }

  /// Adds missing lines to `.gitignore`. Returns false if no line was missing.
  private func writeIgnored() throws -> Bool {
    let path = StarterProject.ignorePath
    var bytes: [UInt8] = []
    if access(path, F_OK) == 0 {
      do throws(WorkflowFileError) {
        bytes = try SystemFiles().read(path, limit: 1 << 20)
      } catch {
        throw CommandFailure.local("cannot read \(path): \(error.message)")
      }
    }
    let known = Set(String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init))
    let missing = StarterProject.ignored.filter { !known.contains($0) }
    guard !missing.isEmpty else { return false }
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    bytes += (missing.joined(separator: "\n") + "\n").utf8
    do {
      try WholeFile.write(bytes, to: path, replacing: true)
    } catch {
      throw CommandFailure.local("cannot write \(path): \(error)")
    }
    return true
  }

  private func makeFolders(for path: String) throws(CommandFailure) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += (folder.isEmpty ? "" : "/") + part
      guard mkdir(folder, 0o777) != 0, errno != EEXIST else { continue }
      throw CommandFailure.local("cannot make the folder \(folder): \(String(cString: strerror(errno)))")
    }
  }
}
