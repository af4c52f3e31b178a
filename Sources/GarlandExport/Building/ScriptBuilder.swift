import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow

/// Converts a plan to a script, and reports each part of the plan that the script cannot represent.
struct ScriptBuilder {
  let plan: Plan
  let target: ExportTarget
  /// The absolute path of the folder in which the script will be stored. Paths in the script are relative to this folder.
  let folder: String
  var diagnostics = DiagnosticList()
  /// The id of the step that is being converted; nil for variables.
  private var current: String?
  /// The message and the position of each reported error, so that an error in `defaults` is not reported again for each step.
  private var refused: Set<String> = []
  /// The files that the script reads: the path of each, relative to the script, and whether the file is read as text.
  private var files: [(path: String, isText: Bool)] = []
  /// For each document, the name that the script uses for it in keys and variables; nil if there is only one document.
  private let documentNames: [ObjectIdentifier: String]?

  init(_ plan: Plan, _ target: ExportTarget, folder: String) {
    self.plan = plan
    self.target = target
    self.folder = folder
    let workflows = plan.workflows.withUsed
    let stems = Dictionary(grouping: workflows) { Self.stem(of: $0) }
    // Documents of several folders may have the same name.
    let names = workflows.map { (ObjectIdentifier($0), stems[Self.stem(of: $0)]?.count == 1 ? Self.stem(of: $0) : $0.file.name) }
    documentNames = workflows.count > 1 ? Dictionary(names) { one, _ in one } : nil
  }

  mutating func script() -> Script {
    let workflows = plan.workflows.withUsed
    let first = plan.workflows.first
    let name = first?.name?.value ?? first.map { Self.stem(of: $0) } ?? "workflow"
    var script = Script(name: name, sources: workflows.map { Self.line($0.file.name) })
    var functions: Set<String> = []
    for index in plan.serialOrder {
      let planned = plan.steps[index]
      current = planned.step.id
      script.steps.append(step(planned, named: Self.function(planned.step.id, &functions)))
    }
    current = nil
    for workflow in workflows {
      let used = usedVariables(of: workflow)
      for variable in workflow.variableOrder where used.contains(variable) {
        let value = workflow.variables[variable]
        script.variables.append((variableName(variable, of: workflow), node(value.value, Scope(workflow: workflow))))
      }
    }
    script.files = files
    script.required = requiredEnvironment()
    return script
  }

  /// Returns the environment variables that must be set: the variables of secrets, and the variables that are used as `env.NAME` without a
  /// fallback after `??`.
  private func requiredEnvironment() -> [String] {
    var uses = plan.workflows.map(InputUses.init)
    for planned in plan.steps { uses[planned.workflowIndex].add(planned.step.inputs) }
    var names: Set<String> = []
    var pending = zip(plan.workflows, uses).map { ($0, $1) }
    while let (workflow, uses) = pending.popLast() {
      names.formUnion(uses.requiredSecrets.keys.map { workflow.secrets[$0].name })
      names.formUnion(uses.requiredEnvironment.keys.map { workflow.environmentVariables[$0] })
      pending += uses.foreign.map { ($0.workflow, $0.uses) }
    }
    return names.sorted()
  }

  // MARK: Names

  /// Returns the key of a step in the script and in the results of the load testing tool.
  func key(of planned: PlannedStep) -> String {
    documentNames?[ObjectIdentifier(planned.workflow)].map { "\($0)#\(planned.step.id)" } ?? planned.step.id
  }

  func variableName(_ index: Int, of workflow: Workflow) -> String {
    let name = workflow.variables[index].name
    return documentNames?[ObjectIdentifier(workflow)].map { "\($0).\(name)" } ?? name
  }

  /// Returns a text without line breaks, for a comment of the script.
  static func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

  private static func stem(of workflow: Workflow) -> String {
    let file = workflow.file.name.split(separator: "/").last.map(String.init) ?? workflow.file.name
    return file.hasSuffix(".yaml") ? String(file.dropLast(5)) : file.hasSuffix(".yml") ? String(file.dropLast(4)) : file
  }

  /// Returns a function name that is valid in Python and JavaScript, and that no other function of the script has.
  private static func function(_ id: String, _ taken: inout Set<String>) -> String {
    let name = "step_" + String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    var unique = name
    var number = 2
    while !taken.insert(unique).inserted {
      unique = "\(name)_\(number)"
      number += 1
    }
    return unique
  }

  /// Returns the indices of the variables that the document's steps and credentials use, directly or through other variables.
  private func usedVariables(of workflow: Workflow) -> Set<Int> {
    var used: Set<Int> = []
    var pending = workflow.steps.flatMap(\.inputs)
    pending += workflow.authentications.filter { $0.origin == nil }.flatMap(\.inputs)
    while let input = pending.popLast() {
      guard case .variable(let index) = input.target, used.insert(index).inserted else { continue }
      pending += workflow.variables[index].inputs
    }
    return used
  }

  // MARK: Mistakes

  /// Reports a part of the plan that the script cannot represent.
  mutating func refuse(_ what: String, at range: SourceRange?, help: String? = nil) {
    var diagnostic = Diagnostic(.noCounterpart, "\(what) has no counterpart in a script for \(target.name)", at: range)
    guard refused.insert("\(diagnostic.message) \(range.map { "\($0)" } ?? "")").inserted else { return }
    if let current {
      diagnostic = diagnostic.note("the step `\(current)` uses this feature; to export the other steps, pass `--skip \(current)`")
    }
    if let help { diagnostic = diagnostic.help(help) }
    diagnostics.report(diagnostic)
  }

  // MARK: Files

  /// Returns the path of a file relative to the script's folder, and records that the script reads this file: as text if `isText` is true,
  /// otherwise as bytes.
  mutating func path(of absolute: String, isText: Bool) -> ScriptNode {
    let path = Self.relative(absolute, to: folder)
    if !files.contains(where: { $0 == (path, isText) }) { files.append((path, isText)) }
    return .text(path)
  }

  private static func relative(_ path: String, to folder: String) -> String {
    var parts = path.split(separator: "/")[...]
    var base = folder.split(separator: "/")[...]
    while let first = parts.first, parts.count > 1, first == base.first {
      parts.removeFirst()
      base.removeFirst()
    }
    return (base.map { _ in ".." } + parts.map(String.init)).joined(separator: "/")
  }
}

extension DiagnosticCode {
  /// The code of the error for a part of a document that an exported script cannot represent.
  package static let noCounterpart: DiagnosticCode = "no-counterpart"
}
