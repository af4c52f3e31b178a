public import GarlandDiagnostics
public import GarlandWorkflow

/// Makes plans of documents.
///
/// ```swift
/// let planner = Planner(workingDirectory: "/work", files: files)
/// let result = planner.plan(workflows)
/// ```
public struct Planner: Sendable {
  let workingDirectory: String
  let files: (any WorkflowFiles)?

  /// - Parameters:
  ///   - workingDirectory: the absolute path of the folder that downloads are relative to.
  ///   - files: resolves symbolic links, so that a download and its use are the same file whatever way leads to it; without it paths are compared as text.
  public init(workingDirectory: String, files: (any WorkflowFiles)? = nil) {
    self.workingDirectory = workingDirectory
    self.files = files
  }

  /// What planning gave.
  public struct Result: Sendable {
    /// The plan; nil if there is a cycle.
    public let plan: Plan?
    /// The cycles. For what else is wrong or doubtful see ``Plan/check(limit:)``.
    public let diagnostics: DiagnosticList
  }

  /// Plans all steps of some documents. A document that is given twice counts once.
  public func plan(_ workflows: [Workflow]) -> Result {
    var seen: Set<String> = []
    var documents: [Workflow] = []
    for workflow in workflows where seen.insert(Planner.identity(of: workflow)).inserted { documents.append(workflow) }
    let named = documents.count
    documents = documents.withUsed
    var firstNumbers = [0]
    firstNumbers.reserveCapacity(documents.count + 1)
    var count = 0
    for document in documents {
      count += document.steps.count
      firstNumbers.append(count)
    }
    let links = FileLinkFinder(workingDirectory: workingDirectory, files: files)
      .links(in: documents, firstNumbers: firstNumbers)
    let result = PlanBuilder(origin: PlanOrigin(workflows: documents, firstNumbers: firstNumbers, links: links)).build(nil)
    guard documents.count > named, let complete = result.plan else { return result }
    // Of a document that is only used those steps run that are needed.
    let plan = complete.selecting(complete.steps.indices.filter { complete.steps[$0].workflowIndex < named })
    return Result(plan: plan, diagnostics: result.diagnostics)
  }

  private static func identity(of workflow: Workflow) -> String {
    let name = workflow.file.name
    return "\(workflow.directory)/\(name.split(separator: "/", omittingEmptySubsequences: false).last ?? "")"
  }
}
