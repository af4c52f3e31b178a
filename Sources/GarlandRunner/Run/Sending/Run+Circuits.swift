import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow
import HTTPTypes

/// Handles unreachable hosts. A host is probed once for all steps, so that the steps do not each wait for the same failure.
extension Run {
  /// Whether a step sends its request even to a host that is down. True in these cases:
  /// - The step waits until the machine has a network connection.
  /// - The step has the setting `retry` or `poll`.
  /// - The step expects an error.
  /// - The step continues its stream on a new connection.
  /// - The response may come from a cache.
  private func isAlwaysSent(_ step: ActiveStep, _ request: BuiltRequest) -> Bool {
    request.waitsForConnectivity || request.transfer.settings.cache != nil || step.repeating?.policy != nil || step.repeating?.poll != nil
      || plan.steps[step.index].step.expectsError || (step.incoming.stream?.reconnections ?? 0) > 0
  }

  /// Registers this run with `hosts`, the object that this run shares with the runs of called documents. If one of these runs finds that a
  /// host is down, `hosts` notifies this run, which can then cancel its own requests to the host.
  func joinHosts() {
    guard configuration.sending.diagnosesHosts else { return }
    hosts.began(ObjectIdentifier(self)) { [weak self] key, diagnosis in self?.assumeIsolated { $0.spare(key, diagnosis) } }
  }

  func leaveHosts() { if configuration.sending.diagnosesHosts { hosts.ended(ObjectIdentifier(self)) } }

  // MARK: Before a step is sent

  /// Returns whether the request of a step is held back, and not sent now. There are two cases, and in both this function releases the
  /// step's transfer slot:
  /// - The state of the step's host is not known yet. The step waits until the state is known.
  /// - The host is down. This function also ends the step.
  func isHeldBack(_ step: ActiveStep, _ request: BuiltRequest, _ planned: PlannedStep) -> Bool {
    guard !hosts.areAllWell, !isAlwaysSent(step, request),
      let (decision, trial) = hosts.decide(CircuitKey(origin: step.target.origin, request.transfer.settings), at: configuration.clock())
    else { return false }
    switch decision {
    case .send:
      step.host.trial = trial
      return false
    case .wait:
      step.held = .parked
      hosts.park(CircuitKey(origin: step.target.origin, request.transfer.settings)) { diagnosis in
        self.assumeIsolated { $0.unpark(step, diagnosis) }
      }
      releaseSlot(of: step)
    case .refuse(let diagnosis):
      releaseSlot(of: step)
      end(step, unreachable(step, diagnosis))
    }
    return true
  }

  private func unreachable(_ step: ActiveStep, _ diagnosis: Diagnosis) -> StepEnding {
    let planned = plan.steps[step.index]
    let reason = diagnosis.reason
    var ending = StepEnding(.unreachable, reason: reason)
    ending.failures = [CheckFailure(.transport, subject: "request", message: reason, at: planned.place)]
    ending.leavesNothing = true
    return ending
  }

  // MARK: After it was sent

  /// Records that a host has responded to a request, so that the host counts as reachable.
  func noteAnswer(_ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse) {
    // A response from a cache does not show whether the host is up.
    guard response.source != .cache else { return }
    let method = request.transfer.method
    noteAnswer(of: step.target.origin, to: request.transfer.url, method, request)
    for hop in response.redirects {
      if let origin = origins.number(of: hop.target) { noteAnswer(of: origin, to: hop.target, method, request) }
    }
  }

  /// Records that a host is up although the request failed: the host sent a redirect or the beginning of a response.
  func noteAnswer(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError) {
    guard error.metrics.transactions.first?.source != .cache else { return }
    let method = request.transfer.method
    let last = origin(of: error, step)
    if last != step.target.origin { noteAnswer(of: step.target.origin, to: request.transfer.url, method, request) }
    if error.partialResponse != nil { noteAnswer(of: last, to: error.url ?? request.transfer.url, method, request) }
  }

