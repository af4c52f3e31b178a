import GarlandDiagnostics
import GarlandYAML

extension DocumentDecoder {
  func decodeFlow(
    _ reader: MappingReader<StepKey>, _ scope: ExpressionScope, _ settings: StepSettings, loop: Loop?, repetition: Repetition,
    quarantine: QuarantineEntry?
  ) -> StepFlow {
    if !reader.has(oneOf: StepKey.flow), settings.saysNothingOfFlow {
      return StepFlow(loop: loop, repetition: repetition, quarantine: quarantine)
    }
    return StepFlow(
      after: reader.value(.after).map { decodeAfter($0) } ?? [], when: reader.value(.when).flatMap { setting($0, scope, as: Bool.self) },
      always: reader.value(.always).flatMap { plainBool($0) } ?? false,
      cleanup: reader.value(.cleanup).flatMap { node in
        guard let id = plainText(node, "the id of a step"), let step = stepOrdinal(id, node.range) else { return nil }
        guard step < names.ownStepCount else {
          report(
            .conflict, "`\(id)` is a step of another document: a cleanup must be in the document of its step", at: node.range,
            help: "write the cleanup there, or run this step with `always: true`")
          return nil
        }
        return StepFlow.Cleanup(step: step, range: node.range)
      }, allowFailure: settings.allowFailure ?? false, loop: loop, repetition: repetition, uses: settings.uses ?? [],
      exclusive: settings.exclusive ?? false, quarantine: quarantine)
  }

  private func decodeAfter(_ node: YAMLNode) -> [StepFlow.After] {
    switch node.content {
    case .scalar:
      guard let id = plainText(node, "the id of a step"), let step = stepOrdinal(id, node.range) else { return [] }
      return [StepFlow.After(step: step, condition: .passed, range: node.range)]
    case .sequence(let items):
      return items.flatMap { item -> [StepFlow.After] in
        guard item.sequence == nil else {
          report(.wrongType, "expected the id of a step, found a list", at: item.range)
          return []
        }
        return decodeAfter(item)
      }
    case .mapping(let mapping):
      var result: [StepFlow.After] = []
      for entry in mapping.entries {
        let step = stepOrdinal(entry.name, entry.key.range)
        let condition = word(entry.value, of: StepFlow.Condition.self)
        if let step, let condition { result.append(StepFlow.After(step: step, condition: condition, range: entry.key.range)) }
      }
      return result
    }
  }

  func stepOrdinal(_ id: String, _ range: SourceRange, besides own: Int? = nil) -> Int? {
    if let ordinal = names.ordinal(of: id) { return ordinal }
    if let dot = id.firstIndex(of: "."), let document = names.uses[String(id[..<dot])] {
      // The mistakes of the other document have already been reported.
      guard let document else { return nil }
      let step = String(id[id.index(after: dot)...])
      if let ordinal = names.foreignStep(step, of: document, named: String(id[..<dot])) { return ordinal }
      let near = Suggestion.nearest(to: step, in: document.workflow.steps.map(\.id)).map { "\(id[...dot])\($0)" }
      report(
        .undefinedStep, "`\(id[..<dot])` has no step `\(Words.excerpt(step))`", at: range, help: near.map { "did you mean `\($0)`?" },
        replacement: near)
      return nil
    }
    let ids = names.stepIDs.enumerated().filter { $0.offset != own }.map(\.element)
    let near = Suggestion.nearest(to: id, in: ids)
    let isFew = !ids.isEmpty && ids.count <= 12
    report(
      .undefinedStep, "there is no step `\(Words.excerpt(id))`", at: range,
      help: near.map { "did you mean `\($0)`?" } ?? (isFew ? "the steps are \(Words.list(ids))" : nil), replacement: near)
    return nil
  }
}
