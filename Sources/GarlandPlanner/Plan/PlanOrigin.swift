import GarlandWorkflow

/// The data that a complete plan and all selections from it share: the documents and the links between the documents.
final class PlanOrigin: Sendable {
  let workflows: [Workflow]
  /// The number of each document's first step, followed by the number of all steps.
  let firstNumbers: [Int]
  let links: [FileLink]
  /// The numbers of the steps of other documents to which each document refers.
  private let foreignNumbers: [[Int]]
  /// The plans of the documents that steps call.
  let called: [ObjectIdentifier: Plan]
  /// The parts of responses that steps of other documents read, by the number of the step that has the response.
  let neededByOtherDocuments: [Int: ResponseNeeds]

  init(workflows: [Workflow], firstNumbers: [Int], links: [FileLink], called: [ObjectIdentifier: Plan] = [:]) {
    self.called = called
    self.workflows = workflows
    self.firstNumbers = firstNumbers
    self.links = links
    let positions = Dictionary(
      workflows.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
    var needed: [Int: ResponseNeeds] = [:]
    foreignNumbers = workflows.map { workflow in
      workflow.foreignSteps.map { foreign in
        guard let position = positions[ObjectIdentifier(workflow.uses[foreign.document].workflow)] else { return -1 }
        let number = firstNumbers[position] + foreign.step
        needed[number, default: []].formUnion(foreign.needs)
        return number
      }
    }
    neededByOtherDocuments = needed
  }

  /// Returns the number of the step to which a document refers by an ordinal, or nil if the step is not part of the plan's documents.
  ///
  /// The step belongs to the document itself or to another document.
  func number(of ordinal: Int, in workflow: Int) -> Int? {
    let own = workflows[workflow].steps.count
    guard ordinal >= own else { return firstNumbers[workflow] + ordinal }
    let number = foreignNumbers[workflow][ordinal - own]
    return number < 0 ? nil : number
  }

  var stepCount: Int { firstNumbers.last ?? 0 }

  /// Returns the step with a number, and the index of the step's document.
  func step(_ number: Int) -> (step: Step, workflow: Int)? {
    guard let workflow = workflows.indices.last(where: { firstNumbers[$0] <= number && !workflows[$0].steps.isEmpty }) else { return nil }
    let ordinal = number - firstNumbers[workflow]
    return workflows[workflow].steps.indices.contains(ordinal) ? (workflows[workflow].steps[ordinal], workflow) : nil
  }
}
