import GarlandPlanner
import GarlandWorkflow
import Glibc

/// The files that a run depends on, and the steps that a change of each file affects.
struct WatchedPlan {
  /// The properties of a file that show whether it has changed.
  private struct Facts: Equatable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Reads the inode, the size and the time of the last change of a file. Returns nil if the file does not exist.
    init?(_ path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { return nil }
      (inode, size) = (UInt64(facts.st_ino), Int64(facts.st_size))
      (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
    }
  }

  /// The steps that must run again after a file has changed: none, all, or some.
  enum Scope: Equatable {
    case nothing
    case everything
    /// Only the steps with these names must run again. A name has the form `file#id`.
    case steps([String])
  }

  private let workspace: Workspace
  private let printsNothing: Bool
  private let complete: Plan?
  private let selected: Plan?
  /// The text of each document. Each key is the path of a document.
  private var texts: [String: DocumentText] = [:]
  /// The properties of each watched file, by its path; nil for a file that does not exist.
  private var files: [String: Facts?] = [:]
  /// The arguments that are paths of documents and folders. An argument that was a path in the earlier plan remains a path, even if its
  /// file or folder no longer exists.
  private let named: [String]

  /// Reads all documents and files that a command line names. Mistakes are ignored here, since the run reports them.
  init(_ command: RunCommand, earlier: WatchedPlan?) {
    // The properties of each known file are read before its content. If the file changes in between, the next plan finds other properties.
    let known = earlier.map { earlier in Dictionary(uniqueKeysWithValues: earlier.files.keys.map { ($0, Facts($0)) }) } ?? [:]
    var workspace = Workspace(command.paths, command.values, command.output, environment: ProcessEnvironment.current)
    complete = workspace.completePlan()
    selected = complete.flatMap { plan in try? workspace.select(from: plan, command.selection) }
    self.workspace = workspace
    named = workspace.arguments.arguments.filter { workspace.looksLikePath($0) || earlier?.named.contains($0) == true }
    printsNothing = command.results.print.isEmpty
    for workflow in complete?.workflows ?? [] { texts[workspace.path(of: workflow)] = DocumentText(workflow) }
    var paths = Set(documentPaths).union(texts.keys)
    // If a document cannot be read, everything that was watched before is still watched, since it may contain the cause.
    if let complete {
      paths.formUnion(workspace.paths(neededBy: complete))
    } else if let earlier {
      paths.formUnion(earlier.files.keys)
    }
    for path in paths { files[path] = .some(known[path] ?? Facts(path)) }
  }

  /// The paths of documents and folders that the command line names. If the command line names no path, the paths of the project.
  private var paths: [String] { named.isEmpty ? workspace.documentArguments : named }

  /// The documents and folders that the command line or the project names, and that do not exist.
  var missing: [String] { paths.filter { workspace.isMissing($0) } }

  /// The paths of these files, including invalid and missing ones:
  /// - the documents that the command line names;
  /// - the files from which these documents, and the documents that they use or call, take secrets;
  /// - the files that may affect every step (`sharedFiles`).
  private var documentPaths: [String] {
    var workspace = workspace
    let paths = paths.flatMap { path in workspace.isMissing(path) ? [path] : workspace.expand(path) }
    let secrets = (complete?.workflows ?? []).withUsedAndCalled.flatMap { $0.secrets.compactMap { $0.file?.value } }
    return workspace.sharedFiles
      + (paths + secrets).map { path in workspace.files.files.resolve(workspace.absolute(path)) ?? workspace.absolute(path) }
  }

  /// Whether a step of the plan calls the given document, directly or through another document. The plan does not contain the steps of a
  /// called document.
  private func isCalled(_ workflow: Workflow) -> Bool {
    let calls = complete?.steps.compactMap { $0.step.call?.workflow } ?? []
    return calls.withUsedAndCalled.contains { $0.file.name == workflow.file.name }
  }

  /// Treats the files that a run has written as unchanged files. Otherwise, every run would cause another run.
  ///
  /// - Parameters:
  ///   - written: the paths of these files.
  ///   - later: the state of all files after the run, from which the properties of the written files are copied.
  mutating func adopt(_ written: Set<String>, from later: WatchedPlan) {
    for path in written { files[path] = later.files[path] }
  }

  /// The folders that contain the watched files. A missing folder is replaced with its nearest parent folder that exists.
  var folders: Set<String> {
    Set(
      files.keys.map { path in
        var folder = Workspace.folder(of: path)
        while folder != "/", workspace.files.files.kind(of: folder) != .folder { folder = Workspace.folder(of: folder) }
        return folder
      })
  }

  /// The folders that the command line or the project names, and all folders inside them. New documents may be created in these folders.
  var searchedFolders: Set<String> {
    Set(
      paths.map { workspace.absolute($0) }.filter { workspace.files.files.kind(of: $0) == .folder }
        .flatMap { [$0] + Workspace.folders(below: $0) })
  }

  /// Whether the documents and the selection of steps have no mistakes, so that the plan can run.
  var isValid: Bool { complete != nil && selected != nil }

  /// The number of watched files that exist.
  var count: Int { files.values.count { $0 != nil } }

  /// The number of steps that the command line selects.
  var stepCount: Int { selected?.steps.count ?? 0 }

  /// Returns the paths of the watched files that differ between `earlier` and this value.
  func changes(since earlier: WatchedPlan) -> Set<String> {
    Set(Set(files.keys).union(earlier.files.keys).filter { path in (files[path] ?? nil) != (earlier.files[path] ?? nil) })
  }

  /// Whether a file does not exist any more.
  func isDeleted(_ path: String) -> Bool { workspace.isMissing(path) }

  /// Returns a file's path relative to the working directory. A path outside of the working directory is returned unchanged.
  func name(of path: String) -> String {
    let base = (workspace.files.files.resolve(workspace.workingDirectory) ?? workspace.workingDirectory) + "/"
    return path.hasPrefix(base) ? String(path.dropFirst(base.count)) : path
  }

  /// Returns the steps that a change of the given files affects.
  ///
  /// - Parameter earlier: The watched plan before the change.
  func scope(of changed: Set<String>, since earlier: WatchedPlan) -> Scope {
    // The run itself reports the mistakes.
    guard let complete, let selected else { return .everything }
    guard changed.isDisjoint(with: workspace.sharedFiles) else { return .everything }
    // `--print` can use all steps of the plan.
    guard printsNothing else { return .everything }
    var whole = changed
    var single: [Int] = []
    for (index, workflow) in complete.workflows.enumerated() {
      let path = workspace.path(of: workflow)
      guard changed.contains(path), !isCalled(workflow),
        let steps = texts[path].flatMap({ text in earlier.texts[path].flatMap { text.changedSteps(since: $0) } })
      else { continue }
      whole.remove(path)
      single += complete.steps.filter { $0.workflowIndex == index && steps.contains($0.step.id) }.map(\.index)
    }
    let direct = complete.affected(by: whole, files: workspace.files.files) + single
    let affected = Set(complete.withDependents(direct).map { complete.steps[$0].address })
    let steps = selected.steps.map(\.address).filter(affected.contains)
    // A very long list of steps would be less readable than the whole plan.
    return steps.isEmpty ? .nothing : steps.count == selected.steps.count || steps.count > 500 ? .everything : .steps(steps)
  }
}

extension WatchedPlan.Scope {
  func union(_ other: Self) -> Self {
    switch (self, other) {
    case (.everything, _), (_, .everything): .everything
    case (.nothing, let scope), (let scope, .nothing): scope
    case (.steps(let own), .steps(let others)): .steps(own + others.filter { !own.contains($0) })
    }
  }
}
