import GarlandDiagnostics
import GarlandJSON
import GarlandWorkflow

/// The values that all steps of a document share: its variables, its secrets and its environment variables. Each variable is evaluated
/// once.
final class DocumentValues: Sendable {
  let workflow: Workflow
  let services: EvaluationServices
  private let inputs: [Result<Value, EvaluationError>?]
  /// The tokens that the document's `auth` entries have obtained.
  let tokens = DocumentTokens()
  /// For each `auth` entry that this document uses from another document, the values of the other document. The key is the index of the
  /// entry in this document.
  let foreign: [Int: DocumentValues]
  private let variables: [Result<Value, EvaluationError>?]
  private let secrets: [String?]
  private let environment: [String?]
  /// Whether the document has a secret that is too short to be masked everywhere. The letters of such a secret can occur in other text by
  /// chance.
  let hasShortSecrets: Bool

  /// Creates the values of a document. Only variables that steps use are evaluated, since the other variables may depend on values that are
  /// not set.
  ///
  /// - Parameter given: the inputs that the calling step provides, by the index of the input.
  init(_ workflow: Workflow, uses: InputUses, inputs: RunInputs, services: EvaluationServices, given: [Int: Value] = [:]) {
    self.workflow = workflow
    self.services = services
    foreign = uses.foreign.reduce(into: [:]) { found, other in
      var services = services
      services.directory = other.workflow.directory
      found[other.index] = DocumentValues(other.workflow, uses: other.uses, inputs: inputs, services: services)
    }
    secrets = workflow.secrets.map { inputs.secret($0.name) }
    environment = workflow.environmentVariables.map { inputs.environment[$0] }
    hasShortSecrets = secrets.contains { ($0?.count ?? .max) < Redactor.minimumLength }
    var scope = VariableScope(
      variables: Array(repeating: nil, count: workflow.variables.count), secrets: secrets, environment: environment, services: services)
    for (index, input) in workflow.inputs.enumerated() {
      if let value = given[index] ?? input.given.map({ .plain($0) }) {
        scope.inputs.append(.success(value))
      } else if let template = input.defaultValue {
        do throws(EvaluationError) {
          let value = try template.evaluate(in: scope)
          try Self.checkTime(at: template.range)
          guard let taken = input.taken(value) else { throw EvaluationError(input.mismatch(value, at: template.range)) }
          scope.inputs.append(.success(taken))
        } catch {
          scope.inputs.append(.failure(error))
        }
      } else {
        scope.inputs.append(nil)
      }
    }
    self.inputs = scope.inputs
    for index in workflow.variableOrder where uses.variables.contains(index) {
      scope.callPlace = UInt64(index + 1) << 32
      do throws(EvaluationError) {
        let value = try workflow.variables[index].value.evaluate(in: scope)
        try Self.checkTime(at: workflow.variables[index].nameRange)
        try SizeLimit.check(value, at: workflow.variables[index].nameRange)
        scope.variables[index] = .success(value)
      } catch {
        scope.variables[index] = .failure(Self.located(error, at: workflow.variables[index].nameRange, in: workflow))
      }
    }
    variables = scope.variables
  }

  /// Creates the values for another run of the same document. All values except the clock, the random numbers and the run id
  /// (``EvaluationServices``) are copied from `model`.
  ///
  /// - Parameter model: the values in the first run. ``isFixed`` must be true for these values.
  init(like model: DocumentValues, services: EvaluationServices) {
    workflow = model.workflow
    self.services = services
    inputs = model.inputs
    foreign = [:]
    variables = model.variables
    secrets = model.secrets
    environment = model.environment
    hasShortSecrets = model.hasShortSecrets
  }

  /// Whether all values stay the same in another run. True if the document has no evaluated variables, no inputs and no values of other
  /// documents.
  var isFixed: Bool { foreign.isEmpty && variables.allSatisfy { $0 == nil } && inputs.allSatisfy { $0 == nil } }

  /// Throws an error if the evaluation was interrupted, since its result is incomplete.
  private static func checkTime(at place: SourceRange) throws(EvaluationError) {
    guard let computation = Computation.current, computation.hasEnded else { return }
    throw EvaluationError(endOf: computation, limit: { computation.limitInWords ?? "the time limit" }, at: place)
  }

  /// Returns the error of a variable's evaluation. If the value exceeds a limit of size or time, the returned error points to the
  /// variable's name; any other error is returned unchanged.
  private static func located(_ error: EvaluationError, at name: SourceRange, in workflow: Workflow) -> EvaluationError {
    if workflow.variables.contains(where: { $0.nameRange == error.diagnostic.range }) { return error }
    switch error.diagnostic.code {
    case .tooLarge: return EvaluationError(Diagnostic(.tooLarge, error.diagnostic.message, at: name))
    case .outOfTime:
      guard let computation = Computation.current, let limit = computation.limitInWords else { return error }
      return EvaluationError(endOf: computation, limit: { limit }, at: name)
    default: return error
    }
  }

  func variable(_ index: Int) throws(EvaluationError) -> Value {
    try VariableScope.value(of: variables[index], workflow.variables[index])
  }

  func input(_ index: Int) throws(EvaluationError) -> Value? { try inputs[index]?.get() }

  /// The values of the inputs, by the index of the input. Inputs without a value are omitted.
  var givenInputs: [Int: Value] {
    inputs.enumerated().reduce(into: [:]) { found, input in
      if case .success(let value)? = input.element { found[input.offset] = value }
    }
  }

  func secret(_ index: Int) -> String? { secrets[index] }

  func environmentVariable(_ index: Int) -> String? { environment[index] }

  /// All secrets that have a value, with their names. Includes the secrets of other documents whose `auth` entries this document uses.
  var namedSecrets: [(name: String, value: String)] {
    zip(workflow.secrets, secrets).compactMap { declaration, value in value.map { (declaration.name, $0) } }
      + foreign.sorted { $0.key < $1.key }.flatMap(\.value.namedSecrets)
  }
}

/// The values that the expression of a variable can use: inputs, earlier variables, secrets and the environment.
private struct VariableScope: EvaluationContext {
  /// A number that is different for each variable. The number is a part of the seed of generated test data, so that each variable gets
  /// different data; see ``EvaluationContext/callPlace``.
  var callPlace: UInt64 = 0
  var inputs: [Result<Value, EvaluationError>?] = []
  var variables: [Result<Value, EvaluationError>?]
  let secrets: [String?]
  let environment: [String?]
  let services: EvaluationServices

  func variable(_ index: Int) throws(EvaluationError) -> Value {
    guard let variable = variables[index] else { return .plain(.null) }
    return try variable.get()
  }
  func input(_ index: Int) throws(EvaluationError) -> Value? { inputs.indices.contains(index) ? try inputs[index]?.get() : nil }
  func secret(_ index: Int) -> String? { secrets[index] }
  func environmentVariable(_ index: Int) -> String? { environment[index] }
  func extracted(_ index: Int, of step: Int) -> Value? { nil }
  func response(of step: Int) -> (any ResponseData)? { nil }
  func absence(of step: Int) -> String? { nil }
  var currentResponse: (any ResponseData)? { nil }
  var item: Value? { nil }
  var index: Int? { nil }

  static func value(of result: Result<Value, EvaluationError>?, _ variable: Variable) throws(EvaluationError) -> Value {
    guard let result else {
      throw EvaluationError(
        .init("internal", "`vars.\(variable.name)` was considered unused and not evaluated", at: variable.nameRange))
    }
    return try result.get()
  }
}
