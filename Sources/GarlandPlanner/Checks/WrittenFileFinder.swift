import GarlandDiagnostics
import GarlandWorkflow

/// Finds files that a run would write where it may not: what is known before it is told before anything is sent.
struct WrittenFileFinder {
  let plan: Plan
  let files: FileAccess
  /// What their paths are relative to.
  let workingDirectory: String

  func report(to list: inout DiagnosticList) {
    // Defaults are those of many steps.
    var told: Set<SourceRange> = []
    for planned in plan.steps {
      guard let request = planned.step.request else { continue }
      if let download = request.download, let path = download.to.constantText { check(path, download.to.range, &told, &list) }
      guard request.hasTransport else { continue }
      let transport = request.transport
      if let jar = transport.cookieJar, case .file(let path)? = jar.constant { check(path, jar.range, &told, &list) }
      if let folder = transport.cache.directory, let path = folder.constant { check(path, folder.range, &told, &list) }
    }
  }

  private func check(_ path: String, _ range: SourceRange, _ told: inout Set<SourceRange>, _ list: inout DiagnosticList) {
    do throws(WorkflowFileError) {
      _ = try files.locate(path, from: workingDirectory)
    } catch {
      // Another reason may be gone until the file is written.
      guard error.isOutside, told.insert(range).inserted else { return }
      list.report(
        Diagnostic(.fileOutside, "`\(path)` lies outside of the project", at: range)
          .help("allow its folder with `--allow-path DIR`"))
    }
  }
}
