import GarlandDiagnostics
import GarlandJSON
import Synchronization
import Testing

@testable import GarlandWorkflow

/// Records the secrets that are registered.
final class RecordingRegistry: SecretRegistry {
  private let storage = Mutex<[String]>([])
  var secrets: [String] { storage.withLock { $0 } }
  func register(secret text: String) { storage.withLock { $0.append(text) } }
}

/// A response that a test creates.
final class TestResponse: ResponseData {
  let status = 201
  let allHeaders: [(name: String, value: String)] = [
    (name: "Content-Type", value: "application/json"), (name: "Set-Cookie", value: "a=1"), (name: "set-cookie", value: "b=2"),
  ]
  let allCookies: [(name: String, value: String)] = [(name: "a", value: "1"), (name: "b", value: "2")]
  let url = "http://h/books/7"
  let time = 0.25
  let size = 99
  let version = "1.1"
  let body: String
  /// Whether this machine is the cause if the body can't be read.
  let isLocal: Bool

  init(_ body: String, isLocal: Bool = false) {
    self.body = body
    self.isLocal = isLocal
  }

  func headers(named name: String) -> [String] { allHeaders.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
  func cookie(named name: String) -> String? { allCookies.first { $0.name == name }?.value }
  func json() throws(ResponseDataError) -> JSONValue {
    do { return try JSONValue(parsing: body) } catch { throw ResponseDataError("the body is not JSON: \(error)", isLocal: isLocal) }
  }
  func text() throws(ResponseDataError) -> String { body }
}

/// A context with a document's variables, two steps and fixed services.
struct TestContext: EvaluationContext {
  let workflow: Workflow
  var secrets: [String: String] = ["KEY": "k3y-s3cret", "UNSET_NOT": "x"]
  var environment: [String: String] = ["USER": "alice", "LIMIT": "25"]
  var extracts: [Int: [Value?]] = [:]
  var responses: [Int: TestResponse] = [:]
  var currentResponse: (any ResponseData)?
  var item: Value?
  var index: Int?
  var services: EvaluationServices
  let registry: RecordingRegistry

  init(_ workflow: Workflow) {
    self.workflow = workflow
    let registry = RecordingRegistry()
    self.registry = registry
    services = EvaluationServices(
      runID: "run-1", secrets: registry, now: { 1_700_000_000.125 }, random: { 0x0123_4567_89AB_CDEF },
      files: FileAccess(Decode.files, roots: ["/project"]), directory: "/project")
  }

  /// Returns the value of an expression in the document of `ExpressionTests`.
  ///
  /// - Parameters:
  ///   - response: the body of the response to the first step.
  ///   - isLocal: whether this machine is the cause if the body can't be read.
  static func evaluate(_ expression: String, response: String, isLocal: Bool = false) throws -> Value {
    let workflow = try #require(Decode.document(ExpressionTests.document).workflow)
    var diagnostics = DiagnosticList()
    let template = try #require(
      workflow.template("${\(expression)}", name: "test", into: &diagnostics), "\(diagnostics.all.map(\.message))")
    var context = TestContext(workflow)
    context.responses = [0: TestResponse(response, isLocal: isLocal)]
    return try template.evaluate(in: context)
  }

  func variable(_ index: Int) throws(EvaluationError) -> Value { try workflow.variables[index].value.evaluate(in: self) }
  func secret(_ index: Int) -> String? { secrets[workflow.secrets[index].name] }
  func environmentVariable(_ index: Int) -> String? { environment[workflow.environmentVariables[index]] }
  func extracted(_ index: Int, of step: Int) -> Value? { extracts[step].flatMap { $0.indices.contains(index) ? $0[index] : nil } }
  func response(of step: Int) -> (any ResponseData)? { responses[step] }
  func absence(of step: Int) -> String? { responses[step] == nil ? "it was skipped" : nil }
}
