import GarlandDiagnostics
import GarlandJSON

extension Plan {
  /// Returns the plan as JSON, with a line for each step. The members are
  /// - `garland_plan`: the version of this format, 1.
  /// - `statistics`: `steps`, `edges`, `depth`, `width`, `roots`, `work`, `span`, `ideal_speed_up` (see ``PlanStatistics``).
  /// - `files`: `{file, name}` for each document.
  /// - `steps`: for each step `index`, `id`, `file` (an index of `files`), `line`, `column`, `method`, `url` (as a template),
  ///   `description`, `tags`, `level` (the number of steps that must run one after another before this step), `priority` (the duration of
  ///   this step and of the heaviest chain after the step), `critical`, `always`, `duration` (seconds, if known), and `waits_for`: a list
  ///   of `{step, needs, optional, reasons}` in which `step` is an index of `steps` (or `join`, an index of `joins`), `needs` is `passed`
  ///   or `ended`, and each reason has `kind`, `text`, `line` and `column`.
  /// - `joins`: `{index, waits_for: [{step} or {join}]}`; a join ends as soon as all items of its `waits_for` have ended.
  /// - `order`: the indexes of the steps in an order in which they can run one after another.
  /// - `critical_path`: the indexes of the steps of the heaviest chain.
  func json(_ options: DrawingOptions = DrawingOptions()) -> String {
    let weights = options.durations.map { $0.map { $0 ?? 0 } }
    let priorities = priorities(weights: weights)
    let critical = criticalPath(weights: weights)
    let levels = stepLevels()
    var isCritical = NodeSet(capacity: graph.nodeCount)
    for step in critical { isCritical.insert(step) }
    var bytes: [UInt8] = []
    let printer = JSONPrinter()
    func write(_ text: String) { bytes.append(contentsOf: text.utf8) }
    func lines(_ count: Int, _ value: (Int) -> JSONValue) {
      for index in 0..<count {
        write(index == 0 ? "\n    " : ",\n    ")
        printer.print(value(index), into: &bytes)
      }
      write(count == 0 ? "]" : "\n  ]")
    }
    write("{\n  \"garland_plan\": 1,\n  \"statistics\": ")
    printer.print(statisticsValue(weights), into: &bytes)
    write(",\n  \"files\": [")
    lines(workflows.count) { index in
      ["file": .string(workflows[index].file.name), "name": workflows[index].name.map { .string($0.value) } ?? .null]
    }
    write(",\n  \"steps\": [")
    lines(steps.count) { index in
      var value = stepValue(steps[index])
      value["level"] = JSONValue(Int(levels[index]))
      value["priority"] = Plan.number(priorities[index])
      value["critical"] = .bool(isCritical.contains(index))
      if let duration = options.durations?[index] { value["duration"] = Plan.number(duration) }
      value["waits_for"] = .array(graph.edges(to: index).map { waitValue($0) })
      return .object(value)
    }
    write(",\n  \"joins\": [")
    lines(joinCount) { index in
      let join = steps.count + index
      return ["index": JSONValue(index), "waits_for": .array(graph.predecessors(of: join).map { .object(sourceValue(Int($0))) })]
    }
    write(",\n  \"order\": ")
    printer.print(.array(serialOrder.map { JSONValue($0) }), into: &bytes)
    write(",\n  \"critical_path\": ")
    printer.print(.array(critical.map { JSONValue($0) }), into: &bytes)
    write("\n}\n")
    return String(decoding: bytes, as: UTF8.self)
  }

  private func statisticsValue(_ weights: [Double]?) -> JSONValue {
    let statistics = statistics(weights: weights)
    return [
      "steps": JSONValue(statistics.steps), "edges": JSONValue(statistics.edges), "depth": JSONValue(statistics.depth),
      "width": JSONValue(statistics.width), "roots": JSONValue(statistics.roots), "work": Plan.number(statistics.work),
      "span": Plan.number(statistics.span), "ideal_speed_up": Plan.number(statistics.idealSpeedUp),
    ]
  }

  private func stepValue(_ planned: PlannedStep) -> JSONObject {
    let start = planned.step.idRange.start
    return [
      "index": JSONValue(planned.index), "id": .string(planned.step.id), "file": JSONValue(planned.workflowIndex),
      "line": JSONValue(start.line), "column": JSONValue(start.column),
      "method": planned.step.request.map { .string($0.method.value) } ?? .null,
      "url": planned.step.request.map { .string($0.url.source) } ?? .null,
      "description": planned.step.description.map { .string($0) } ?? .null, "tags": .array(planned.step.tags.map { .string($0) }),
      "always": .bool(planned.runsAlways),
    ]
  }

  private func sourceValue(_ node: Int) -> JSONObject {
    isJoin(node) ? ["join": JSONValue(node - steps.count)] : ["step": JSONValue(node)]
  }

  private func waitValue(_ edge: Int) -> JSONValue {
    let source = Int(graph.sources[edge])
    let facts = edges.facts[edge]
    var value = sourceValue(source)
    value["needs"] = .string(needsPassed(edge) ? "passed" : "ended")
    value["optional"] = .bool(facts.contains(.optionalValue) && !facts.contains(.requiredValue))
    value["reasons"] = .array(
      reasons(of: edge).map { reason in
        var object: JSONObject = ["kind": .string(reason.kind), "text": .string(reason.sentence(source: steps[source].step.id))]
        if let start = reason.range?.start {
          object["line"] = JSONValue(start.line)
          object["column"] = JSONValue(start.column)
        }
        return .object(object)
      })
    return .object(value)
  }

  private static func number(_ value: Double) -> JSONValue {
    let rounded = (value * 1_000_000).rounded() / 1_000_000
    return rounded == rounded.rounded() && abs(rounded) < 1e15 ? JSONValue(Int(rounded)) : .number(JSONNumber(rounded) ?? JSONNumber(0))
  }
}
