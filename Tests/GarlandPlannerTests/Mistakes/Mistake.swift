import FoundationEssentials
import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow
import TestSupport
import Testing

/// A document of `Tests/Fixtures/Mistakes` that contains a mistake.
struct Mistake: Sendable, CustomTestStringConvertible {
  let group: String
  let name: String
  let bytes: [UInt8]
  var testDescription: String { "\(group)/\(name)" }

  static let folder = Repository.path("Tests/Fixtures/Mistakes")
  /// The groups of mistakes: invalid YAML, syntax of other tools, names, checks, other files, and the plan.
  static let groups = ["yaml", "peers", "names", "checks", "files", "plan"]

  static let all: [Mistake] = groups.flatMap { group -> [Mistake] in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(group)")) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { name in
      FileManager.default.contents(atPath: "\(folder)/\(group)/\(name)").map {
        Mistake(group: group, name: String(name.dropLast(5)), bytes: [UInt8]($0))
      }
    }
  }

  /// Returns the diagnostics of `check` for the document, or for another text in its place.
  func diagnostics(of other: [UInt8]? = nil) -> [Diagnostic] {
    Self.diagnostics(name: name + ".yaml", bytes: other ?? bytes, directory: "\(Self.folder)/\(group)", root: Self.folder)
  }

  /// Returns the diagnostics of `check` for a document.
  static func diagnostics(name: String, bytes: [UInt8], directory: String, root: String) -> [Diagnostic] {
    let access = FileAccess(SystemFiles(), roots: [root])
    let options = WorkflowDecoder.Options(files: access)
    let (workflow, decoded) = WorkflowDecoder.decode(name: name, bytes: bytes, directory: directory, options: options)
    let planner = Planner(workingDirectory: root, files: SystemFiles())
    guard let workflow else {
      return decoded.all + planner.plan(options.library.documentsWithErrors).diagnostics.all.filter { $0.code == .cycle }
    }
    let result = planner.plan([workflow])
    return decoded.all + result.diagnostics.all + (result.plan?.check(files: access, workingDirectory: root).all ?? [])
  }

  /// Applies the suggested fixes one after another until no fix is left. Returns the remaining diagnostics and the number of applied fixes.
  func mended() -> (left: [Diagnostic], steps: Int) {
    var text = bytes
    for step in 0..<30 {
      let found = diagnostics(of: text)
      guard let fix = found.lazy.flatMap(\.helps).compactMap(\.fix).first else { return (found, step) }
      text = FixProof.applying(fix)
    }
    return (diagnostics(of: text), 30)
  }
}

/// A folder of documents that other tests check, so that golden files show their diagnostics.
struct CheckedFolder: Sendable, CustomTestStringConvertible {
  let path: String
  var testDescription: String { path }

  static let all: [CheckedFolder] = {
    let root = Repository.path("Tests/Conformance")
    let topics = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).sorted()
    return [CheckedFolder(path: Repository.path("Tests/Fixtures/BadInput"))] + topics.map { CheckedFolder(path: "\(root)/\($0)") }
  }()

  /// Returns the names of the documents directly in the folder.
  func documents() throws -> [String] {
    guard FileManager.default.fileExists(atPath: path + "/.") else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".yaml") }.sorted()
  }
}
