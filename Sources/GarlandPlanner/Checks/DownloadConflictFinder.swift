import GarlandDiagnostics
import GarlandWorkflow

/// Finds files to which two steps download. If the two steps can run in any order, each download may overwrite the other. If their order is
/// fixed, the second download overwrites the first, which is an error unless the second step has `replace: true`.
struct DownloadConflictFinder {
  let plan: Plan
  let limit: Int
  /// Resolves symbolic links, so that two paths of one file are recognised. If nil, paths are compared as text.
  let files: FileAccess?
  /// The absolute path of the folder to which the relative paths of downloads refer.
  let workingDirectory: String

  func report(to list: inout DiagnosticList, _ oracle: inout OrderOracle) {
    var steps: [String: [Int]] = [:]
    var keys: [String] = []
    for planned in plan.steps {
      guard let download = planned.step.request?.download, !download.usesSuggestedName else { continue }
      guard let key = key(of: download.to, planned) else { continue }
      if steps[key] == nil { keys.append(key) }
      steps[key, default: []].append(planned.index)
    }
    var reported = 0
    for key in keys {
      let group = steps[key] ?? []
      for (first, second) in zip(group, group.dropFirst()) where reported < limit {
        if let diagnostic = diagnostic(plan.steps[first], plan.steps[second], oracle.order(of: first, and: second)) {
          list.report(diagnostic)
          reported += 1
        }
      }
    }
  }

  /// Returns a key that identifies the file to which a step downloads: all paths of one file have the same key. Returns nil if the path
  /// differs in each run or iteration.
  private func key(of path: Template, _ planned: PlannedStep) -> String? {
    if let text = planned.workflow.constantText(of: path) {
      if let resolved = try? files?.locate(text, from: workingDirectory) { return resolved }
      return FileLinkFinder.normalized(text.utf8.first == UInt8(ascii: "/") ? text : "\(workingDirectory)/\(text)")
    }
    let text = path.range.text
    if ["uuid(", "random(", "now(", "item", "index"].contains(where: { text.contains($0) }) { return nil }
    return "\(planned.workflowIndex)\u{0}\(text)"
  }

  private func diagnostic(_ first: PlannedStep, _ second: PlannedStep, _ order: OrderOracle.Answer) -> Diagnostic? {
    let (source, target) = order == .after ? (second, first) : (first, second)
    guard let earlier = source.step.request?.download, let later = target.step.request?.download else { return nil }
    let path = earlier.to.constantText ?? earlier.to.range.text
    let earlierName = plan.name(of: source.index, from: target.index)
    let laterName = plan.name(of: target.index, from: source.index)
    switch order {
    case .unknown: return nil
    case .unordered:
      let conflict = Diagnostic(
        .downloadConflict, "the steps `\(earlierName)` and `\(laterName)` download to the same file, and may do so at the same time",
        at: later.to.range, label: "also written by `\(earlierName)`"
      )
      .note("`\(earlierName)` downloads to `\(path)` too", at: earlier.to.range)
      .help("write the two downloads to different files")
      // A step cannot refer to a step of a document that its own document does not use.
      guard source.workflowIndex == target.workflowIndex else { return conflict }
      let (advice, addition) = plan.afterHelp(source, in: target)
      let replaces = later.replace.map { $0.constant != false } ?? false
      let fix = replaces ? addition : addition.flatMap { after in Self.replacing(later).flatMap { after.joined(with: $0) } }
      return conflict.choice(replaces ? advice : "\(advice); in the later step, write `replace: true` below `download:`", fix: fix)
    case .before, .after:
      if let replace = later.replace, replace.constant != false { return nil }
      return Diagnostic(
        .downloadConflict, "the step `\(laterName)` overwrites the file that the step `\(earlierName)` downloads",
        at: later.to.range, label: "the same file"
      )
      .note("`\(earlierName)` downloads to `\(path)` too", at: earlier.to.range)
      .choice(
        "write `replace: true` below `download:` in `\(target.step.id)`, or download to another file", fix: Self.replacing(later))
    }
  }

  /// Returns a fix that adds `replace: true` to a download. Returns nil if the document has no simple place for the new key, for example if
  /// the path spans several lines.
  private static func replacing(_ download: DownloadTemplate) -> Diagnostic.Fix? {
    // A second `replace` would be a duplicate key.
    if let replace = download.replace { return Diagnostic.Fix(replace.range, "true") }
    let path = download.to.range
    let bytes = path.file.bytes
    let start = path.offsets.lowerBound
    let line = bytes[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let before = String(decoding: bytes[line..<start], as: UTF8.self)
    let end = SourceRange(path.file, path.offsets.upperBound..<path.offsets.upperBound)
    if before.hasSuffix("download: ") { return Diagnostic.Fix(path, "{ to: \(path.text), replace: true }") }
    guard before.hasSuffix("to: ") else { return nil }
    let indent = before.dropLast(4)
    guard indent.allSatisfy({ $0 == " " }) else { return Diagnostic.Fix(end, ", replace: true") }
    return Diagnostic.Fix(end, "\n\(indent)replace: true")
  }
}
