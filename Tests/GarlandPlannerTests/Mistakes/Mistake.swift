import FoundationEssentials
import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow
import TestSupport
import Testing

/// A document of `Tests/Fixtures/Mistakes` with something wrong in it.
struct Mistake: Sendable, CustomTestStringConvertible {
  let group: String
  let name: String
  let bytes: [UInt8]
  var testDescription: String { "\(group)/\(name)" }

  static let folder = Repository.path("Tests/Fixtures/Mistakes")
  /// By what goes wrong: YAML itself, habits from other tools, names, checks, other files, the plan.
  static let groups = ["yaml", "peers", "names", "checks", "files", "plan"]

  static let all: [Mistake] = groups.flatMap { group -> [Mistake] in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(group)")) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { name in
      FileManager.default.contents(atPath: "\(folder)/\(group)/\(name)").map {
        Mistake(group: group, name: String(name.dropLast(5)), bytes: [UInt8]($0))
      }
    }
  }

  /// What `check` says of the document, or of another text in its place.
  func diagnostics(of other: [UInt8]? = nil) -> [Diagnostic] {
    let access = FileAccess(SystemFiles(), roots: [Mistake.folder])
    let options = WorkflowDecoder.Options(files: access)
    let (workflow, decoded) = WorkflowDecoder.decode(
      name: name + ".yaml", bytes: other ?? bytes, directory: "\(Mistake.folder)/\(group)", options: options)
    let planner = Planner(workingDirectory: Mistake.folder, files: SystemFiles())
    guard let workflow else {
      return decoded.all + planner.plan(options.library.documentsWithErrors).diagnostics.all.filter { $0.code == .cycle }
    }
    let result = planner.plan([workflow])
    return decoded.all + result.diagnostics.all + (result.plan?.check(files: access, workingDirectory: Mistake.folder).all ?? [])
  }

  /// Follows one suggestion after the other, the first that has a change of the text first, until there is none; what is left then, and how
  /// many were followed.
  func mended() -> (left: [Diagnostic], steps: Int) {
    var text = bytes
    for step in 0..<30 {
      let found = diagnostics(of: text)
      guard let fix = found.lazy.flatMap(\.helps).compactMap(\.fix).first else { return (found, step) }
      text = Mistake.applying(fix)
    }
    return (diagnostics(of: text), 30)
  }

  /// The text of the file that a change is for, with the change.
  static func applying(_ fix: Diagnostic.Fix) -> [UInt8] {
    var bytes = fix.range.file.bytes
    bytes.replaceSubrange(fix.range.offsets, with: Array(fix.replacement.utf8))
    return bytes
  }
}
