import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow
import HTTPTypes

/// Hosts that can't be reached: found out about once, and not paid for by every step anew.
extension Run {
  /// How long a diagnosis may take.
  private static let longestDiagnosis = Duration.seconds(3)
  private static let shortestDiagnosis = Duration.milliseconds(500)

  /// Whether a step is sent whatever is known of its host by then: it waits for the network, tries again by itself, wants to see the failure, or may have its
  /// response from a cache.
  private func isAlwaysSent(_ step: ActiveStep, _ request: BuiltRequest) -> Bool {
    request.waitsForConnectivity || request.transfer.settings.cache != nil || step.repeating?.policy != nil || step.repeating?.poll != nil
      || plan.steps[step.index].step.expectsError
  }

  // MARK: Before a step is sent

  /// Whether a step, which has a slot, is not sent for now, or not at all. Then the slot is given back.
  func isHeldBack(_ step: ActiveStep, _ request: BuiltRequest, _ planned: PlannedStep) -> Bool {
    guard !hosts.circuits.isEmpty, !isAlwaysSent(step, request) else { return false }
    let key = CircuitKey(origin: step.origin, request.transfer.settings)
    guard var circuit = hosts.circuits[key] else { return false }
    let trial = hosts.nextTrial()
    let decision = circuit.decide(for: trial, at: configuration.clock())
    hosts.circuits[key] = circuit
    switch decision {
    case .send:
      step.trial = trial
      return false
    case .wait:
      step.held = .parked
      hosts.parked[key, default: []].append(Hosts.Held(run: self, step: step))
      releaseSlot(of: step)
    case .refuse(let diagnosis):
      releaseSlot(of: step)
      end(step, unreachable(step, diagnosis))
    }
    return true
  }

  private func unreachable(_ step: ActiveStep, _ diagnosis: Diagnosis) -> Ending {
    let planned = plan.steps[step.index]
    let reason = diagnosis.reason
    var ending = Ending(.unreachable, reason: reason)
    ending.failures = [CheckFailure(.transport, subject: "request", message: reason, at: planned.place)]
    ending.leavesNothing = true
    return ending
  }

  // MARK: After it was sent

  /// A host has answered.
  func noteAnswer(_ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse) {
    // A cache needs no host.
    guard response.source != .cache else { return }
    let method = request.transfer.method
    noteAnswer(of: step.origin, to: request.transfer.url, method, request)
    for hop in response.redirects {
      if let origin = origins.number(of: hop.target) { noteAnswer(of: origin, to: hop.target, method, request) }
    }
  }

  /// A host that has sent a step elsewhere, or the beginning of a response, is there, whatever comes of it.
  func noteAnswer(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError) {
    guard error.metrics.transactions.first?.source != .cache else { return }
    let method = request.transfer.method
    let last = origin(of: error, step)
    if last != step.origin { noteAnswer(of: step.origin, to: request.transfer.url, method, request) }
    if error.partialResponse != nil { noteAnswer(of: last, to: error.url ?? request.transfer.url, method, request) }
  }

  private func noteAnswer(of origin: Int, to url: String, _ method: HTTPRequest.Method, _ request: BuiltRequest) {
    hosts.noteAnswer(of: origin, to: url, method, at: configuration.clock())
    guard !hosts.circuits.isEmpty else { return }
    let key = CircuitKey(origin: origin, request.transfer.settings)
    // One that is being looked into comes to its end by itself.
    if hosts.circuits[key]?.isDiagnosing == true { hosts.circuits[key]?.noteAnswer() } else { hosts.circuits[key] = nil }
  }

  /// A step that was let through has ended. If it had an answer there is nothing left to be told.
  func endTrial(_ trial: Int, of step: ActiveStep) {
    guard let request = step.request else { return }
    hosts.circuits[CircuitKey(origin: step.origin, request.transfer.settings)]?.ended(trial, at: configuration.clock())
  }

  /// Ends a step whose request failed for good: at once, or when it is known why.
  func endUnanswered(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError, _ afterthought: String?) {
    if let diagnosis = step.spared, error.reason.kind == .cancelled {
      var ending = unreachable(step, diagnosis)
      ending.exchanges = self.ending(of: step, request, error).exchanges
      end(step, ending)
      return
    }
    let origin = origin(of: error, step)
    let hasAnswered = hosts.answers(of: origin).map { $0.last > beganAt + (step.startedAt ?? .zero) } ?? false
    guard step.haltReason == nil, !isAborted, origins.origin(origin)?.isHTTP == true,
      let suspicion = Suspicion(error, hasAnswered: hasAnswered)
    else {
      end(step, ending(of: step, request, error, afterthought))
      return
    }
    let key = CircuitKey(origin: origin, request.transfer.settings)
    if let circuit = hosts.circuits[key] {
      guard circuit.isDiagnosing else {
        end(step, ending(of: step, request, error, afterthought, circuit.diagnosis?.report))
        return
      }
    } else {
      hosts.circuits[key] = Circuit(cost: step.clock.time(at: now) - (step.startedAt ?? now))
      diagnose(key, step.index, request, error, suspicion)
    }
    step.held = .diagnosed(error, afterthought: afterthought)
    hosts.diagnosed[key, default: []].append(Hosts.Held(run: self, step: step))
  }

