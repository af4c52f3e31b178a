import GarlandDiagnostics
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

extension KindDrivers {
  static var call: any KindDriver { CallDriver() }
}

/// Runs steps that call another document. The transfers of that document use the transfer slots of this run, and all its steps are reported
/// as one step.
private struct CallDriver: KindDriver {
  /// Waits for the `delay` of a call, if the call has one. During the wait, the step holds no transfer slot.
  func prepare(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) throws(EvaluationError) {
    let delay = try run.inTime(planned) { () throws(EvaluationError) in
      try planned.step.flow.repetition.delay?.resolve(in: step.context) ?? .zero
    }
    if step.item.loop == nil { run.post(.waits(step: step.index)) }
    guard delay > .zero else {
      run.goOn(step)
      return
    }
    run.pause(step, for: delay, because: "delay")
  }

  func goOn(_ step: ActiveStep, _ planned: PlannedStep, in run: isolated Run) {
    if let call = planned.step.call { run.beginCall(step, call) }
  }

  /// A call does not wait for a slot itself, so the number of runs that calls start at the same time has its own limit.
  func mostAtWork(in loop: ActiveLoop, of run: isolated Run) -> Int { min(loop.limit, run.configuration.pace.concurrency, 64) }
}

extension Run {
  fileprivate func beginCall(_ step: ActiveStep, _ call: CallTemplate) {
    let planned = plan.steps[step.index]
    var inputs: [Int: Value] = [:]
    do throws(EvaluationError) {
      try inTime(planned) { () throws(EvaluationError) in
        for (index, template) in call.inputs {
          let value = try template.evaluate(in: step.context)
          let input = call.workflow.inputs[index]
          guard let taken = input.taken(value) else {
            throw EvaluationError(input.mismatch(value, at: template.range))
          }
          inputs[index] = taken
        }
      }
    } catch {
      end(step, ending(for: error, of: planned))
      return
    }
    guard let called = plan.plan(called: call.workflow) else {
      end(step, StepEnding(.failed, reason: "\(call.workflow.file.name) can't be planned"))
      return
    }
    var shared: [Int: StoredStep] = [:]
    for (position, ordinal) in call.sharedSteps.enumerated() {
      if let stored = step.context.storedStep(ordinal) { shared[call.workflow.steps.count + position] = stored }
    }
    let recorder = CallRecorder(detail: detail)
    var inner = configuration.forInnerRun
    // The last request of the called document is known only at its end, so up to 64 MiB of every body are kept.
    if configuration.recording.wholeBodyOf == step.index { inner.recording.keptBodyBytes = max(inner.recording.keptBodyBytes, 64 << 20) }
    let caller = Caller(run: self, step: step, shared: shared, hasResources: !planned.step.flow.uses.isEmpty)
    // A variable that takes too long is reported by the steps that use it.
    let computation = computation(of: planned, for: planned)
    let child = computation.run { Run.called(called, inputs: inputs, by: caller, recorder, inner) }
    if computation.hasEnded, let reason = reasonForEnding(planned) {
      end(step, StepEnding(.notRun, reason: reason.inWords))
      return
    }
    calls.runs[ObjectIdentifier(step)] = child
    step.times.startedAt = now
    step.item.loop?.startedAt = step.item.loop?.startedAt ?? step.times.startedAt
    if detail.contains(.lifecycle) { tellStart(of: step, at: now) }
    step.hasSent = true
    child.assumeIsolated { child in
      child.startCalled { self.assumeIsolated { $0.callEnded(step, call, child, recorder) } }
    }
  }

  private func callEnded(_ step: ActiveStep, _ call: CallTemplate, _ child: Run, _ recorder: CallRecorder) {
    // Until the end of the call, this run can stop the called run.
    defer { calls.runs[ObjectIdentifier(step)] = nil }
    guard !step.hasEnded else { return }
    let (summary, outputs) = child.assumeIsolated { ($0.summary, $0.evaluateOutputs()) }
    for notice in recorder.notices where output.noticed.insert(notice.message).inserted { tell(.notice(notice)) }
    var ending: StepEnding
    if summary.counts[.failed, default: 0] > 0 {
      ending = StepEnding(.failed, failures: recorder.failures)
    } else if summary.counts[.error, default: 0] > 0 {
      ending = StepEnding(.error, failures: recorder.failures)
    } else if summary.counts[.unreachable, default: 0] > 0 {
      ending = StepEnding(.unreachable, failures: recorder.failures)
    } else if summary.counts[.notRun, default: 0] > 0 {
      ending = StepEnding(.notRun, reason: stopWords + " while the step ran")
    } else {
      ending = StepEnding(.passed)
    }
    if !recorder.problems.isEmpty {
      ending.reason = "in \(call.workflow.file.name): " + recorder.problems.prefix(3).joined(separator: ", ")
      if recorder.problems.count > 3 { ending.reason? += " and \(recorder.problems.count - 3) more" }
    }
    ending.checkCount = recorder.checkCount
    ending.exchanges = recorder.exchanges.kept
    ending.omittedRequests = recorder.omittedRequests + recorder.exchanges.omittedRequests
    ending.leavesNothing = recorder.exchanges.isEmpty
    for output in outputs {
      switch output {
      case .success(let value):
        value.forEachSecret { configuration.redactor.register($0) }
        ending.extracted.append(value)
      case .failure(let error):
        ending.extracted.append(nil)
        if error.diagnostic.code == .outOfTime, let reason = reasonForEnding(plan.steps[step.index]) {
          ending.outcome = .notRun
          ending.reason = reason.inWords + " while its outputs were evaluated"
          continue
        }
        // After a failure, many values are missing. The failure is the reason, so the missing values are not reported.
        guard ending.outcome == .passed || !error.isUndefined else { continue }
        ending.outcome = .failed
        ending.failures.append(CheckFailure(error))
      }
    }
    end(step, ending)
  }

