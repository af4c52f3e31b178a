/// A document that runs as one step of another document, from the key `call:`.
public struct CallTemplate: Sendable {
  /// The called document.
  public let workflow: Workflow
  /// The path of the called document, as written in the calling document.
  public let path: Located<String>
  /// The values of the called document's inputs, from the key `with:`. `input` is an index of ``Workflow/inputs``.
  public let inputs: [(input: Int, value: ValueTemplate)]
  /// The ordinals that the calling document gives to the steps in ``Workflow/foreignSteps`` of the called document. Each of these steps
  /// runs once, before the call.
  public let sharedSteps: [Int]

  init(workflow: Workflow, path: Located<String>, inputs: [(input: Int, value: ValueTemplate)], sharedSteps: [Int]) {
    self.workflow = workflow
    self.path = path
    self.inputs = inputs
    self.sharedSteps = sharedSteps
  }
}
