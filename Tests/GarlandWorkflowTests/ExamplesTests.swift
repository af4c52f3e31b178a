import Foundation
import GarlandDiagnostics
import Testing

@testable import GarlandWorkflow

/// Tests of the documents in the repository itself.
@Suite struct ExamplesTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func documents(_ folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder + "/" + $0 }
  }

  static func decode(_ path: String) throws -> (workflow: Workflow?, diagnostics: DiagnosticList) {
    let file = root.appending(path: path)
    let bytes = [UInt8](try Data(contentsOf: file))
    let options = WorkflowDecoder.Options(files: FileAccess(SystemFiles(), roots: [root.path, root.appending(path: "examples").path]))
    return WorkflowDecoder.decode(
      name: (path as NSString).lastPathComponent, bytes: bytes, directory: file.deletingLastPathComponent().path, options: options)
  }

  @Test(arguments: documents("examples")) func `every example workflow decodes without a diagnostic`(_ path: String) throws {
    let (workflow, diagnostics) = try Self.decode(path)
    #expect(workflow != nil)
    #expect(diagnostics.all.map { "\($0.range?.description ?? "") \($0.message)" } == [])
  }
}