  private func noteAnswer(of origin: Int, to url: String, _ method: HTTPRequest.Method, _ request: BuiltRequest) {
    hosts.noteAnswer(of: origin, to: url, method, by: request.transfer.settings, at: configuration.clock())
  }

  /// Records the end of a step's trial request, which tested whether a failed host works again. Changes nothing if the host has responded.
  func endTrial(_ trial: Int, of step: ActiveStep) {
    guard let request = step.request else { return }
    hosts.ended(trial: trial, CircuitKey(origin: step.target.origin, request.transfer.settings), at: configuration.clock())
  }

  /// Ends a step whose last attempt failed: immediately, or after a probe of its host has found the cause.
  ///
  /// - Parameter afterthought: the reason why there is no further retry, which is added to the message; nil if no explanation is needed.
  func endUnanswered(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError, _ afterthought: String?) {
    if let diagnosis = step.host.spared, error.reason.kind == .cancelled {
      var ending = unreachable(step, diagnosis)
      ending.exchanges = self.ending(of: step, request, error).exchanges
      end(step, ending)
      return
    }
    let origin = origin(of: error, step)
    guard configuration.sending.diagnosesHosts, step.haltReason == nil, !stage.isAborted, hosts.origin(origin)?.isHTTP == true,
      let suspicion = Suspicion(error, hasAnswered: hosts.hasAnswered(origin, since: stage.beganAt + (step.times.startedAt ?? .zero)))
    else {
      end(step, ending(of: step, request, error, afterthought))
      return
    }
    let key = CircuitKey(origin: origin, request.transfer.settings)
    switch hosts.standing(key, cost: step.times.clock.time(at: now) - (step.times.startedAt ?? now)) {
    case .known(let report):
      end(step, ending(of: step, request, error, afterthought, report))
      return
    case .inQuestion: break
    case .unknown: diagnose(key, step.index, request, error, suspicion)
    }
    step.held = .diagnosed(error, afterthought: afterthought)
    hosts.waitForReport(key) { diagnosis in self.assumeIsolated { $0.endDiagnosed(step, diagnosis) } }
  }

  /// Returns the number that identifies the origin to which the failed request was sent. After a redirect, this origin may differ from the
  /// origin of the step.
  private func origin(of error: NetworkingError, _ step: ActiveStep) -> Int {
    error.url.flatMap { origins.number(of: $0) } ?? step.target.origin
  }

  private func diagnose(_ key: CircuitKey, _ index: Int, _ request: BuiltRequest, _ error: NetworkingError, _ suspicion: Suspicion) {
    guard let inquiry = hosts.inquiry(key, after: error, suspicion, of: request.transfer, on: transport) else { return }
    let transport = transport
    // For the run of a called document, the name of a step alone is ambiguous.
    let finder = caller == nil ? identities[index].id : "\(identities[index].file)#\(identities[index].id)"
    Task.detached(executorPreference: transport.waitExecutor) {
      let report = await inquiry.run()
      transport.perform {
        self.assumeIsolated {
          $0.hosts.concluded(key, Diagnosis(target: inquiry.host, report: report, finder: finder), at: $0.configuration.clock())
        }
      }
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

  /// Cancels the requests to a host that is down. A request is cancelled only if it has no connection yet, and has the same origin and
  /// connection settings as the failed request.
  private func spare(_ key: CircuitKey, _ diagnosis: Diagnosis) {
    for step in work.all { spare(step, key, diagnosis) }
  }

  private func spare(_ step: ActiveStep, _ key: CircuitKey, _ diagnosis: Diagnosis) {
    guard step.held == nil, step.target.origin == key.origin, let request = step.request, let handle = step.handle, step.haltReason == nil,
      !isAlwaysSent(step, request), CircuitKey(origin: step.target.origin, request.transfer.settings) == key
    else { return }
    step.host.spared = diagnosis
    handle.cancelUnlessConnected()
  }
}
