import GarlandDiagnostics
import GarlandYAML
import Synchronization

/// Finds the project of a document. All documents of a run share one finder, so that each project file is read only once.
///
/// ```swift
/// var options = WorkflowDecoder.Options(files: access)
/// options.projects = ProjectFinder(.nearest, files: access, workingDirectory: "/home/me/shop")
/// ```
public final class ProjectFinder: Sendable {
  /// The way in which the project file is chosen.
  public enum Choice: Sendable, Hashable {
    /// Each document uses the `garland.project.yaml` in its folder, or else the one in the nearest folder above it.
    case nearest
    /// All documents use the same project file, at the given absolute path.
    case file(String)
  }

  /// The maximum size of a project file in bytes; a larger file is an error.
  private static let limit = 16 << 20

  private struct State {
    var projects: [String: Project] = [:]
    var byFolder: [String: Project?] = [:]
    var found: [Project] = []
    var quarantines: [String: QuarantineList] = [:]
    var quarantinesByFolder: [String: QuarantineList?] = [:]
    var foundQuarantines: [QuarantineList] = []
  }

  private let choice: Choice
  private let files: FileAccess
  private let workingDirectory: String
  private let limits: YAMLLimits
  private let state = Mutex(State())

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - choice: the way in which the project file is chosen.
  ///   - files: the file system, limited to the folders that documents may use. The search does not leave these folders.
  ///   - workingDirectory: the absolute path of the working directory; messages show paths relative to it.
  ///   - limits: the limits for parsing the project file.
  public init(_ choice: Choice, files: FileAccess, workingDirectory: String, limits: YAMLLimits = YAMLLimits()) {
    self.choice = choice
    self.files = files
    self.workingDirectory = workingDirectory
    self.limits = limits
  }

  /// The projects that this finder has read, in the order in which documents needed them.
  public var found: [Project] { state.withLock { $0.found } }

  /// Returns the project of the documents in a folder; nil if the folder has no project.
  ///
  /// - Parameter directory: the absolute path of the folder.
  public func project(of directory: String) -> Project? {
    if let known = state.withLock({ $0.byFolder[directory] }) { return known }
    let project = search(from: directory).map { load($0) }
    state.withLock { $0.byFolder[directory] = .some(project) }
    return project
  }

  /// The quarantine lists that this finder has read, in the order in which documents needed them.
  public var foundQuarantines: [QuarantineList] { state.withLock { $0.foundQuarantines } }

  /// Returns the quarantined steps of the documents in a folder; nil if there is no list of quarantined steps.
  ///
  /// The steps are listed in the project file, and in the file `quarantine.yaml` next to the project file. Without a project file,
  /// `quarantine.yaml` is searched for in the given folder and then in each folder above it.
  ///
  /// - Parameter directory: the absolute path of the folder.
  public func quarantine(of directory: String) -> QuarantineList? {
    if let known = state.withLock({ $0.quarantinesByFolder[directory] }) { return known }
    let list = loadQuarantine(of: directory)
    state.withLock { $0.quarantinesByFolder[directory] = .some(list) }
    return list
  }

  private func loadQuarantine(of directory: String) -> QuarantineList? {
    let project = project(of: directory)
    let beside = project.map { ($0.directory == "/" ? "/" : $0.directory + "/") + QuarantineList.fileName }
    let path = beside.map { files.files.kind(of: $0) == .missing ? nil : $0 } ?? nearest(QuarantineList.fileName, from: directory)
    guard path != nil || project.map({ !$0.quarantine.isEmpty }) == true else { return nil }
    let key = path ?? project?.path ?? directory
    if let known = state.withLock({ $0.quarantines[key] }) { return known }
    let read = path.map(readQuarantine)
    let list = QuarantineList(
      (project?.quarantine ?? []) + (read?.entries ?? []), file: read?.file, read?.diagnostics ?? DiagnosticList())
    state.withLock { state in
      state.quarantines[key] = list
      state.foundQuarantines.append(list)
    }
    return list
  }

  private func readQuarantine(_ path: String) -> (file: SourceFile?, entries: [QuarantineEntry], diagnostics: DiagnosticList) {
    let name = PathName.shown(path, from: workingDirectory)
    do throws(WorkflowFileError) {
      return ProjectReader(files: files, limits: limits).readQuarantine(
        name: name, path: path, bytes: try files.files.read(path, limit: Self.limit))
    } catch {
      var diagnostics = DiagnosticList()
      diagnostics.report(Diagnostic(.missingFile, "the quarantine list \(name) can't be read: \(error.message)", at: nil))
      return (nil, [], diagnostics)
    }
  }

  /// Returns the path of the project file for a folder; nil if there is none.
  private func search(from directory: String) -> String? {
    switch choice {
    case .nearest: nearest(Project.fileName, or: Project.misspeltFileName, from: directory)
    case .file(let path): path
    }
  }

  /// Searches a folder, and then each folder above it, for the file `name`. Returns the path of the first file found; nil if there is none.
  ///
  /// - Parameter other: the name of a second file, which is used if a searched folder has no file `name`.
  private func nearest(_ name: String, or other: String? = nil, from directory: String) -> String? {
    guard var folder = files.files.resolve(directory) else { return nil }
    // Folders above the root of the repository, or outside of the allowed folders, may belong to
    // other users.
    while files.contains(folder) {
      let prefix = folder == "/" ? "/" : folder + "/"
      for name in [name, other].compactMap(\.self) where files.files.kind(of: prefix + name) != .missing { return prefix + name }
      if folder == "/" || files.files.kind(of: prefix + ".git") != .missing { return nil }
      folder = PathName.folder(of: folder)
    }
    return nil
  }

  private func load(_ path: String) -> Project {
    let resolved = files.files.resolve(path) ?? path
    if let known = state.withLock({ $0.projects[resolved] }) { return known }
    let project = read(path, resolved)
    state.withLock { state in
      state.projects[resolved] = project
      state.found.append(project)
    }
    return project
  }

  private func read(_ path: String, _ resolved: String) -> Project {
    let name = PathName.shown(path, from: workingDirectory)
    let reader = ProjectReader(files: files, limits: limits)
    if choice == .nearest, path.hasSuffix("/" + Project.misspeltFileName) {
      var diagnostics = DiagnosticList()
      diagnostics.report(
        Diagnostic(.missingFile, "\(name) is not read, since a project file has the name `\(Project.fileName)`", at: nil)
          .help("rename the file, or write `--project \(name)`"))
      return reader.broken(SourceFile(name: name, bytes: []), path: resolved, diagnostics)
    }
    do throws(WorkflowFileError) {
      return reader.read(name: name, path: resolved, bytes: try files.files.read(path, limit: Self.limit))
    } catch {
      var diagnostics = DiagnosticList()
      diagnostics.report(Diagnostic(.missingFile, "the project \(name) can't be read: \(error.message)", at: nil))
      return reader.broken(SourceFile(name: name, bytes: []), path: resolved, diagnostics)
    }
  }
}
