import GarlandDiagnostics
import GarlandJSON
import GarlandYAML

/// Decodes the keys with which one document calls another: `inputs` and `outputs` of the called document, and the step with `call`.
extension DocumentDecoder {
  // MARK: Inputs

  /// Decodes `inputs:`. Must be called before expressions that use the inputs are compiled.
  func decodeInputs(_ node: YAMLNode) -> [InputDeclaration] {
    guard let mapping = mapping(node, "a mapping of input names to declarations, such as `{ tenant: { type: string } }`") else { return [] }
    var result: [InputDeclaration] = []
    for entry in mapping.entries {
      checkName(entry.name, entry.key.range, reserved: [], what: "input")
      let input = decodeInput(entry)
      names.addInput(entry.name, kinds: input.type?.kinds ?? .any)
      result.append(input)
    }
    return result
  }

  private func decodeInput(_ entry: YAMLMapping.Entry) -> InputDeclaration {
    let name = Located(entry.name, at: entry.key.range)
    let given = options.isUsed ? nil : options.overrides.last { $0.name.value == entry.name }
    func declaration(_ type: JSONTypeName?, _ value: ValueTemplate?, _ isRequired: Bool, _ description: String?) -> InputDeclaration {
      func declared(_ given: JSONValue?) -> InputDeclaration {
        InputDeclaration(
          name: name, type: type, defaultValue: value, isRequired: isRequired && value == nil, description: description, given: given)
      }
      guard let given else { return declared(nil) }
      let taken = declared(nil).taken(.plain(given.value))?.json
      if taken == nil, let type {
        diagnostics.report(
          Diagnostic(
            .wrongType, "the input `\(entry.name)` is \(Self.words(type)), found \(Words.found(given.value))", at: given.name.range
          )
          .note("`\(entry.name)` is declared here", at: entry.key.range))
      }
      return declared(taken)
    }
    // A mapping describes the input; any other value is its default, and an empty value means no
    // default.
    guard entry.value.mapping != nil else {
      if entry.value.isNull { return declaration(nil, nil, true, nil) }
      return declaration(nil, value(entry.value, .input), false, nil)
    }
    guard let reader = reader(entry.value, InputKey.table, "a declaration of the input such as `{ type: string }`") else {
      return declaration(nil, nil, false, nil)
    }
    let type = reader.value(.type).flatMap { word($0, of: JSONTypeName.self) }
    let fallback = reader[.defaultValue].map { value($0.value, .input) }
    if let constant = fallback?.constant, let type, !type.matches(constant), let node = reader[.defaultValue]?.value {
      report(.conflict, "the default of `\(entry.name)` is \(Words.found(constant)), expected \(Self.words(type))", at: node.range)
    }
    let isRequired = reader.value(.required).flatMap { plainBool($0) }
    if isRequired == true, fallback != nil, let required = reader[.required] {
      report(
        .conflict, "`required` has no effect on an input with a default", at: required.key.range, help: "leave `required` or `default` out")
    }
    return declaration(type, fallback, isRequired ?? true, reader.value(.description).flatMap { plainText($0) })
  }

  static func words(_ type: JSONTypeName) -> String { type == .integer ? "a whole number" : type.kinds.words }

  // MARK: Outputs

  func decodeOutputs(_ node: YAMLNode) -> [OutputDeclaration] {
    guard let mapping = mapping(node, "a mapping of output names to values, such as `{ id: '${create.id}' }`") else { return [] }
    return mapping.entries.map { entry in
      checkName(entry.name, entry.key.range, reserved: ReservedNames.extracts, what: "output")
      let value = value(entry.value, .output)
      var collector = ReferenceCollector()
      collector.add(value, "outputs.\(entry.name)", isDefault: false)
      return OutputDeclaration(
        name: Located(entry.name, at: entry.key.range), value: value, stepOrdinals: collector.steps.map(\.target), inputs: collector.inputs)
    }
  }

  // MARK: Calls

  /// Loads the document that a step calls. This must happen before any expression is compiled, since the outputs of the called document
  /// become extracts of the step.
  func loadCalled(_ step: YAMLMapping) -> Workflow? {
    guard let entry = step.written(StepKey.call), let path = plainText(entry.value, "the path of a document") else { return nil }
    return load(path, at: entry.value.range)
  }

