import GarlandDiagnostics
import GarlandYAML

/// Decodes one workflow document from YAML into a ``Workflow``, and collects its diagnostics. Extensions of this class decode the parts of
/// the document.
final class DocumentDecoder {
  let file: SourceFile
  let directory: String
  let options: WorkflowDecoder.Options
  let names = NameTable()
  var diagnostics = DiagnosticList()
  var others = OtherDocuments()
  /// Whether a step of the document extends another step. A mistake in an inherited key is then found once for each step that has the key,
  /// so repeated diagnostics are removed.
  private var hasInheritance = false
  let templates: TemplateCompiler
  var cache = DecodingCache()
  /// The keys of the last decoded `expect` whose value is an empty mapping or list. Such a key checks nothing. It is allowed only if it
  /// switches off an inherited expectation.
  var emptyExpectations: [(key: ExpectKey, range: SourceRange)] = []
  /// The part of the workflow that could be decoded despite errors in its document. Nil if the document itself has no errors, or if it
  /// refers to another document that has errors.
  private(set) var workflowWithErrors: Workflow?
  /// The single predicate of the mapping that is being decoded; nil if the mapping does not have exactly one predicate. The fix for an
  /// error in a single predicate can replace the whole predicate.
  var onlyPredicate: YAMLMapping.Entry?
  /// The URLs that begin with `/` but have no base URL, each with the id of its step. They are reported together.
  var relativeURLs: [(step: String, range: SourceRange)] = []
  let referencePlaces = ReferencePlaces()
  var mentioned = MentionedFiles()
  var computedNames = ComputedExtractNames()

  /// The steps of an `authorize` (an OAuth 2 login), if this decoder decodes only these steps; nil if it decodes the steps of the document.
  let nestedSteps: YAMLMapping.Entry?
  /// Whether this decoder decodes only the steps of an OAuth 2 login (`authorize`), and not the steps of the document.
  var isNested: Bool { nestedSteps != nil }

  /// The project whose settings the document inherits; nil if the document has no project.
  let project: Project?
  /// The steps of the document that are in quarantine today, so that their failures do not count. The keys are the ids of the steps.
  let quarantined: [String: QuarantineEntry]
  var profiles = ProfilesOfDocument()

  init(_ file: SourceFile, directory: String, options: WorkflowDecoder.Options, nestedSteps: YAMLMapping.Entry? = nil) {
    self.nestedSteps = nestedSteps
    self.file = file
    self.directory = directory
    self.options = options
    let project = options.projects?.project(of: directory)
    self.project = project
    quarantined = nestedSteps == nil ? options.quarantined(in: directory) : [:]
    let files = options.files
    let namedFiles = mentioned.named
    templates = TemplateCompiler(names: names, ablation: options.ablation) { (path: String, source: SourceFile) throws(WorkflowFileError) in
      let isOfProject = project.map { $0.file === source } ?? false
      let directory = isOfProject ? project?.directory ?? directory : directory
      let resolved = try files.locate(path, from: directory)
      namedFiles.add(resolved)
      switch files.files.kind(of: resolved) {
      case .file: return isOfProject ? resolved : nil
      case .folder: throw WorkflowFileError("it is a folder")
      case .unreadable: throw WorkflowFileError("permission denied")
      case .missing: throw WorkflowFileError("no such file", meant: files.files.nearest(to: path, in: directory, kind: .file))
      }
    }
  }

