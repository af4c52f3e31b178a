/// An entry of `use:`: another document, whose steps and auth this one may name.
public struct UsedDocument: Sendable {
  /// The name it has here: the `shop` of `${shop.login.token}`.
  public let name: Located<String>
  /// The document. One that several use is the same object.
  public let workflow: Workflow

  init(name: Located<String>, workflow: Workflow) {
    self.name = name
    self.workflow = workflow
  }
}

/// A step of another document that this one names. In expressions it has an ordinal like the document's own steps, behind theirs.
public struct ForeignStep: Sendable {
  /// An index of ``Workflow/uses``.
  public let document: Int
  /// Its ordinal there.
  public let step: Int
  /// The parts of its response that this document uses.
  public let needs: ResponseNeeds
  /// The indexes of its ``Step/extractions`` that this document uses.
  public let extracts: [Int]

  init(document: Int, step: Int, needs: ResponseNeeds, extracts: [Int]) {
    self.document = document
    self.step = step
    self.needs = needs
    self.extracts = extracts
  }
}

extension Workflow {
  /// Returns the step of an ordinal: one of its own, or one of a document that it uses.
  public func step(named ordinal: Int) -> Step {
    guard ordinal >= steps.count else { return steps[ordinal] }
    let foreign = foreignSteps[ordinal - steps.count]
    return uses[foreign.document].workflow.steps[foreign.step]
  }

  /// Returns the name by which expressions of this document know the step of an ordinal: `create`,
  /// or `shop.login` for one of a document that it uses.
  public func name(ofStep ordinal: Int) -> String {
    guard ordinal >= steps.count else { return steps[ordinal].id }
    let foreign = foreignSteps[ordinal - steps.count]
    return "\(uses[foreign.document].name.value).\(uses[foreign.document].workflow.steps[foreign.step].id)"
  }
}

extension Sequence<Workflow> {
  /// These documents and all that they use, directly or not, each once: first these, in order.
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
