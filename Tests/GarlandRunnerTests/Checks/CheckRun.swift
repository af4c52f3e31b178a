import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow
import Testing

@testable import GarlandRunner

/// The evaluation context of the step in a test.
struct CheckContext: EvaluationContext {
  let workflow: Workflow
  let currentResponse: (any ResponseData)?
  let services: EvaluationServices
  var item: Value? { nil }
  var index: Int? { nil }

  func variable(_ index: Int) throws(EvaluationError) -> Value { try workflow.variables[index].value.evaluate(in: self) }
  func secret(_ index: Int) -> String? { "hush-hush" }
  func environmentVariable(_ index: Int) -> String? { workflow.environmentVariables[index] == "LIMIT" ? "10" : nil }
  func extracted(_ index: Int, of step: Int) -> Value? { nil }
  func response(of step: Int) -> (any ResponseData)? { nil }
  func absence(of step: Int) -> String? { nil }
}

/// The file system for the documents of these tests.
private struct CheckFiles: WorkflowFiles {
  static let contents = ["/project/body.txt": "hello", "/project/id.json": #"{"type": "object", "required": ["id"]}"#]

  func kind(of path: String) -> WorkflowFileKind {
    Self.contents[path] != nil ? .file : path == "/project" || path == "/" ? .folder : .missing
  }
  func resolve(_ path: String) -> String? { path }
  func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] {
    guard let text = Self.contents[path] else { throw WorkflowFileError("no such file") }
    return Array(text.utf8)
  }
}

private struct NoSecrets: SecretRegistry {
  func register(secret text: String) {}
}

/// Checks a response with a step that has the given lines.
enum CheckRun {
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the judgement of a response.
  ///
  /// - Parameters:
  ///   - lines: the text of the step, without indentation: `expect: …`, `extract: …`.
  ///   - response: the response.
  static func judge(_ lines: String, _ response: FakeResponse, request: String = "get: /books") throws -> Judgement {
    let text = """
      garland: 1
      defaults: { base_url: "http://h" }
      vars: { ten: 10, title: Dune, list: [1, 2], book: { title: Dune } }
      secrets: [TOKEN]
      steps:
        a:
          \(request)
      \(lines.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n"))
      """
    let files = FileAccess(CheckFiles(), roots: ["/project"])
    let (workflow, diagnostics) = WorkflowDecoder.decode(
      name: "test.yaml", bytes: Array(text.utf8), directory: "/project", options: .init(files: files))
    guard let workflow else {
      throw Refused(description: diagnostics.all.map { DiagnosticRenderer().render($0).plain }.joined(separator: "\n"))
    }
    let services = EvaluationServices(
      runID: "run", secrets: NoSecrets(), now: { 0 }, random: { 4 }, files: files, directory: "/project")
    let context = CheckContext(workflow: workflow, currentResponse: response, services: services)
    return ResponseChecks.judge(response, for: workflow.steps[0], in: context)
  }

  /// Returns each failure as `subject: message`.
  static func messages(_ lines: String, _ response: FakeResponse, request: String = "get: /books") throws -> [String] {
    try judge(lines, response, request: request).failures.map { "\($0.subject): \($0.message)" }
  }

  /// Returns everything that a failure contains, as plain text.
  static func text(_ judgement: Judgement) -> String { text(judgement.failures) }

  static func text(_ failures: [CheckFailure]) -> String {
    failures.map { failure in
      var lines = ["[\(failure.kind.rawValue)] \(failure.sentence)"]
      if let range = failure.range { lines.append("  at \(range): \(range.text.split(separator: "\n").first ?? "")") }
      if let expected = failure.expected { lines.append("  expected \(expected)") }
      if let actual = failure.actual { lines.append("  actual   \(actual)") }
      lines += failure.difference.map { "  | \($0)" }
      if let help = failure.help { lines.append("  help: \(help)") }
      if let excerpt = failure.excerpt { lines += excerpt.split(separator: "\n", omittingEmptySubsequences: false).map { "  > \($0)" } }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n") + "\n"
  }
}
