import GarlandResults

extension Run {
  /// The results of the steps of a run that sent load, one for each.
  func results(of load: RunLoad) -> [StepResult] {
    plan.steps.map { planned in
      let own = load.steps[planned.index]
      let outcome = load.outcome(of: planned.index)
      let sample = own.samples.filter { $0.outcome == outcome }.max { kindCount($0, own) < kindCount($1, own) }
      // The most frequent error stands for all.
      var result = sample ?? StepResult(step: identities[planned.index], outcome: outcome, startedAt: .zero, endedAt: load.elapsed)
      result.step = identities[planned.index]
      result.iteration = nil
      result.iterationIndex = nil
      result.endsStep = true
      result.readyAt = .zero
      result.delay = .zero
      result.endedAt = sample?.duration ?? (own.ended == 0 ? .zero : load.elapsed)
      result.startedAt = .zero
      result.isFailureAllowed = planned.step.flow.allowFailure
      if sample == nil, outcome == .notRun { result.reason = "no repetition reached this step" }
      return result
    }
  }

  private func kindCount(_ sample: StepResult, _ load: StepLoad) -> Int { load.errors[LoadRecorder.kind(of: sample)] ?? 0 }

  /// Tells the observers that a run begins which sends load.
  func announce(load: LoadSettings) { announce(sendsNothing: false, load: load) }
}
