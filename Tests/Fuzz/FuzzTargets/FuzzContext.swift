import GarlandJSON
import GarlandText
import GarlandWorkflow

/// Values for everything that an expression can name; which, a seed says.
struct FuzzContext: EvaluationContext {
  let workflow: Workflow
  let seed: UInt64
  let services: EvaluationServices

  init(_ workflow: Workflow, seed: UInt64) {
    self.workflow = workflow
    self.seed = seed
    services = EvaluationServices(
      runID: "run-1", secrets: Registry(), now: { 1_700_000_000.125 }, random: { seed }, files: FuzzFiles.access, directory: "/project")
  }

  private struct Registry: SecretRegistry {
    func register(secret text: String) {}
  }

  private func value(_ salt: UInt64) -> JSONValue? {
    var random = SeededGenerator(seed: seed &+ salt)
    return Int.random(in: 0..<8, using: &random) == 0 ? nil : FuzzValues.value(depth: 3, &random)
  }

  func variable(_ index: Int) throws(EvaluationError) -> Value { try workflow.variables[index].value.evaluate(in: self) }
  func secret(_ index: Int) -> String? { index == 0 ? "s3cret-\(seed)" : nil }
  func environmentVariable(_ index: Int) -> String? { index == 0 ? "alice" : nil }
  func input(_ index: Int) throws(EvaluationError) -> Value? { index == 0 ? .plain(1) : .plain("x") }
  func authentication(_ index: Int, _ member: AuthMember) -> Value? { nil }
  func extracted(_ index: Int, of step: Int) -> Value? {
    guard step == 0 else { return .loop(of: (0..<3).map { value(UInt64(100 + $0)).map { Value($0, isSecret: false) } }) }
    return value(UInt64(index)).map { Value($0, isSecret: seed % 5 == 0) }
  }
  func response(of step: Int) -> (any ResponseData)? { seed % 7 == 0 ? nil : FuzzResponse(value(10) ?? .null) }
  func absence(of step: Int) -> String? { seed % 7 == 0 ? "it was skipped" : nil }
  func iterationCount(of step: Int) -> Int? { step == 1 ? 3 : nil }
  func iteration(_ index: Int, of step: Int) -> any EvaluationContext { FuzzContext(workflow, seed: seed &+ UInt64(index)) }
  var currentResponse: (any ResponseData)? { FuzzResponse(value(11) ?? .null) }
  var item: Value? { value(12).map { Value($0, isSecret: false) } }
  var index: Int? { 0 }
}

/// A response with a given body.
final class FuzzResponse: ResponseData {
  let body: JSONValue
  init(_ body: JSONValue) { self.body = body }

  var status: Int { 201 }
  var allHeaders: [(name: String, value: String)] { [(name: "Content-Type", value: "application/json"), (name: "X-N", value: "1")] }
  var allCookies: [(name: String, value: String)] { [(name: "a", value: "1")] }
  var url: String { "http://h/x" }
  var time: Double { 0.25 }
  var size: Int { 99 }
  var version: String { "1.1" }
  func headers(named name: String) -> [String] { allHeaders.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
  func cookie(named name: String) -> String? { name == "a" ? "1" : nil }
  func json() throws(ResponseDataError) -> JSONValue {
    guard !body.isNull else { throw ResponseDataError("the body is not JSON") }
    return body
  }
  func text() throws(ResponseDataError) -> String { body.jsonText() }
}
