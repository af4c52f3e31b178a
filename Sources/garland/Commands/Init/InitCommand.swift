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
        garland init shop             writes it into the folder shop
        garland init --ci github      writes a workflow for GitHub, too;
                                      in a project: only this workflow
        garland init smoke.yaml       writes one starter workflow
        garland init -                writes it to standard output

      A project has garland.project.yaml, two environments, a login that two
      documents share, a .gitignore and a file for the CI system.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder of a project, which is made if it is missing; or a file that ends in .yaml or .yml, for one workflow; `-` is standard output. Default: a project in this folder.",
      valueName: "path"),
    completion: .file())
  var path: String?

  @Option(name: .long, help: "The CI system whose configuration file is written. Default: the system that the repository uses, if any.")
  var ci: StarterCI?

  @Flag(name: .long, help: "Replace files that exist.")
  var force = false

  /// The path of the single workflow file that the command writes; nil if it writes a project.
  private var workflow: String? {
    guard let path, path == "-" || path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return nil }
    return SystemFiles().kind(of: path) == .folder ? nil : path
  }

  func validate() throws {
    if path?.isEmpty == true { throw ValidationError("The path is empty.") }
    if workflow != nil, ci != nil { throw ValidationError("--ci can't be combined with a file: it needs a project.") }
  }

  func run() throws {
    guard let workflow else { return try writeProject(into: path ?? ".") }
    let starter = StarterWorkflow(at: workflow == "-" ? "garland.yaml" : workflow)
    guard workflow != "-" else { return try CommandOutput.writeAll(Array(starter.text.utf8), to: STDOUT_FILENO) }
    try write(Array(starter.text.utf8), to: workflow, replacing: force)
    try Terminal(.never, environment: [:]).remark("Wrote \(workflow). Try it: \(starter.command)\n")
  }

  private func write(_ bytes: [UInt8], to path: String, replacing: Bool, makingFolders: Bool = false) throws(CommandFailure) {
    do {
      try WholeFile.write(bytes, to: path, replacing: replacing, makingFolders: makingFolders)
    } catch .exists {
      throw CommandFailure.usage("the file `\(path)` exists already; --force replaces it")
    } catch {
      throw CommandFailure.local("cannot write \(path): \(error)")
    }
  }

  // MARK: Projects

  private func writeProject(into folder: String) throws {
    let start = Self.shortened(folder)
    let prefix = start == "." ? "" : start == "/" ? "/" : start + "/"
    let files = StarterProject.files.map { (path: prefix + $0.path, text: $0.text) }
    // In a project that exists, `--ci` writes only the file of the CI system, and `--force` replaces only this file.
    let repository = StarterRepository(ofProjectIn: start)
    if let file = ci?.file(forProjectIn: repository.folder), access(prefix + StarterProject.path, F_OK) == 0 {
      let path = repository.prefix + file.path
      try write(Array(file.text.utf8), to: path, replacing: force, makingFolders: true)
      try Terminal(.never, environment: [:]).remark("Wrote \(path).\n")
      return
    }
    // Either all files are written or none, since an incomplete project would prevent the next attempt.
    if !force, let there = files.map(\.path).first(where: { access($0, F_OK) == 0 }) {
      throw CommandFailure.usage(
        "the file `\(there)` exists already; --force replaces it, and `garland init FILE.yaml` writes one workflow")
    }
    var written: [String] = []
    do {
      for file in files {
        try write(Array(file.text.utf8), to: file.path, replacing: force, makingFolders: true)
        written.append(file.path)
      }
    } catch {
      if !force { for path in written { unlink(path) } }
      throw error
    }
    if try writeIgnored(to: prefix + StarterProject.ignorePath) { written.append(prefix + StarterProject.ignorePath) }
    let (ciFile, note) = try writeCI(of: repository)
    written += ciFile.map { [$0] } ?? []
    let command = prefix.isEmpty ? "garland run --sandbox" : "\(StarterCI.command(changingTo: start)) && garland run --sandbox"
    try Terminal(.never, environment: [:]).remark("Wrote \(written.joined(separator: ", ")).\n\(note)Try it: \(command)\n")
  }

  /// Returns a path without `.`, without empty parts, and without folders that a following `..` cancels: `b` for `./a/../b/`.
  ///
  /// The path `./a/../b/` is valid only if the folder `a` exists; the path `b` does not need this folder.
  private static func shortened(_ path: String) -> String {
    let isAbsolute = path.hasPrefix("/")
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(part)
      } else if let last = parts.last, last != ".." {
        parts.removeLast()
      } else if !isAbsolute {
        parts.append(part)
      }
    }
    let joined = parts.joined(separator: "/")
    return isAbsolute ? "/" + joined : joined.isEmpty ? "." : joined
  }

  /// Writes the file of the CI system. An existing file is replaced only if the user names the system and gives --force.
  ///
  /// - Returns: `path` is the path of the file, or nil if no file was written. `note` is a line about an existing file that was not
  ///   changed, or empty.
  private func writeCI(of repository: StarterRepository) throws(CommandFailure) -> (path: String?, note: StyledText) {
    guard let file = (ci ?? StarterCI.found(in: repository.root)).file(forProjectIn: repository.folder) else { return (nil, "") }
    let path = repository.prefix + file.path
    guard access(path, F_OK) != 0 || (ci != nil && force) else {
      return (nil, "The file `\(path)` exists already and was not changed.\n")
    }
    try write(Array(file.text.utf8), to: path, replacing: true, makingFolders: true)
    return (path, "")
  }

  /// Adds missing lines to a `.gitignore`. Returns false if no line was missing.
  private func writeIgnored(to path: String) throws -> Bool {
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
    try write(bytes, to: path, replacing: true)
    return true
  }
}
