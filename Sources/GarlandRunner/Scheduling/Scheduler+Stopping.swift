/// Ends a run before all steps have run.
extension Scheduler {
  mutating func stop(_ reason: StopReason, sparesTransfers: Bool, _ actions: inout [Action]) {
    guard !isAborted else { return }
    let isFirst = stopReason == nil
    // A later reason replaces the first one only if it is stricter: an interrupt after `--fail-fast` still cancels running steps.
    guard isFirst || (reason.cancelsTransfers && stopReason?.cancelsTransfers == false) else { return }
    stopReason = reason
    actions.append(.stopped(reason))
    guard reason.cancelsTransfers else {
      halt(.untilEnd, &actions)
      return
    }
    // The object to clean up may already exist when its request is cancelled, and then its name would be unknown.
    let cleaned = graph.cleanedSteps
    halt(.notAtAll, sparing: { sparesTransfers || cleaned.contains($0) }, &actions)
  }

  mutating func abort(_ actions: inout [Action]) {
    guard !isAborted else { return }
    isAborted = true
    halt(.notAtAll, includingAlways: true, &actions)
  }

  private mutating func halt(
    _ leeway: Leeway, includingAlways: Bool = false, sparing: (Int) -> Bool = { _ in false }, _ actions: inout [Action]
  ) {
    for step in graph.steps.indices where includingAlways || !graph.steps[step].isAlways {
      switch states[step].phase {
      case .waiting, .ended: continue
      case .beginning, .active:
        actions.append(.halt(step: step, sparing(step) ? .untilTransferEnds : leeway))
      case .queued:
        states[step].standing = .notRun
        actions.append(.conclude(step: step, .notRun(stopReason)))
        settle(step, &actions)
      }
    }
    // A step that will be halted must not get the slot that another halted step releases.
    if !isPausing {
      isPausing = true
      actions.append(.pause)
    }
  }
}
