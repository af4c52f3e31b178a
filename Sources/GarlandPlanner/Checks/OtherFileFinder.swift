import GarlandDiagnostics
import GarlandWorkflow

/// Finds pairs of steps of one document where one step downloads to a relative path, and the other step reads from the same relative path.
/// These paths mean two different files: the path of a download is relative to the working directory, but the path of a file that a step
/// reads is relative to the folder of the document.
struct OtherFileFinder {
  let plan: Plan
  /// The access to files, which resolves symbolic links, so that different paths of the same file count as equal. If nil, paths are
  /// compared as text.
  let files: FileAccess?
  /// The absolute path of the folder that downloads are relative to.
  let workingDirectory: String
  let limit: Int

  /// A step that reads a file (`user`), and a step that downloads to the same relative path (`source`). The two files differ, since the
  /// paths are relative to different folders.
  private struct Pair {
    let user: PlannedStep
    let use: Template
    let used: String
    let source: PlannedStep
    let download: Template
    let downloaded: String
  }

  /// Adds a warning for each step that probably reads the wrong file: the step uses the same relative path as a download, but the two paths
  /// lead to different files. A path to read is relative to the document, and the path of a download is relative to the working directory.
  ///
  /// - Parameter missing: the errors for missing files. If there is already an error for the file that the step reads, the function adds
  ///   the explanation to this error instead of adding a warning.
  func report(to list: inout DiagnosticList, extending missing: inout [Diagnostic]) {
    for pair in pairs().prefix(limit) {
      if let index = missing.firstIndex(where: { $0.range == pair.use.range }) {
        missing[index] = explained(missing[index], pair)
        continue
      }
      list.report(
        explained(
          Diagnostic(
            .otherFile, severity: .warning,
            "`\(pair.user.step.id)` uses `\(shown(pair.used))`, but `\(pair.source.step.id)` downloads to `\(shown(pair.downloaded))`",
            at: pair.use.range, label: "relative to the document"),
          pair))
    }
  }

  private func pairs() -> [Pair] {
    var downloads: [Int: [String: PlannedStep]] = [:]
    for planned in plan.steps where planned.workflow.directory != workingDirectory {
      guard let download = planned.step.request?.download, !download.usesSuggestedName, let path = relativePath(download.to, planned)
      else { continue }
      downloads[planned.workflowIndex, default: [:]][path] = planned
    }
    guard !downloads.isEmpty else { return [] }
    let linked = Set(plan.origin.links.map(\.use))
    var pairs: [Pair] = []
    for planned in plan.steps {
      guard let own = downloads[planned.workflowIndex] else { continue }
      for use in FileLinkFinder.files(usedBy: planned.step) where !linked.contains(use.range) {
        guard let path = relativePath(use, planned), let source = own[path], source.index != planned.index,
          let download = source.step.request?.download
        else { continue }
        let used = resolved(path, in: planned.workflow.directory)
        let downloaded = resolved(path, in: workingDirectory)
        guard used != downloaded else { continue }
        pairs.append(Pair(user: planned, use: use, used: used, source: source, download: download.to, downloaded: downloaded))
      }
    }
    return pairs
  }

  /// Removes `.` and empty parts from a relative path. Returns nil for an absolute path, and for a path that is unknown before the run.
  private func relativePath(_ path: Template, _ planned: PlannedStep) -> String? {
    guard let text = planned.workflow.constantText(of: path), text.utf8.first != UInt8(ascii: "/") else { return nil }
    return text.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  private func resolved(_ path: String, in folder: String) -> String {
    let whole = FileLinkFinder.normalized("\(folder)/\(path)")
    return files?.files.resolve(whole) ?? whole
  }

  private func explained(_ diagnostic: Diagnostic, _ pair: Pair) -> Diagnostic {
    let folder = FileLinkFinder.normalized(pair.user.workflow.directory)
    return
      diagnostic
      .note(
        "`\(pair.source.step.id)` downloads to `\(shown(pair.downloaded))`: the path of a download is relative to the working directory",
        at: pair.download.range
      )
      .help(
        "run `garland` in the folder of the document, `\(shown(folder))`; or write the path from there to the download, "
          + "`\(Self.path(to: pair.downloaded, from: folder))`")
  }

  /// Returns the path of a file relative to the working directory if the file is in this directory; otherwise the absolute path.
  private func shown(_ path: String) -> String {
    path.hasPrefix(workingDirectory + "/") ? String(path.dropFirst(workingDirectory.count + 1)) : path
  }

  /// Returns the path of `file` relative to `folder`. Both parameters are absolute paths.
  static func path(to file: String, from folder: String) -> String {
    let target = file.split(separator: "/")
    let start = folder.split(separator: "/")
    let common = zip(target, start).prefix { $0 == $1 }.count
    let parts = Array(repeating: "..", count: start.count - common) + target.dropFirst(common).map(String.init)
    return parts.joined(separator: "/")
  }
}