  func decode(_ root: YAMLNode) -> Workflow? {
    guard let mapping = root.mapping else {
      report(
        .notAWorkflow, "a workflow must be a mapping, found \(root.kindDescription)", at: root.range,
        help: "a workflow begins with `garland: 1`"
      )
      return nil
    }
    names.refused = MappingReader.meantKeys(of: mapping, RootKey.table).union(project?.refused ?? [])
    let layers = DocumentLayers(root, mapping, self)
    profiles.known = layers.knownProfiles
    let written = root
    let root = layers.root
    let reader = MappingReader(root, root.mapping ?? mapping, RootKey.table, into: &diagnostics)
    checkVersion(reader)
    let name = reader.value(.name).flatMap { node in plainText(node).map { Located($0, at: node.range) } }
    let description = reader.value(.description).flatMap { plainText($0) }
    let order = reader.value(.order).flatMap { word($0, of: Workflow.Order.self) } ?? .dependencies

    others.used = isNested ? [] : reader.value(.use).map { decodeUses(of: $0) } ?? []
    let inputs = reader.value(.inputs).map { decodeInputs($0) } ?? []
    let stepNodes = collectSteps(reader, hasAuth: mapping.written(RootKey.auth) != nil)
    // Other documents affect only the steps that use or call them, and these steps are known without this list.
    _ = mentioned.named.take()
    collectAuth(reader)
    for node in layers.secrets { declareSecrets(node) }
    checkUses(others.used)
    let resources = reader.value(.resources).map { decodeResources($0) } ?? []
    let (variables, variableOrder, declared) = decodeVariables(layers.variables)
    resolveExtractNames()
    let reachability = reader.value(.reachability).map { decodeReachability($0) } ?? ReachabilitySettings()
    let defaults = reader.value(.defaults).map { decodeDefaults($0) } ?? .noDefaults
    let authentications = decodeAuthentications(reader, root: written, base: defaults.baseURL?.value)
    mentioned.common = mentioned.named.take()
    if !profiles.unused.isEmpty { decodeUnusedProfiles() }
    let (steps, urlInputs) = decodeSteps(stepNodes, defaults)
    reportRelativeURLs(reader)
    let outputs = isNested ? [] : reader.value(.outputs).map { decodeOutputs($0) } ?? []
    // The steps of an `authorize` are only a part of the document, so it is unknown here which values the rest of the document uses.
    let unusedExtracts = isNested ? [] : warnOfUnused(variables)
    if hasInheritance { diagnostics = diagnostics.withoutRepetitions }
    let findings = Workflow.Findings(
      unusedExtracts: unusedExtracts.filter { steps[$0.step].extractions[$0.extract].name.range.file === file },
      unusedOverrides: unusedOverrides(besides: declared), missingFiles: mentioned.missing)
    let workflow = Workflow(
      file: file, directory: directory, name: name, description: description, order: order, reachability: reachability,
      variables: variables, variableOrder: variableOrder, authentications: authentications + names.authentications.foreign,
      secrets: names.secrets.declarations,
      environmentVariables: names.environmentVariables, resources: resources, inputs: inputs, outputs: outputs, uses: others.used,
      foreignSteps: foreignSteps(), confirmation: layers.confirmation, findings: findings, steps: steps, index: names.stepIndex)
    return checked(workflow, urlInputs)
  }

  private typealias URLInputs = [(step: String, inputs: [InputReference])]

  private func decodeSteps(_ nodes: [YAMLMapping.Entry], _ defaults: StepSettings) -> (steps: [Step], urlInputs: URLInputs) {
    var steps: [Step] = []
    var urlInputs: URLInputs = []
    steps.reserveCapacity(nodes.count)
    for (ordinal, entry) in nodes.enumerated() {
      let decoded = decodeStep(entry, ordinal: ordinal, defaults)
      if !decoded.urlInputs.isEmpty { urlInputs.append((decoded.step.id, decoded.urlInputs)) }
      steps.append(decoded.step)
    }
    return (steps, urlInputs)
  }