  /// The number of the origin that failed: after a redirect it is not that of the step.
  private func origin(of error: NetworkingError, _ step: ActiveStep) -> Int {
    error.url.flatMap { origins.number(of: $0) } ?? step.origin
  }

  /// What is asked to find out why a host did not answer.
  private struct Inquiry: Sendable {
    var target: ProbeTarget
    var depth: ReachabilityProbe.Depth
    var method = ProbeMethod.head
    var limit: Duration
  }

  private func inquiry(about host: ProbeTarget, _ origin: Int, after error: NetworkingError, _ suspicion: Suspicion, _ url: String)
    -> Inquiry
  {
    // Not longer than what was waited for already.
    let paid = error.reason.timeout?.duration ?? Run.longestDiagnosis
    let limit = max(min(paid, Run.longestDiagnosis), Run.shortestDiagnosis)
    guard suspicion == .answer else { return Inquiry(target: host, depth: .connection, limit: limit) }
    guard let answers = hosts.answers(of: origin) else { return Inquiry(target: host, depth: .answer, limit: limit) }
    // A host that has answered is given up only if it falls silent where it has answered before: not for what one path does.
    guard let place = answers.place(otherThan: error.url ?? url), let target = try? ProbeTarget(place.url) else {
      return Inquiry(target: host, depth: .connection, limit: limit)
    }
    return Inquiry(target: target, depth: .answer, method: place.isGet ? .get : .head, limit: max(paid, limit))
  }

  private func diagnose(_ key: CircuitKey, _ index: Int, _ request: BuiltRequest, _ error: NetworkingError, _ suspicion: Suspicion) {
    guard let origin = origins.origin(key.origin) else { return }
    let host = ProbeTarget(origin)
    let inquiry = inquiry(about: host, key.origin, after: error, suspicion, request.transfer.url)
    var probe = hosts.probe ?? ReachabilityProbe()
    hosts.probe = probe
    probe.settings = request.transfer.settings
    probe.limit = inquiry.limit
    let engine = engine
    let look = probe
    // In the run of a called document the name of a step alone says too little.
    let finder = caller == nil ? identities[index].id : "\(identities[index].file)#\(identities[index].id)"
    Task.detached {
      let report = await look.run(inquiry.target, depth: inquiry.depth, method: inquiry.method)
      engine.perform {
        self.assumeIsolated { $0.concluded(key, Diagnosis(target: host.description, report: report, finder: finder)) }
      }
    }
  }

  private func concluded(_ key: CircuitKey, _ diagnosis: Diagnosis) {
    let isDown = diagnosis.isDown && hosts.circuits[key]?.hasAnswered == false
    if isDown {
      hosts.circuits[key]?.open(diagnosis, at: configuration.clock())
      // Before anybody new is on the way, who is let through on purpose.
      if diagnosis.report.failure?.kind != .noHTTP {
        for run in hosts.runs { run.assumeIsolated { $0.spare(key, diagnosis) } }
      }
    } else {
      hosts.circuits[key] = nil
    }
    for held in hosts.diagnosed.removeValue(forKey: key) ?? [] {
      held.run.assumeIsolated { $0.endDiagnosed(held.step, diagnosis) }
    }
    for held in hosts.parked.removeValue(forKey: key) ?? [] {
      held.run.assumeIsolated { $0.unpark(held.step, isDown ? diagnosis : nil) }
    }
  }

  private func endDiagnosed(_ step: ActiveStep, _ diagnosis: Diagnosis) {
    guard !step.hasEnded, let request = step.request, case .diagnosed(let error, let afterthought)? = step.held else { return }
    step.held = nil
    end(step, ending(of: step, request, error, afterthought, diagnosis.report))
  }

  private func unpark(_ step: ActiveStep, _ diagnosis: Diagnosis?) {
    guard !step.hasEnded, case .parked? = step.held else { return }
    step.held = nil
    if let diagnosis { end(step, unreachable(step, diagnosis)) } else { lineUp(step) }
  }

  /// Those that are on their way to the same end need not go there.
  private func spare(_ key: CircuitKey, _ diagnosis: Diagnosis) {
    for case let step? in active { spare(step, key, diagnosis) }
    for loop in loops.values { for step in loop.active.values { spare(step, key, diagnosis) } }
  }

  private func spare(_ step: ActiveStep, _ key: CircuitKey, _ diagnosis: Diagnosis) {
    guard step.held == nil, step.origin == key.origin, let request = step.request, let handle = step.handle, step.haltReason == nil,
      !isAlwaysSent(step, request), CircuitKey(origin: step.origin, request.transfer.settings) == key
    else { return }
    step.spared = diagnosis
    handle.cancelUnlessConnected()
  }
}
