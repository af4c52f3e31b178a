package import GarlandDiagnostics

/// The named values that the selected steps use, directly or through variables: variables, secrets, environment variables, `inputs` and
/// entries of `auth`.
package struct InputUses {
  /// The variables that the selected steps use, as indexes of ``Workflow/variables``.
  package private(set) var variables: Set<Int> = []
  /// The secrets that must be set, as indexes of ``Workflow/secrets``, each with the source range of its first use.
  package private(set) var requiredSecrets: [Int: SourceRange] = [:]
  /// The environment variables that must be set, as indexes of ``Workflow/environmentVariables``, each with the source range of its first
  /// use.
  package private(set) var requiredEnvironment: [Int: SourceRange] = [:]
  /// The inputs that must have a value, as indexes of ``Workflow/inputs``, each with the source range of its first use.
  package private(set) var requiredInputs: [Int: SourceRange] = [:]
  /// The `auth` entries that are used, as indexes of ``Workflow/authentications``.
  package private(set) var authentications: Set<Int> = []
  /// All secrets that may be used, directly or through other values, including secrets that need not be set. Each number is an index of
  /// ``Workflow/secrets``.
  package private(set) var secrets: Set<Int> = []
  private let workflow: Workflow
  private var optionalVariables: Set<Int> = []

  package init(of workflow: Workflow) { self.workflow = workflow }

  /// Adds all values that an `auth` entry uses.
  ///
  /// - Parameter index: an index of ``Workflow/authentications``.
  package mutating func add(authentication index: Int) {
    add([InputReference(target: .authentication(index), range: workflow.authentications[index].range, isOptional: false)])
  }

  /// Records that all variables of the document are used. The values that the variables use count as used, too.
  package mutating func addVariables() {
    add(
      workflow.variables.indices.map { InputReference(target: .variable($0), range: workflow.variables[$0].nameRange, isOptional: false) })
  }

  /// Adds the values to which references refer, and all values that these values use, directly or indirectly.
  package mutating func add(_ inputs: [InputReference]) {
    var queue: [(reference: InputReference, isOptional: Bool)] = []
    for reference in inputs { add(reference, reference.isOptional, &queue) }
    while let (reference, isOptional) = queue.popLast() { add(reference, isOptional, &queue) }
  }

  /// Records the use of the value to which a reference refers.
  ///
  /// - Parameters:
  ///   - reference: the reference.
  ///   - isOptional: whether the value may be missing, because `??` follows the reference.
  ///   - queue: on return, also contains the references within the value, such as those in the value of a variable.
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
      // If another document declares the entry, the values that the entry uses belong to that document.
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

  /// The `auth` entries of other documents that this document uses. Each element contains:
  ///
  /// - the index of the entry in ``Workflow/authentications`` of this document,
  /// - the document that declares the entry,
  /// - the values, such as secrets of the declaring document, that the entry uses.
  package var foreign: [(index: Int, workflow: Workflow, uses: InputUses)] {
    authentications.sorted().compactMap { index in
      guard let origin = workflow.authentications[index].origin else { return nil }
      var uses = InputUses(of: origin.workflow)
      uses.add(authentication: origin.index)
      uses.close()
      return (index, origin.workflow, uses)
    }
  }

  /// Adds to ``variables`` each variable that has a default value (`??`) in every use. Call this method after all uses were added.
  package mutating func close() { variables.formUnion(optionalVariables) }

  private func earlier(_ known: SourceRange?, _ new: SourceRange) -> SourceRange {
    guard let known else { return new }
    return known.file === new.file && known.offsets.lowerBound > new.offsets.lowerBound ? new : known
  }
}
