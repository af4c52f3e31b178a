import GarlandWorkflow

/// What a complete plan and all selections from it share: the documents and what links them.
final class PlanOrigin: Sendable {
  let workflows: [Workflow]
  /// The number of each document's first step, and, at the end, how many steps there are.
  let firstNumbers: [Int]
  let links: [FileLink]

  init(workflows: [Workflow], firstNumbers: [Int], links: [FileLink]) {
    self.workflows = workflows
    self.firstNumbers = firstNumbers
    self.links = links
  }

  var stepCount: Int { firstNumbers.last ?? 0 }
}