  /// Returns the workflow if this document and all documents that it uses are valid; otherwise nil. Also reports the warnings that concern
  /// the document as a whole.
  private func checked(_ workflow: Workflow, _ urlInputs: URLInputs) -> Workflow? {
    let steps = workflow.steps
    guard !diagnostics.hasErrors, !others.hasBroken else {
      reportMissingFiles(besides: steps)
      if !others.hasBroken, !isNested { workflowWithErrors = workflow }
      return nil
    }
    for step in steps { step.neededByOthers = names.neededByOthers[step.ordinal] }
    for (ordinal, needs) in names.jsonNeededByOthers where steps.indices.contains(ordinal) { steps[ordinal].jsonNeededByOthers = needs }
    let secretVariables = self.secretVariables(workflow.variables, workflow.variableOrder)
    for (step, inputs) in urlInputs { warnOfSecretsInURL(step, inputs, secretVariables) }
    warnOfUnmaskedCredentials(steps)
    return workflow
  }

  /// Reports the missing files of a document that has errors. If a document has no errors, its missing files are found later, when its plan
  /// is checked. A file that a step downloads is not reported as missing.
  private func reportMissingFiles(besides steps: [Step]) {
    func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
    let downloaded = Set(steps.compactMap { $0.request?.download?.to.constantText.map { String(name($0)) } })
    for missing in mentioned.missing {
      guard let text = missing.range?.text else { continue }
      let isDownloaded = downloaded.contains { text.hasSuffix($0) || text.dropLast().hasSuffix($0) }
      if !isDownloaded { diagnostics.report(missing) }
    }
  }

  private func checkVersion(_ reader: MappingReader<RootKey>) {
    guard let entry = reader[.garland] else {
      // A misspelt key is a separate mistake with its own fix.
      let isMisspelt = (reader.node.mapping?.entries ?? []).contains {
        Suggestion.nearest(to: $0.name, in: [RootKey.garland.rawValue]) != nil
      }
      if isProject || isMisspelt { return }
      let start = SourceRange(file, reader.node.range.offsets.lowerBound..<reader.node.range.offsets.lowerBound)
      let missing = Diagnostic(.badVersion, "`garland: 1` is missing, so this file is not a workflow", at: start)
      let foreign = reader.node.mapping.flatMap { ForeignDocument($0) }
      diagnostics.report(
        foreign.map { missing.help($0.help) }
          ?? missing.help("write `garland: 1` as the first line", fix: .init(start, "garland: 1\n")))
      return
    }
    guard case .scalar(let scalar) = entry.value.content, scalar.text == "1" else {
      report(
        .badVersion, "this version of Garland reads only `garland: 1`, found \(found(entry.value))", at: entry.value.range,
        help: "write `garland: 1`",
        replacement: "1")
      return
    }
  }

  // MARK: Steps, before anything is compiled

  /// Collects the names of the steps and of their extracts, so that expressions can refer to later steps.
  private func collectSteps(_ reader: MappingReader<RootKey>, hasAuth: Bool) -> [YAMLMapping.Entry] {
    guard let entry = nestedSteps ?? reader[.steps] else {
      // A document may contain only `auth` entries, for use by other documents.
      if !reader.hasRefusedKeys, !hasAuth, !isProject {
        report(
          .missingKey, "the workflow has no `steps`", at: startOf(reader.node),
          help: "to add a step, write `steps: { health: { get: /health } }`")
      }
      return []
    }
    if entry.value.sequence != nil {
      report(
        .wrongType, "expected a mapping of step ids to steps, found a list", at: entry.value.range,
        help: "write a mapping in place of the list, with an id for each step, such as `list_books: { get: /books }`")
      return []
    }
    guard let mapping = stepsByID(entry, reader) else { return [] }
    if mapping.isEmpty { report(.missingKey, "the workflow has no steps", at: entry.value.range) }
    names.reserveSteps(mapping.count)
    let entries = inherit(mapping, defaults: reader.value(.defaults))
    var steps: [YAMLMapping.Entry] = []
    steps.reserveCapacity(entries.count)
    for (index, step) in entries.enumerated() {
      if index > 0, let misplaced = StepKey.misplaced(step, below: entries[index - 1]) {
        diagnostics.report(misplaced)
        continue
      }
      steps.append(step)
      collectStep(step)
    }
    return steps
  }

