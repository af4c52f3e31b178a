/// `call:`: another document that runs as a single step.
public struct CallTemplate: Sendable {
  /// The called document.
  public let workflow: Workflow
  /// The document's path as written.
  public let path: Located<String>
  /// `with:`: the values of the document's inputs, by their index in ``Workflow/inputs``.
  public let inputs: [(input: Int, value: ValueTemplate)]
  /// The ordinals, in the calling document, of the steps in ``Workflow/foreignSteps``. Each of these steps runs once, before the call.
  public let sharedSteps: [Int]

  init(workflow: Workflow, path: Located<String>, inputs: [(input: Int, value: ValueTemplate)], sharedSteps: [Int]) {
    self.workflow = workflow
    self.path = path
    self.inputs = inputs
    self.sharedSteps = sharedSteps
  }
}