  // MARK: The called run

  /// Creates the run of a called document.
  private static func called(
    _ plan: Plan, inputs: [Int: Value], by caller: Caller, _ recorder: CallRecorder, _ configuration: RunConfiguration
  ) -> Run {
    var inner = configuration.forInnerRun
    inner.observers = [recorder]
    inner.prints = []
    inner.recording.wholeBodyOf = nil
    inner.pace.expectedDurations = nil
    inner.pace.deadline = nil
    inner.pace.maxFailures = nil
    inner.pace.shuffleSeed = nil
    // Each call generates different test data.
    inner.values.seed = EvaluationServices.seed(
      configuration.values.seed, for: "call", UInt64(caller.step.index), UInt64(caller.step.item.iteration))
    // The calling run assigns the slots.
    inner.pace.concurrency = .max
    inner.pace.perOrigin = .max
    let documents = calledDocuments(of: plan, inputs: inputs, inner)
    return Run(plan, inner, transport: caller.run.transport, documents: documents, caller: caller)
  }

  /// Evaluates the variables and other values that the steps and outputs of a called document use. `plan` is the plan of the called
  /// document. Returns the values of each document in this plan.
  static func calledDocuments(of plan: Plan, inputs: [Int: Value], _ configuration: RunConfiguration) -> [DocumentValues] {
    let given = RunInputs(environment: configuration.environment, secrets: configuration.secrets)
    let registry = RedactorRegistry(redactor: configuration.redactor)
    return plan.workflows.map { workflow in
      var uses = InputUses(of: workflow)
      for planned in plan.steps { uses.add(planned.step.inputs) }
      for output in workflow.outputs { uses.add(output.inputs) }
      uses.close()
      let services = configuration.services(of: workflow, secrets: registry)
      return DocumentValues(workflow, uses: uses, inputs: given, services: services, given: inputs)
    }
  }

  /// Starts this run, which is the run of a called document or a repetition of a load test, without waiting for the end of the run.
  ///
  /// - Parameters:
  ///   - actions: the first actions of the scheduler, if the scheduler has already started; nil otherwise.
  ///   - whenDone: called when this run has ended.
  func startCalled(_ actions: [Scheduler.Action]? = nil, _ whenDone: @escaping @Sendable () -> Void) {
    stage.begins(whenFinished: whenDone)
    joinHosts()
    openPorts()
    perform(actions ?? scheduler.start())
  }

  /// Calls `whenFinished`, which tells the calling run that every step of this run has ended. If logins (runs of `authorize` steps) are
  /// still in progress, `whenFinished` is called after their end.
  func finishCalled(_ whenFinished: @escaping @Sendable () -> Void) {
    leaveHosts()
    let walking = logins.runs.filter { run in !run.assumeIsolated { $0.stage.hasEnded } }
    guard !walking.isEmpty else {
      whenFinished()
      return
    }
    let transport = transport
    Task.detached {
      for run in walking { await run.waitForEnd() }
      transport.perform { whenFinished() }
    }
  }

  /// Evaluates the `outputs` of the called document that this run executes. The calling step receives the values.
  private func evaluateOutputs() -> [Result<Value, EvaluationError>] {
    guard let workflow = plan.workflows.first, let document = documents.first else { return [] }
    return workflow.outputs.map { output in
      let known = Set(output.stepOrdinals).map { ordinal in
        StepContext.Known(step: ordinal, stored: caller?.shared[ordinal] ?? plan.step(ordinal, of: 0).flatMap { ledger.stored($0.index) })
      }
      do throws(EvaluationError) {
        let context = StepContext(document: document, known: known, addresses: addresses(named: output.stepOrdinals, of: 0, for: nil))
        return .success(try atEnd(at: output.value.range) { () throws(EvaluationError) in try output.value.evaluate(in: context) })
      } catch {
        return .failure(error)
      }
    }
  }
}

/// Connects the run of a called document to the calling run. Both use the thread of the same engine.
struct Caller: Sendable {
  /// The run whose step calls the document.
  let run: Run
  /// The step that has called the document, in the calling run. For a step with a loop, one of its items.
  let step: ActiveStep
  /// The stored steps of the calling run whose values the expressions in the called document may use. The keys are the numbers by which
  /// these expressions refer to the steps.
  let shared: [Int: StoredStep]
  /// Whether the call already holds one unit of each resource that the steps of the called document use. If true, the steps of the called
  /// document do not request resources.
  let hasResources: Bool
}
