import GarlandDiagnostics
import GarlandWorkflow

/// Finds loops whose items all download to the same file, or all compare their responses with the same file. This is the case if the file's
/// path does not depend on the item.
struct LoopFileFinder {
  let plan: Plan

  func report(to list: inout DiagnosticList) {
    for planned in plan.steps {
      guard let loop = planned.step.flow.loop, !Self.hasOneItem(loop) else { continue }
      if let download = planned.step.request?.download, !download.usesSuggestedName, !Self.varies(download.to) {
        list.report(
          Diagnostic(.downloadConflict, "every item of `\(planned.step.id)` downloads to the same file", at: download.to.range)
            .help("add a part that differs for each item to the path, such as `${index}`"))
      }
      for expectation in planned.step.judged {
        guard case .snapshot(let snapshot) = expectation.check, !Self.varies(snapshot.file) else { continue }
        list.report(
          Diagnostic(
            .sharedSnapshot, severity: .warning, "every item of `\(planned.step.id)` is compared with the same snapshot",
            at: snapshot.file.range
          )
          .help("add a part that differs for each item to the path, such as `${index}`, unless all of them have the same body"))
      }
    }
  }

  private static func hasOneItem(_ loop: Loop) -> Bool {
    guard case .list(let items) = loop.source, case .array(let list)? = items.constant else { return false }
    return list.count < 2
  }

  /// Whether the path of a file can differ between the items of a loop.
  private static func varies(_ path: Template) -> Bool {
    guard path.constantText == nil else { return false }
    return ["uuid(", "random(", "now(", "item", "index"].contains { path.range.text.contains($0) }
  }
}
