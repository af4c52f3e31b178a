package import GarlandDiagnostics

/// The variables, secrets and environment variables of a document that the selected steps use, directly or through variables.
package struct InputUses {
  /// The variables that are used, as indexes of ``Workflow/variables``.
  package private(set) var variables: Set<Int> = []
  /// The first use of each secret that must be set, by its index in ``Workflow/secrets``.
  package private(set) var requiredSecrets: [Int: SourceRange] = [:]
  /// The first use of each environment variable that must be set, by its index in ``Workflow/environmentVariables``.
  package private(set) var requiredEnvironment: [Int: SourceRange] = [:]
  /// The first use of each input that must have a value, by its index in ``Workflow/inputs``.
  package private(set) var requiredInputs: [Int: SourceRange] = [:]
  /// The `auth` entries that are used, as indexes of ``Workflow/authentications``.
  package private(set) var authentications: Set<Int> = []
  /// The secrets that may be used, as indexes of ``Workflow/secrets``.
  package private(set) var secrets: Set<Int> = []
  private let workflow: Workflow
  private var optionalVariables: Set<Int> = []

  package init(of workflow: Workflow) { self.workflow = workflow }

  /// Adds everything that an entry of ``Workflow/authentications`` uses.
  package mutating func add(authentication index: Int) {
    add([InputReference(target: .authentication(index), range: workflow.authentications[index].range, isOptional: false)])
  }

  /// Adds every variable of the document.
  package mutating func addVariables() {
    add(
      workflow.variables.indices.map { InputReference(target: .variable($0), range: workflow.variables[$0].nameRange, isOptional: false) })
  }

  /// Adds the targets of references, and everything that these targets use.
  package mutating func add(_ inputs: [InputReference]) {
    var queue: [(reference: InputReference, isOptional: Bool)] = []
    for reference in inputs { add(reference, reference.isOptional, &queue) }
    while let (reference, isOptional) = queue.popLast() { add(reference, isOptional, &queue) }
  }

  /// Adds the target of a reference.
  ///
  /// - Parameter queue: receives the references that the target contains, such as those of a variable's value.
  private mutating func add(_ reference: InputReference, _ isOptional: Bool, _ queue: inout [(reference: InputReference, isOptional: Bool)])
  {
    switch reference.target {
    case .secret(let index):
      secrets.insert(index)
      if !isOptional { requiredSecrets[index] = earlier(requiredSecrets[index], reference.range) }
    case .environment(let index):
      if !isOptional { requiredEnvironment[index] = earlier(requiredEnvironment[index], reference.range) }
    case .input(let index):
      if !isOptional { requiredInputs[index] = earlier(requiredInputs[index], reference.range) }
    case .authentication(let index):
      guard authentications.insert(index).inserted else { return }
      let definition = workflow.authentications[index]
      // If another document declares the entry, the entry's inputs belong to that document.
      guard definition.origin == nil else { return }
      for inner in definition.inputs { queue.append((inner, inner.isOptional)) }
      // The other entry's token is exchanged, so that entry is needed, too.
      for other in [definition.oauth2?.subject, definition.oauth2?.actor].compactMap({ $0 }) {
        queue.append((InputReference(target: .authentication(other), range: definition.range, isOptional: false), false))
      }
    case .variable(let index):
      // A variable is searched at most twice: once for required uses and once for optional uses. In `${vars.x ?? 1}`, the values that `x`
      // needs are optional.
      let isNew = isOptional ? optionalVariables.insert(index).inserted && !variables.contains(index) : variables.insert(index).inserted
      guard isNew else { return }
      for inner in workflow.variables[index].inputs { queue.append((inner, isOptional || inner.isOptional)) }
    }
  }

  /// The inputs that `auth` entries of other documents use, each in its own document. The indexes are those of the entries in
  /// ``Workflow/authentications`` of this document.
  package var foreign: [(index: Int, workflow: Workflow, uses: InputUses)] {
    authentications.sorted().compactMap { index in
      guard let origin = workflow.authentications[index].origin else { return nil }
      var uses = InputUses(of: origin.workflow)
      uses.add(authentication: origin.index)
      uses.close()
      return (index, origin.workflow, uses)
    }
  }

  /// Adds the variables that are used only with `??` to ``variables``. The caller must add everything else first.
  package mutating func close() { variables.formUnion(optionalVariables) }

  private func earlier(_ known: SourceRange?, _ new: SourceRange) -> SourceRange {
    guard let known else { return new }
    return known.file === new.file && known.offsets.lowerBound > new.offsets.lowerBound ? new : known
  }
}
