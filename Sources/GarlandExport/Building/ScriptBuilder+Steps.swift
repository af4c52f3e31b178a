import GarlandDiagnostics
import GarlandPlanner
import GarlandWorkflow

/// Converts steps and their conditions to nodes of the script.
extension ScriptBuilder {
  mutating func step(_ planned: PlannedStep, named function: String) -> Script.Step {
    let step = planned.step
    let scope = Scope(workflow: planned.workflow, index: planned.workflowIndex)
    var comment = Self.line("\(planned.workflow.file.name):\(step.range.start.line)")
    if let description = step.description { comment += " " + Self.line(description) }
    var result = Script.Step(key: key(of: planned), function: function, comment: comment, options: options(planned, scope), body: [])
    refuseFlow(of: step)
    guard let request = step.request else {
      refuse("`call`", at: step.call?.path.range ?? step.idRange, help: "export the called document, or copy its steps")
      return result
    }
    result.body.append(send(request, step, scope))
    result.body += checks(of: step, request, scope)
    for extraction in step.extractions { result.body.append(self.extraction(extraction, scope)) }
    return result
  }

  /// Converts the parts of a step that control its execution, such as its dependencies, its condition (`when`), its delay and its loop.
  private mutating func options(_ planned: PlannedStep, _ scope: Scope) -> [(String, ScriptNode)] {
    let flow = planned.step.flow
    var options: [(String, ScriptNode)] = []
    let needs = needs(of: planned)
    if !needs.isEmpty { options.append(("needs", .members(needs))) }
    if planned.runsAlways { options.append(("always", .flag(true))) }
    if let cleanup = flow.cleanup, let undone = plan.step(cleanup.step, of: planned.workflowIndex) {
      options.append(("cleanup", .text(key(of: undone))))
    }
    if flow.allowFailure { options.append(("allowed", .flag(true))) }
    if let when = flow.when { options.append(("when", .closure(["item", "index"], condition(when, scope)))) }
    if let delay = flow.repetition.delay { options.append(("delay", .closure(["item", "index"], seconds(delay, scope)))) }
    if let loop = flow.loop { options.append(("items", .later(items(of: loop, scope)))) }
    return options
  }

  /// Returns the key of each step whose failure blocks the step `planned`, together with one of two words:
  /// - `value`: `planned` uses a value of the other step and has no default for it. So `planned` is also blocked if the other step is
  ///   skipped.
  /// - `pass`: `planned` is blocked only if the other step fails.
  private func needs(of planned: PlannedStep) -> [(String, ScriptNode)] {
    var needs: [(String, ScriptNode)] = []
    for edge in plan.graph.edges(to: planned.index) {
      let source = Int(plan.graph.sources[edge])
      guard !plan.isJoin(source), plan.needsPassed(edge) else { continue }
      let kind = plan.permits(edge, after: .skipped) ? "pass" : "value"
      needs.append((key(of: plan.steps[source]), .text(kind)))
    }
    return needs
  }

  private mutating func items(of loop: Loop, _ scope: Scope) -> ScriptNode {
    switch loop.source {
    case .list(let list): return .call("present", [node(list, scope)])
    case .rows(let file, let format):
      guard let path = file.resolved else {
        refuse("a file of rows that an expression names", at: file.path.range)
        return .list([])
      }
      let known = format ?? RowsFormat(fileName: path)
      return .call("rows", [self.path(of: path, isText: true), .text(known?.rawValue ?? "csv")])
    case .matrix(let axes):
      return .call("matrix", [.list(axes.map { .text($0.name.value) }), .list(axes.map { node($0.values, scope) })])
    }
  }

  // MARK: Parts without a counterpart

  private mutating func refuseFlow(of step: Step) {
    let repetition = step.flow.repetition
    if let retry = repetition.retry { refuse("`retry`", at: retry.range) }
    if let poll = repetition.poll { refuse("`poll`", at: poll.untilRange) }
    if let pagination = repetition.pagination { refuse("`paginate`", at: pagination.range) }
    for use in step.flow.uses { refuse("`uses`", at: use.range, help: "the users of the engine are independent of each other") }
    if step.flow.exclusive { refuse("`exclusive`", at: step.idRange, help: "the users of the engine are independent of each other") }
  }

  /// Reports the parts of a step that the script cannot represent: transport settings, such as a proxy, and other settings, such as
  /// `download`.
  mutating func refuseTransport(of request: RequestTemplate, _ step: Step) {
    let settings = request.transport
    var parts = settings.written.filter { !["timeout", "deadline", "redirect"].contains($0.key) }
    parts += settings.resolve.map { ("resolve", $0.from.range) } + settings.connectTo.map { ("connect_to", $0.from.range) }
    parts += [("tls.ca", settings.tls.ca), ("tls.cert", settings.tls.cert), ("tls.key", settings.tls.key)].compactMap { name, file in
      file.map { (name, $0.path.range) }
    }
    parts += settings.tls.pins.map { ("tls.pins", $0.range) } + (settings.tls.password.map { [("tls.password", $0.range)] } ?? [])
    for (name, range) in parts { refuse("`\(name)`", at: range) }
    if let stream = request.stream { refuse("`\(stream.format.rawValue)`", at: stream.range) }
    if let download = request.download { refuse("`download`", at: download.range) }
    if let (key, range) = step.action.ownKey { refuse("`\(key)`", at: range) }
  }
}
