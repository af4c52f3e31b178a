import GarlandDiagnostics
import GarlandWorkflow

/// Finds two kinds of mistakes: files that a run would write outside of the allowed folders, and downloads whose path is an existing
/// folder. If a path is known before the run, its mistake is reported before any request is sent.
struct WrittenFileFinder {
  let plan: Plan
  let files: FileAccess
  /// The folder that paths of downloads and caches are relative to.
  let workingDirectory: String

  func report(to list: inout DiagnosticList) {
    // A path in the defaults may apply to many steps, but is reported only once.
    var told: Set<SourceRange> = []
    for planned in plan.steps {
      guard let request = planned.step.request else { continue }
      func check(_ path: String, _ use: PathUse, _ range: SourceRange) {
        let folder = use.folder(document: planned.workflow.directory, workingDirectory: workingDirectory)
        if isOutside(path, of: folder), told.insert(range).inserted { list.report(Self.diagnostic(path, range)) }
      }
      if let download = request.download, let path = download.to.constantText {
        check(path, .download, download.to.range)
        if !download.usesSuggestedName, isFolder(path), told.insert(download.to.range).inserted {
          list.report(Diagnostic(.file, "`\(path)` is a folder, not a file", at: download.to.range).help(DownloadTemplate.folderAdvice))
        }
      }
      guard request.hasTransport else { continue }
      let transport = request.transport
      if let jar = transport.cookieJar, case .file(let path)? = jar.constant { check(path, .cookies, jar.range) }
      if let folder = transport.cache.directory, let path = folder.constant { check(path, .cache, folder.range) }
    }
  }

  /// Whether a path is outside of the allowed folders. False for a path with any other error, since the cause of the error may be gone when
  /// the run writes the file.
  private func isOutside(_ path: String, of folder: String) -> Bool {
    do throws(WorkflowFileError) {
      _ = try files.locate(path, from: folder)
      return false
    } catch {
      return error.isOutside
    }
  }

  /// Whether the path of a download is the path of an existing folder. Such a download is an error, because a run never replaces a folder
  /// with a file.
  private func isFolder(_ path: String) -> Bool {
    guard let whole = try? files.locate(path, from: workingDirectory) else { return false }
    return files.files.kind(of: whole) == .folder
  }

  private static func diagnostic(_ path: String, _ range: SourceRange) -> Diagnostic {
    Diagnostic(.fileOutside, "`\(path)` leads outside the project", at: range).help("allow the folder of the file with `--allow-path DIR`")
  }
}
