/// `call:`: another document that is run as one step.
public struct CallTemplate: Sendable {
  /// The document.
  public let workflow: Workflow
  /// Its path as written.
  public let path: Located<String>
  /// `with:`: what its inputs are given, by their index in ``Workflow/inputs``.
  public let inputs: [(input: Int, value: ValueTemplate)]
  /// The ordinals, in the calling document, of the steps in ``Workflow/foreignSteps``: such a step
  /// runs once, before the call.
  public let sharedSteps: [Int]

  init(workflow: Workflow, path: Located<String>, inputs: [(input: Int, value: ValueTemplate)], sharedSteps: [Int]) {
    self.workflow = workflow
    self.path = path
    self.inputs = inputs
    self.sharedSteps = sharedSteps
  }
}
