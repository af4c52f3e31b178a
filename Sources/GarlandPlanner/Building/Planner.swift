public import GarlandDiagnostics
public import GarlandWorkflow

/// Creates plans for documents.
///
/// ```swift
/// let planner = Planner(workingDirectory: "/work", files: files)
/// let result = planner.plan(workflows)
/// ```
public struct Planner: Sendable {
  let workingDirectory: String
  let files: (any WorkflowFiles)?

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - workingDirectory: the absolute path of the folder that downloads are relative to.
  ///   - files: resolves symbolic links, so that a download and its use are recognised as the same file even if their paths differ. If nil,
  ///     paths are compared as text.
  public init(workingDirectory: String, files: (any WorkflowFiles)? = nil) {
    self.workingDirectory = workingDirectory
    self.files = files
  }

  /// The result of planning: the plan and the diagnostics.
  public struct Result: Sendable {
    /// The plan; nil if there is a cycle.
    public let plan: Plan?
    /// The errors for steps that wait for each other in a cycle. ``Plan/check(limit:)`` reports all other errors and warnings.
    public let diagnostics: DiagnosticList
  }

  /// Plans all steps of the given documents. A document that is given twice is planned once.
  public func plan(_ workflows: [Workflow]) -> Result {
    var seen: Set<String> = []
    var documents: [Workflow] = []
    for workflow in workflows where seen.insert(Planner.identity(of: workflow)).inserted { documents.append(workflow) }
    var called: [ObjectIdentifier: Plan] = [:]
    let named = documents.count
    documents = documents.withUsed
    var problems = DiagnosticList()
    addCalled(by: documents, to: &called, &problems)
    guard !problems.hasErrors else { return Result(plan: nil, diagnostics: problems) }
    return plan(documents, named: named, called: called)
  }

  /// Plans all documents that the given documents call, directly or indirectly, and adds the plans to `called`. The key of each plan is the
  /// identity of its document.
  private func addCalled(by documents: [Workflow], to called: inout [ObjectIdentifier: Plan], _ problems: inout DiagnosticList) {
    for document in documents {
      for step in document.steps {
        guard let workflow = step.call?.workflow, called[ObjectIdentifier(workflow)] == nil else { continue }
        addCalled(by: [workflow], to: &called, &problems)
        let result = plan([workflow], named: 1, called: called)
        problems.append(result.diagnostics)
        called[ObjectIdentifier(workflow)] = result.plan
        guard !problems.hasErrors else { return }
      }
    }
  }

  private func plan(_ documents: [Workflow], named: Int, called: [ObjectIdentifier: Plan]) -> Result {
    var firstNumbers = [0]
    firstNumbers.reserveCapacity(documents.count + 1)
    var count = 0
    for document in documents {
      count += document.steps.count
      firstNumbers.append(count)
    }
    let links = FileLinkFinder(workingDirectory: workingDirectory, files: files)
      .links(in: documents, firstNumbers: firstNumbers)
    let result = PlanBuilder(origin: PlanOrigin(workflows: documents, firstNumbers: firstNumbers, links: links, called: called)).build(nil)
    guard documents.count > named, let complete = result.plan else { return result }
    // If the caller did not pass a document, but another document uses it, only the needed steps of that document run.
    let plan = complete.selecting(complete.steps.indices.filter { complete.steps[$0].workflowIndex < named })
    return Result(plan: plan, diagnostics: result.diagnostics)
  }

  private static func identity(of workflow: Workflow) -> String {
    let name = workflow.file.name
    return "\(workflow.directory)/\(name.split(separator: "/", omittingEmptySubsequences: false).last ?? "")"
  }
}
