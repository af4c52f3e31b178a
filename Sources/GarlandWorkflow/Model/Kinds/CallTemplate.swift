/// A document that runs as one step of another document, from the key `call:`.
public struct CallTemplate: Sendable {
  /// The called document.
  public let workflow: Workflow
  /// The path of the called document, as written in the calling document.
  public let path: Located<String>
  /// The values of the called document's inputs, from the key `with:`. `input` is an index of ``Workflow/inputs``.
  public let inputs: [(input: Int, value: ValueTemplate)]
  /// The steps of other documents (``Workflow/foreignSteps``) on which the called document depends, as ordinals (indexes) in the calling
  /// document. Each of these steps runs once, before the call.
  public let sharedSteps: [Int]

  init(workflow: Workflow, path: Located<String>, inputs: [(input: Int, value: ValueTemplate)], sharedSteps: [Int]) {
    self.workflow = workflow
    self.path = path
    self.inputs = inputs
    self.sharedSteps = sharedSteps
  }
}

extension CallTemplate: StepKind {
  static var key: String? { "call" }
  static var verb: String? { key }
  static var isRequest: Bool { false }
  static var hasResponse: Bool { false }
}
