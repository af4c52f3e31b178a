/// The evaluation context for constant expressions. It provides no values of a run, such as variables or responses.
struct ConstantContext: EvaluationContext {
  private struct NoRegistry: SecretRegistry {
    func register(secret text: String) {}
  }

  private struct NoFiles: WorkflowFiles {
    func kind(of path: String) -> WorkflowFileKind { .missing }
    func resolve(_ path: String) -> String? { nil }
    func read(_ path: String, limit: Int) throws(WorkflowFileError) -> [UInt8] { throw WorkflowFileError("no such file") }
  }

  var currentResponse: (any ResponseData)? { nil }
  var item: Value? { nil }
  var index: Int? { nil }
  var services: EvaluationServices {
    EvaluationServices(
      runID: "", secrets: NoRegistry(), now: { 0 }, random: { 0 }, files: FileAccess(NoFiles(), roots: []), directory: "/")
  }

  func variable(_ index: Int) throws(EvaluationError) -> Value { .plain(.null) }
  func secret(_ index: Int) -> String? { nil }
  func environmentVariable(_ index: Int) -> String? { nil }
  func extracted(_ index: Int, of step: Int) -> Value? { nil }
  func response(of step: Int) -> (any ResponseData)? { nil }
  func absence(of step: Int) -> String? { nil }
}
