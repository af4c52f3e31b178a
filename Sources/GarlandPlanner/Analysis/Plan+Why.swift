extension Plan {
  /// Describes the dependencies of a step in two parts. The first part lists the steps that the given step waits for; each entry contains
  /// the references that cause the wait, and their lines in the document. The second part lists the steps that wait for the given step.
  ///
  /// - Parameters:
  ///   - step: the index of the step.
  ///   - limit: the maximum number of steps in each of the two parts.
  public func why(_ step: Int, limit: Int = 50) -> String {
    let planned = steps[step]
    var lines = ["\(name(of: step, from: step))  \(planned.action)", "  \(planned.step.idRange)"]
    let waits = waits(of: step, limit: limit + 1)
    if waits.isEmpty {
      lines.append("waits for no step: it starts at once")
    } else {
      lines.append("waits for")
      for wait in waits.prefix(limit) {
        let condition = wait.needsPassed ? "to pass" : "to end"
        lines.append("  \(name(of: wait.step, from: step)) \(condition)\(wait.isOptional ? ", if it is there" : "")")
        for reason in wait.reasons.prefix(limit) {
          lines.append("    \(reason.text)\(reason.range.map { "  \($0)" } ?? "")")
        }
        if wait.reasons.count > limit { lines.append("    … and \(wait.reasons.count - limit) more reasons") }
      }
      if waits.count > limit { lines.append("  … and more") }
      let direct = Set(waits.map(\.step))
      let before = graph.closure(of: [step], .backward).elements.filter { $0 != step && !isJoin($0) && !direct.contains($0) }
      if !before.isEmpty { lines.append("waits indirectly for \(list(before, from: step, limit: limit))") }
    }
    var later: [Int] = []
    for target in graph.successors(of: step).map(Int.init) where !isJoin(target) { later.append(target) }
    lines.append(later.isEmpty ? "no step waits for it" : "steps that wait for it: \(list(later, from: step, limit: limit))")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Describes the critical path as text: each step of the chain with the longest total duration, the reason why it waits for the previous
  /// step, and its duration if known.
  ///
  /// - Parameter durations: the duration of each step in seconds, in the order of ``steps``; nil for a step that was not measured. By
  ///   default, no step was measured, and the chain with the most steps is described.
  public func criticalPathText(durations: [Double?]? = nil) -> String {
    let path = criticalPath(weights: durations?.map { $0 ?? 0 })
    guard let first = path.first else { return "no steps\n" }
    func time(_ step: Int) -> String { durations.map { "  (\($0[step].map(Plan.durationText) ?? "not measured"))" } ?? "" }
    let whole = durations.map { durations in ", \(Plan.durationText(path.reduce(0) { $0 + (durations[$1] ?? 0) })) in all" } ?? ""
    var lines = ["\(path.count) of \(steps.count) steps one after another\(whole):", "  \(name(of: first, from: first))\(time(first))"]
    for (source, target) in zip(path, path.dropFirst()) {
      let reason = graph.edge(from: source, to: target).flatMap { reasons(of: $0).first }
      let words = reason?.sentence(source: steps[source].step.id) ?? "this step cleans up a step that earlier steps use"
      lines.append("  \(name(of: target, from: first)): \(words)\(time(target))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Describes the statistics of the plan as text.
  ///
  /// - Parameter durations: the duration of each step in seconds, in the order of ``steps``; nil for a step that was not measured. If the
  ///   whole list is nil, as by default, all steps have the same weight.
  public func statisticsText(durations: [Double?]? = nil) -> String {
    let statistics = statistics(weights: durations?.map { $0 ?? 0 })
    let speedUp = (statistics.idealSpeedUp * 10).rounded() / 10
    var lines = [
      "steps            \(statistics.steps)", "edges            \(statistics.edges)", "start at once    \(statistics.roots)",
      "depth            \(statistics.depth)", "width            \(statistics.width)",
    ]
    if let durations {
      let missing = durations.count { $0 == nil }
      if missing > 0 { lines.append("not measured     \(missing)") }
      lines.append("one by one       \(Plan.durationText(statistics.work))")
      lines.append("critical path    \(Plan.durationText(statistics.span))")
    }
    lines.append("ideal speed-up   \(speedUp)×")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Formats a duration in seconds, such as `1.25 s`, `38 ms` or `<1 ms`.
  static func durationText(_ seconds: Double) -> String {
    if seconds > 0, seconds < 0.0005 { return "<1 ms" }
    if seconds < 0.9995 { return "\(Int((seconds * 1000).rounded())) ms" }
    return "\((seconds * 100).rounded() / 100) s"
  }

  /// Returns the id of a step. If the step `other` is in a different file, the id is preceded by the name of the step's file.
  func name(of step: Int, from other: Int) -> String {
    let planned = steps[step]
    return planned.workflowIndex == steps[other].workflowIndex ? planned.step.id : "\(planned.workflow.file.name)#\(planned.step.id)"
  }

  private func list(_ indexes: [Int], from step: Int, limit: Int) -> String {
    let names = indexes.prefix(limit).map { name(of: $0, from: step) }.joined(separator: ", ")
    return indexes.count > limit ? "\(names) … and \(indexes.count - limit) more" : names
  }
}