  private func collectStep(_ step: YAMLMapping.Entry) {
    let id = step.name
    if !ReservedNames.admits(step.key, besides: ReservedNames.steps) {
      checkName(id, step.key.range, reserved: ReservedNames.steps, what: "step")
    }
    var extracts: YAMLMapping?
    var talk: YAMLNode?
    var (hasLoop, isCall, owner) = (false, false, ResponseMember.Owner.request)
    if let mapping = step.value.mapping {
      let table = StepKey.table
      mapping.forEachName { position, name in
        switch table.key(name) {
        case .extract?: extracts = mapping.value(at: position).mapping
        case .forEach?, .rows?, .matrix?: hasLoop = true
        case .call?: isCall = true
        case let key? where StepKey.owners.contains(key): owner = KindDecoders.owner(selectedBy: key) ?? owner
        case .talk?: talk = mapping.value(at: position)
        case nil where KeyAliases.key(for: String(decoding: name, as: UTF8.self), among: [StepKey.extract.rawValue]) != nil:
          // Other steps use these names; a changed name is reported separately.
          extracts = extracts ?? mapping.value(at: position).mapping
        default: break
        }
      }
      if isCall {
        let called = loadCalled(mapping)
        others.called[names.stepIDs.count] = .some(called)
        if called == nil { names.kinds.unreadableCalls.insert(names.stepIDs.count) }
        for output in called?.outputs ?? [] {
          names.addExtract(.init(name: output.name.value, range: output.name.range, kinds: output.value.kinds))
        }
      } else if let extracts {
        for position in 0..<extracts.count {
          let entry = extracts.entry(at: position)
          let isComputed = entry.key.hasText { ExpressionScanner.hasExpression($0) }
          if isComputed {
            computedNames.written.append(.init(place: names.extracts.all.count, step: names.stepIDs.count, key: entry.key))
          }
          let name = isComputed ? entry.key.text : ReservedNames.repaired(entry.key.text)
          names.addExtract(.init(name: name, range: entry.key.range, kinds: ExtractKinds.value(of: entry.value)))
        }
      }
    }
    if let talk, !isCall { addExtracts(of: talk) }
    names.addStep(id, hasLoop: hasLoop, isCall: isCall, owner)
  }

  /// Returns the steps. Each step is merged with the steps and the step templates that it extends.
  private func inherit(_ steps: YAMLMapping, defaults: YAMLNode?) -> [YAMLMapping.Entry] {
    var inheritance = StepInheritance(steps: steps, defaults: defaults)
    guard inheritance.isNeeded else { return steps.entries }
    hasInheritance = true
    let entries = steps.entries.map { YAMLMapping.Entry(key: $0.key, value: inheritance.resolve($0)) }
    for diagnostic in inheritance.diagnostics { diagnostics.report(diagnostic) }
    return entries
  }

  /// Returns help for an extract with a reserved name.
  func adviceOnExtract(_ name: String) -> String {
    "`STEP.\(name)` exists without an extract; rename the extract, for example to `\(name)_value`, here and in each expression that uses it"
  }

  func checkName(_ name: String, _ range: SourceRange, reserved: NameSet, what: String) {
    let isReserved = reserved.contains(name)
    if isReserved, what == "extract" {
      report(
        .reservedName, "`\(name)` can't be the name of an extract: every response has a value with this name", at: range,
        // A fix would have to rename the uses, too: `STEP.NAME` is valid without the extract, with another value.
        help: adviceOnExtract(name))
    } else if isReserved {
      report(
        .reservedName, "`\(name)` can't be the name of \(Words.withArticle(what)): this name is reserved", at: range,
        help: "these names are reserved: \(Words.list(reserved.names))")
    } else if !ReservedNames.isName(name) {
      report(
        .badName,
        name.isEmpty ? "the name of \(Words.withArticle(what)) is empty" : "`\(Words.excerpt(name))` is not a valid name",
        at: range, help: "a name has the letters a to z, digits, `_` and `-`, and begins with a letter or `_`",
        replacement: ReservedNames.name(like: name).flatMap { reserved.contains($0) || names.ordinal(of: $0) != nil ? nil : $0 })
    }
  }

