import GarlandJSON
import GarlandTransfer
import GarlandPlanner
import GarlandWorkflow

/// Probes hosts before any request is sent.
extension Run {
  /// Probes every origin (scheme, host and port) that is known before the run, in parallel. A probe resolves the name and opens a TCP and
  /// TLS connection, but sends no HTTP request. Each origin is probed with the settings of the first step that uses it.
  ///
  /// These origins are not probed:
  ///
  /// - origins that become known only through responses;
  /// - origins for which `reach` steps wait;
  /// - origins that only steps with an expected `error` use.
  ///
  /// ```swift
  /// let down = await run.preflight(wait: .seconds(60)) { print("waiting:", $0.summary) }.filter { !$0.isReachable }
  /// ```
  /// - Parameters:
  ///   - wait: the maximum time to wait for origins that are down.
  ///   - onFailure: called with the report of each failed attempt that is followed by another attempt.
  /// - Returns: a report for each origin, in the order of the plan.
  package func preflight(
    wait: Duration = .zero, onFailure: @escaping @Sendable (ProbeReport) -> Void = { _ in }
  ) async -> [ProbeReport] {
    let targets = preflightTargets()
    let (probe, clock) = (transport.hostProbe(), transport.clock)
    return await withTaskExecutorPreference(transport.waitExecutor) {
      await withTaskGroup(of: (Int, ProbeReport).self) { group in
        for (index, (target, settings)) in targets.enumerated() {
          group.addTask {
            var probe = probe
            probe.settings = settings
            return (index, await probe.wait(for: target, depth: .connection, atMost: wait, clock: clock, onFailure))
          }
        }
        var reports: [Int: ProbeReport] = [:]
        for await (index, report) in group { reports[index] = report }
        return targets.indices.compactMap { reports[$0] }
      }
    }
  }

  private func preflightTargets() -> [(ProbeTarget, TransferSettings)] {
    var seen: Set<Int> = []
    var targets: [(ProbeTarget, TransferSettings)] = []
    Computation(patience: HeavyWork.longestBuilding, interrupt: configuration.interrupt).run {
      collectTargets(of: plan.steps, plan, documents, &seen, &targets)
    }
    return targets
  }

  /// Returns descriptions of the servers (targets) to which each step sends, as far as they are known before the run. The key is the index
  /// of the step.
  func preflightTargetsBySteps() -> [Int: [String]] {
    let computation = Computation(patience: HeavyWork.longestBuilding, interrupt: configuration.interrupt)
    var found: [Int: [String]] = [:]
    for planned in plan.steps {
      var seen: Set<Int> = []
      var targets: [(ProbeTarget, TransferSettings)] = []
      computation.run { collectTargets(of: CollectionOfOne(planned), plan, documents, &seen, &targets) }
      if !targets.isEmpty { found[planned.index] = targets.map(\.0.description) }
    }
    return found
  }

  /// Collects the servers (targets) to which a plan's steps send requests. If the inputs of a call are already known, also collects the
  /// servers to which the steps of the called document send requests.
  private func collectTargets(
    of steps: some Sequence<PlannedStep>, _ plan: Plan, _ documents: [DocumentValues], _ seen: inout Set<Int>,
    _ targets: inout [(ProbeTarget, TransferSettings)]
  ) {
    let contexts = documents.map { StepContext(document: $0, known: []) }
    var origins = RunOrigins(hosts)
    for planned in steps where !planned.step.expectsError {
      let context = contexts[planned.workflowIndex]
      if let call = planned.step.call, planned.step.flow.loop == nil, let called = plan.plan(called: call.workflow) {
        var inputs: [Int: Value] = [:]
        for (index, template) in call.inputs { inputs[index] = try? template.evaluate(in: context) }
        guard inputs.count == call.inputs.count else { continue }
        collectTargets(of: called.steps, called, Run.calledDocuments(of: called, inputs: inputs, configuration), &seen, &targets)
        continue
      }
      guard let number = origins.number(of: planned, in: context), seen.insert(number).inserted, let origin = origins.origin(number),
        origin.isHTTP
      else {
        continue
      }
      targets.append((ProbeTarget(origin), builder.settings(of: planned, in: context)))
    }
  }
}
