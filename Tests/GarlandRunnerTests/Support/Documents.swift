import GarlandDiagnostics
import GarlandWorkflow
import TestSupport
import Testing

/// Documents for tests.
enum Documents {
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  static func decode(_ text: String, folder: TemporaryFolder) throws -> Workflow {
    let file = SourceFile(name: "test.yaml", bytes: Array(text.utf8))
    let access = FileAccess(SystemFiles(), roots: [folder.path])
    let (workflow, diagnostics) = WorkflowDecoder.decode(file, directory: folder.path, options: .init(files: access))
    guard let workflow else {
      throw Refused(description: diagnostics.all.map { DiagnosticRenderer().render($0).plain }.joined(separator: "\n"))
    }
    return workflow
  }
}