  // MARK: Warnings

  /// Reports a step that has the same name as a document of `use:`, since an expression with the name could mean either.
  private func checkUses(_ uses: [UsedDocument]) {
    for used in uses where names.ordinal(of: used.name.value) != nil {
      report(
        .conflict, "a step and a document in `use` have the same name, `\(used.name.value)`", at: used.name.range,
        help: "give the document another name")
    }
  }

  private func foreignSteps() -> [ForeignStep] {
    names.foreign.enumerated().map { index, foreign in
      let ordinal = names.ownStepCount + index
      return ForeignStep(
        document: foreign.document, step: foreign.step, needs: names.neededByOthers[ordinal],
        extracts: names.extracts(of: ordinal).enumerated().filter(\.element.isUsed).map(\.offset))
    }
  }

  private func warnOfUnused(_ variables: [Variable]) -> [UnusedExtract] {
    guard !diagnostics.hasErrors else { return [] }
    for (index, variable) in variables.enumerated() where !names.variables.used[index] && variable.origin == .document {
      diagnostics.report(
        Diagnostic(.unusedVariable, severity: .warning, "the variable `\(variable.name)` is not used", at: variable.nameRange))
    }
    // If several steps inherit an extract, the use of the extract of one of these steps counts for all of them.
    let usedPlaces = hasInheritance ? Set(names.extracts.all.filter(\.isUsed).map(\.offsets)) : []
    var unused: [UnusedExtract] = []
    for ordinal in 0..<names.ownStepCount where others.called[ordinal] == nil {
      // Every caller of a document can use its outputs.
      let places = names.extracts.places(of: ordinal)
      for place in places where !names.extracts.all[place].isUsed && !usedPlaces.contains(names.extracts.all[place].offsets) {
        unused.append(UnusedExtract(step: ordinal, extract: place - places.lowerBound))
      }
    }
    return unused
  }

  /// Returns, for each variable, whether its value contains a secret. The result is in the order of `variables`.
  private func secretVariables(_ variables: [Variable], _ order: [Int]) -> [Bool] {
    var result = [Bool](repeating: false, count: variables.count)
    for index in order {
      result[index] = variables[index].inputs.contains {
        switch $0.target {
        case .secret: true
        case .variable(let other): result[other]
        case .environment, .input, .authentication: false
        }
      }
    }
    return result
  }

  private func warnOfSecretsInURL(_ step: String, _ inputs: [InputReference], _ secretVariables: [Bool]) {
    for input in inputs {
      let isSecret =
        switch input.target {
        case .secret: true
        case .variable(let index): secretVariables[index]
        case .environment, .input: false
        case .authentication: input.namesToken
        }
      guard isSecret else { continue }
      diagnostics.report(
        Diagnostic(
          .secretInURL, severity: .warning, "a URL of the step `\(step)` contains a secret: servers and proxies write URLs to their logs",
          at: input.range
        )
        .help("send the secret in a header or in the body if the server accepts that"))
    }
  }
}

extension DiagnosticList {
  /// The list without repeated diagnostics. Two diagnostics are equal if they have the same code, range and message.
  fileprivate var withoutRepetitions: DiagnosticList {
    struct Key: Hashable {
      let code: DiagnosticCode
      let offsets: Range<Int>?
      let message: String
    }
    var seen: Set<Key> = []
    var result = DiagnosticList()
    for diagnostic in all
    where seen.insert(Key(code: diagnostic.code, offsets: diagnostic.range?.offsets, message: diagnostic.message)).inserted {
      result.report(diagnostic)
    }
    return result
  }
}
