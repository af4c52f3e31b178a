import GarlandDiagnostics
import GarlandWorkflow

extension Workspace {
  /// The codes of errors that can occur because a project file is not used. Such a project file may define what is missing: the base URL, a
  /// variable, a secret, a profile, or the path of a document.
  private static let codes: Set<DiagnosticCode> = [
    .relativeURL, .undefinedName, .undefinedProfile, "unknown-step", "no-such-file", "unknown-variable", "unknown-secret",
  ]

  /// Adds advice to the first error that a project file could have prevented, if this file was ignored. A project file is ignored if it is
  /// outside of the working directory and not in a repository.
  mutating func nameUnusedProject() {
    let found = diagnostics.all
    guard let first = found.firstIndex(where: { $0.severity == .error && Self.codes.contains($0.code) }), let project = unusedProject else {
      return
    }
    var named = DiagnosticList()
    for (index, diagnostic) in found.enumerated() {
      named.report(
        index == first
          ? diagnostic.help(
            "\(project) is not used, since it is outside of the working directory and of any repository: to use it, write `--project \(project)`"
          )
          : diagnostic)
    }
    collecting { $0 = named }
  }

  /// The path of a project file that the command ignores: the nearest one in a parent folder of the first document, but outside of the
  /// searched folders. Nil if there is no such file.
  private var unusedProject: String? {
    guard let projects, arguments.project.file == nil else { return nil }
    let named = arguments.arguments.first { $0 != "-" && files.files.kind(of: absolute($0)) != .missing }.map(absolute)
    let start = named.map { files.files.kind(of: $0) == .folder ? $0 : Workspace.folder(of: $0) } ?? workingDirectory
    let system = SystemFiles()
    guard projects.project(of: start) == nil, let bottom = system.resolve(start),
      system.kind(of: FileAccess.projectRoot(of: bottom, in: system) + "/.git") == .missing
    else { return nil }
    var folder = bottom
    while folder != "/" {
      folder = Workspace.folder(of: folder)
      let path = (folder == "/" ? "" : folder) + "/" + Project.fileName
      guard system.kind(of: path) == .file else { continue }
      let finder = ProjectFinder(.file(path), files: FileAccess(system, roots: [folder]), workingDirectory: workingDirectory)
      return finder.project(of: folder)?.file.name
    }
    return nil
  }
}
