import GarlandDiagnostics
import GarlandWorkflow

/// The data that a complete plan shares with all smaller plans that are selected from it: the documents and the links between the
/// documents.
final class PlanOrigin: Sendable {
  let workflows: [Workflow]
  /// For each document, the index of its first step among the steps of all documents. The last element is the total number of steps.
  let firstNumbers: [Int]
  let links: [FileLink]
  /// For each document, the numbers (``PlannedStep/number``) of the steps in other documents to which the document refers. The number -1
  /// represents a step that is not part of the plan.
  private let foreignNumbers: [[Int]]
  /// The plans of the documents that steps call. The key of each plan is the identity of its document.
  let called: [ObjectIdentifier: Plan]
  /// The parts of a step's response that steps of other documents use. The key is the number of the step that receives the response.
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

  /// Converts the ordinal that a document uses for a step to an index over the steps of all documents of the plan. Returns nil if the
  /// step's document does not belong to the plan.
  ///
  /// - Parameters:
  ///   - ordinal: the index of the step in ``Workflow/steps``; for a step of another document, its index in ``Workflow/foreignSteps`` plus
  ///     the number of the document's own steps.
  ///   - workflow: the index of the document in `workflows`.
  func number(of ordinal: Int, in workflow: Int) -> Int? {
    let own = workflows[workflow].steps.count
    guard ordinal >= own else { return firstNumbers[workflow] + ordinal }
    let number = foreignNumbers[workflow][ordinal - own]
    return number < 0 ? nil : number
  }

  var stepCount: Int { firstNumbers.last ?? 0 }

  /// Returns the step with the given index among the steps of all documents, and the index of the step's document.
  func step(_ number: Int) -> (step: Step, workflow: Int)? {
    guard let workflow = workflows.indices.last(where: { firstNumbers[$0] <= number && !workflows[$0].steps.isEmpty }) else { return nil }
    let ordinal = number - firstNumbers[workflow]
    return workflows[workflow].steps.indices.contains(ordinal) ? (workflows[workflow].steps[ordinal], workflow) : nil
  }
}

/// A file that one step downloads and another step uses: the other step sends the file, loops over its rows, or compares its response with
/// the file.
struct FileLink: Sendable {
  /// The ``PlannedStep/number`` of the step that downloads the file.
  let producer: Int
  /// The ``PlannedStep/number`` of the step that uses the downloaded file.
  let consumer: Int
  /// The path of the file, as written in the step that uses the file.
  let path: String
  /// The source range of the path in the step that uses the file.
  let use: SourceRange
}