  /// Decodes a step that calls another document.
  ///
  /// - Parameters:
  ///   - ordinal: the ordinal of the step (its index in the document).
  ///   - extractions: on return, contains an extract for each output of the called document.
  func decodeCall(
    _ reader: MappingReader<StepKey>, _ scope: ExpressionScope, _ ordinal: Int, _ extractions: inout [Extraction],
    _ collector: inout ReferenceCollector
  ) -> CallTemplate? {
    guard let entry = reader[.call] else { return nil }
    for (key, other) in reader.entries where !key.allowedIn.contains(.call) {
      let isAction = StepKey.actions.contains(key)
      let isCheck = key == .expect || key == .extract
      let owner = key.kind.map { "`\($0.rawValue)`" } ?? "a request"
      diagnostics.report(
        Diagnostic(
          isAction ? .twoActions : .conflict,
          isAction
            ? "a step can do only one thing, found `\(other.name)` and `call`"
            : "`\(other.name)` belongs to \(owner), but this step is a `call`",
          at: other.key.range
        )
        .note("`call` is here", at: entry.key.range).help(
          isCheck
            ? "write `\(other.name)` in the called document; the step extracts its `outputs`"
            : isAction ? "write two steps" : "remove it"))
    }
    guard let workflow = others.called[ordinal] ?? nil else { return nil }
    let with: [(input: Int, value: ValueTemplate)]? =
      if let node = reader.value(.with) { decodeWith(node, workflow, scope) } else { [] }
    let given = with ?? []
    for input in given { collector.add(input.value, "with.\(workflow.inputs[input.input].name.value)", isDefault: false) }
    let path = Located(entry.value.scalar?.text ?? "", at: entry.value.range)
    // A key that other tools use for the inputs of a call, such as `args`, has already been reported. The inputs in its value are not missing.
    let misnamed = reader.entries(near: .with).map(\.value)
    let isReadable = with != nil && misnamed.allSatisfy { $0.mapping != nil }
    func isSet(_ index: Int) -> Bool {
      given.contains { $0.input == index } || misnamed.contains { $0.mapping?.entry(workflow.inputs[index].name.value) != nil }
    }
    for (index, input) in workflow.inputs.enumerated() where isReadable && input.isRequired && !isSet(index) {
      report(
        .missingInput, "`\(path.value)` needs the input \(input.named)", at: path.range,
        help: "to set the input, write `with: { \(input.name.value): … }`")
    }
    let shared = workflow.foreignSteps.map { shareStep($0, of: workflow) }
    collector.addCall(of: path, shared: shared.map { ($0, names.stepIDs[$0]) })
    extractions = workflow.outputs.enumerated().map { index, output in
      Extraction(
        name: output.name, source: .output(index), defaultValue: nil, isOptional: true, choice: .found, isSecret: false, range: path.range,
        kinds: output.value.kinds)
    }
    return CallTemplate(workflow: workflow, path: path, inputs: given, sharedSteps: shared)
  }

  /// Adds the step `foreign` of another document to the plan of this document, and returns the step's ordinal (index) in this document.
  ///
  /// This document calls the document `workflow`, which uses the step `foreign`. A run executes such a step only once, so the step belongs
  /// to the plan of the calling document.
  private func shareStep(_ foreign: ForeignStep, of workflow: Workflow) -> Int {
    let document = workflow.uses[foreign.document]
    let index: Int
    if let known = others.used.firstIndex(where: { $0.workflow === document.workflow }) {
      index = known
    } else {
      index = others.used.count
      others.used.append(document)
    }
    let id = document.workflow.steps[foreign.step].id
    let ordinal = names.foreignStep(id, of: (index, document.workflow), named: others.used[index].name.value) ?? 0
    names.neededByOthers[ordinal].formUnion(foreign.needs)
    for extract in foreign.extracts { names.useExtract(extract, of: ordinal) }
    return ordinal
  }

  /// Returns the inputs that the key `with` of a call sets, or nil after an error if the value of `with` is not a mapping.
  private func decodeWith(_ node: YAMLNode, _ workflow: Workflow, _ scope: ExpressionScope) -> [(input: Int, value: ValueTemplate)]? {
    guard let mapping = mapping(node, "values for the inputs of the document") else { return nil }
    var result: [(input: Int, value: ValueTemplate)] = []
    for entry in mapping.entries {
      guard let index = workflow.inputs.firstIndex(where: { $0.name.value == entry.name }) else {
        let known = workflow.inputs.map(\.name.value)
        // An input that the step already sets would be a duplicate key.
        let near = Suggestion.nearest(to: entry.name, in: known.filter { mapping.entry($0) == nil })
        report(
          .undefinedInput, "\(workflow.file.name) has no input `\(Words.excerpt(entry.name))`", at: entry.key.range,
          help: near.map { "did you mean `\($0)`?" }
            ?? (known.isEmpty ? "the document has no `inputs`" : "the inputs are \(Words.list(known))"),
          replacement: near)
        continue
      }
      let value = value(entry.value, scope)
      if let type = workflow.inputs[index].type { checkInput(value, type, workflow.inputs[index], entry.value) }
      result.append((index, value))
    }
    return result
  }

  private func checkInput(_ value: ValueTemplate, _ type: JSONTypeName, _ input: InputDeclaration, _ node: YAMLNode) {
    switch value {
    case .constant(let constant, _):
      // An expression with a mistake has already been reported, and its value is now null.
      guard !type.matches(constant), !(constant.isNull && !node.isNull) else { return }
      report(
        .wrongType, "the input `\(input.name.value)` is \(Self.words(type)), found \(Words.found(constant))", at: node.range)
    case .scalar(let template):
      let kinds: ValueKinds = if case .expression(let expression) = template.content { expression.kinds } else { .text }
      // A value of the environment, a secret or a table cell is a text, which may represent a value of the type.
      let known = kinds.contains(.text) && [.number, .integer, .boolean].contains(type) ? .any : kinds
      guard known.isDisjoint(with: type.kinds) else { return }
      report(.wrongType, "the input `\(input.name.value)` is \(Self.words(type)), found \(kinds.words)", at: node.range)
    case .list, .object:
      let kinds: ValueKinds = if case .list = value { .list } else { .mapping }
      guard kinds.isDisjoint(with: type.kinds) else { return }
      report(.wrongType, "the input `\(input.name.value)` is \(Self.words(type)), found \(kinds.words)", at: node.range)
    }
  }
}
