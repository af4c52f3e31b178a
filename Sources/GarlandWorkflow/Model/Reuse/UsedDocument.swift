/// An entry of `use:`: another document, with steps and `auth` entries that this document can use.
public struct UsedDocument: Sendable {
  /// The name that this document gives to the used document, such as `shop` in `${shop.login.token}`.
  public let name: Located<String>
  /// The used document. If several documents use it, they share this object.
  public let workflow: Workflow

  init(name: Located<String>, workflow: Workflow) {
    self.name = name
    self.workflow = workflow
  }
}

/// A step of another document to which this document refers. This document gives the step an ordinal (an index that identifies it) that is
/// higher than the ordinals of its own steps.
public struct ForeignStep: Sendable {
  /// The index in ``Workflow/uses`` of the document that contains the step.
  public let document: Int
  /// The ordinal (index) of the step in the document that contains it.
  public let step: Int
  /// The parts of the step's response that are used by the document which refers to the step.
  public let needs: ResponseNeeds
  /// The extracts that the referring document uses, as indexes of the step's ``Step/extractions``.
  public let extracts: [Int]

  init(document: Int, step: Int, needs: ResponseNeeds, extracts: [Int]) {
    self.document = document
    self.step = step
    self.needs = needs
    self.extracts = extracts
  }
}

extension Workflow {
  /// Returns a step by its ordinal, the index by which this document refers to the step. The step is in this document, or in a document
  /// that this document uses.
  public func step(named ordinal: Int) -> Step {
    guard ordinal >= steps.count else { return steps[ordinal] }
    let foreign = foreignSteps[ordinal - steps.count]
    return uses[foreign.document].workflow.steps[foreign.step]
  }

  /// Returns the name of a step in expressions of this document, such as `create`, or `shop.login` for a step of a document that this
  /// document uses.
  public func name(ofStep ordinal: Int) -> String {
    guard ordinal >= steps.count else { return steps[ordinal].id }
    let foreign = foreignSteps[ordinal - steps.count]
    return "\(uses[foreign.document].name.value).\(uses[foreign.document].workflow.steps[foreign.step].id)"
  }
}

extension Sequence<Workflow> {
  /// The documents in this list, followed by all documents that they use directly or indirectly. Each document occurs once.
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
