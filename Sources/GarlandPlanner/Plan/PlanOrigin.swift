import GarlandWorkflow

/// The data that a complete plan and all selections from it share: the documents and what links
/// them.
final class PlanOrigin: Sendable {
  let workflows: [Workflow]
  /// The number of each document's first step, and, at the end, how many steps there are.
  let firstNumbers: [Int]
  let links: [FileLink]
  /// The numbers of the steps of other documents that each document names.
  private let foreignNumbers: [[Int]]
  /// The plans of documents that steps call.
  let called: [ObjectIdentifier: Plan]
  /// The parts of responses that steps of other documents read, by number.
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

  /// The number of the step that a document knows by an ordinal, its own or that of another document; nil if that is not part of the plan's documents.
  func number(of ordinal: Int, in workflow: Int) -> Int? {
    let own = workflows[workflow].steps.count
    guard ordinal >= own else { return firstNumbers[workflow] + ordinal }
    let number = foreignNumbers[workflow][ordinal - own]
    return number < 0 ? nil : number
  }

  var stepCount: Int { firstNumbers.last ?? 0 }

  /// The step of a number, and the index of its document.
  func step(_ number: Int) -> (step: Step, workflow: Int)? {
    guard let workflow = workflows.indices.last(where: { firstNumbers[$0] <= number && !workflows[$0].steps.isEmpty }) else { return nil }
    let ordinal = number - firstNumbers[workflow]
    return workflows[workflow].steps.indices.contains(ordinal) ? (workflows[workflow].steps[ordinal], workflow) : nil
  }
}
