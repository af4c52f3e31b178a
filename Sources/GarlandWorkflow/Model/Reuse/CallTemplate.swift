/// `call:`: another document that is run as one step.
public struct CallTemplate: Sendable {
  /// The document.
  public let workflow: Workflow
  /// Its path as written.
  public let path: Located<String>
  /// `with:`: what its inputs are given, by their index in ``Workflow/inputs``.
  public let inputs: [(input: Int, value: ValueTemplate)]
  /// For each of its ``Workflow/foreignSteps`` the ordinal by which the calling document knows the same step: it runs once, before the call.
  public let sharedSteps: [Int]

  init(workflow: Workflow, path: Located<String>, inputs: [(input: Int, value: ValueTemplate)], sharedSteps: [Int]) {
    self.workflow = workflow
    self.path = path
    self.inputs = inputs
    self.sharedSteps = sharedSteps
  }
}
