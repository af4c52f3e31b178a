import GarlandResults

extension Run {
  /// Returns one result for each step of a load test. Each returned result represents all results of that step in the load test. If it is a
  /// sample of an error, its times, like those of its requests, count from the start of its repetition.
  func results(of load: RunLoad) -> [StepResult] {
    plan.steps.map { planned in
      let own = load.steps[planned.index]
      let outcome = load.outcome(of: planned.index)
      let sample = own.samples.filter { $0.outcome == outcome }.max { kindCount($0, own) < kindCount($1, own) }
      // The most frequent error represents all errors.
      var result = sample ?? StepResult(step: identities[planned.index], outcome: outcome, startedAt: .zero, endedAt: .zero)
      result.step = identities[planned.index]
      result.iteration = nil
      result.iterationIndex = nil
      result.endsStep = true
      if sample == nil { result = load.withMedianDuration(result) }
      result.isFailureAllowed = load.allowsFailures(of: planned.index)
      if sample == nil, outcome == .notRun { result.reason = "no repetition reached this step" }
      if outcome == .blocked { result.blockedBy = blockers(of: planned.index, load).map { identities[$0] } }
      return result
    }
  }

  /// Returns the steps that `step` depends on and that did not pass in a load test.
  private func blockers(of step: Int, _ load: RunLoad) -> [Int] {
    plan.graph.predecessors(of: step).map(Int.init).filter { !plan.isJoin($0) && load.outcome(of: $0) != .passed }
  }

  private func kindCount(_ sample: StepResult, _ load: StepLoad) -> Int { load.errors[StepLoad.kind(of: sample)] ?? 0 }

  /// Tells the observers that a load test begins (event `runStarted`).
  func announce(load: LoadSettings) { announce(sendsNothing: false, load: load) }
}
