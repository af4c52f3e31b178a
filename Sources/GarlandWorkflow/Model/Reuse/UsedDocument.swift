/// An entry of `use:`: another document, whose steps and `auth` entries this document can use.
public struct UsedDocument: Sendable {
  /// The document's name in this document: `shop` in `${shop.login.token}`.
  public let name: Located<String>
  /// The used document. If several documents use it, they share the same object.
  public let workflow: Workflow

  init(name: Located<String>, workflow: Workflow) {
    self.name = name
    self.workflow = workflow
  }
}

/// A step of another document that this document refers to. In expressions of this document, the step has an ordinal after the
/// ordinals of the document's own steps.
public struct ForeignStep: Sendable {
  /// The index of the step's document in ``Workflow/uses``.
  public let document: Int
  /// The ordinal of the step in its own document.
  public let step: Int
  /// The parts of the step's response that this document uses.
  public let needs: ResponseNeeds
  /// The extracts of the step that this document uses, as indexes of its ``Step/extractions``.
  public let extracts: [Int]

  init(document: Int, step: Int, needs: ResponseNeeds, extracts: [Int]) {
    self.document = document
    self.step = step
    self.needs = needs
    self.extracts = extracts
  }
}

extension Workflow {
  /// Returns the step with an ordinal: a step of this document, or of a document that it uses.
  public func step(named ordinal: Int) -> Step {
    guard ordinal >= steps.count else { return steps[ordinal] }
    let foreign = foreignSteps[ordinal - steps.count]
    return uses[foreign.document].workflow.steps[foreign.step]
  }

  /// Returns the name of a step in expressions of this document: `create`, or `shop.login` for a step of a document that it uses.
  public func name(ofStep ordinal: Int) -> String {
    guard ordinal >= steps.count else { return steps[ordinal].id }
    let foreign = foreignSteps[ordinal - steps.count]
    return "\(uses[foreign.document].name.value).\(uses[foreign.document].workflow.steps[foreign.step].id)"
  }
}

extension Sequence<Workflow> {
  /// These documents, in order, followed by all documents that they use directly or indirectly. Each document occurs once.
  public var withUsed: [Workflow] {
    var found: [Workflow] = []
    var seen: Set<ObjectIdentifier> = []
    for workflow in self where seen.insert(ObjectIdentifier(workflow)).inserted { found.append(workflow) }
    var next = 0
    while next < found.count {
      for used in found[next].uses where seen.insert(ObjectIdentifier(used.workflow)).inserted { found.append(used.workflow) }
      next += 1
    }
    return found
  }
}
