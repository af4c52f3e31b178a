import GarlandAuth
import GarlandDiagnostics
import GarlandJSON
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// Handles the response to a step's request, or the error with which the request ended.
extension Run {
  func received(_ step: ActiveStep, _ result: Result<TransferResponse, NetworkingError>) {
    step.incoming.stream?.timer?.cancel()
    // A signal ends a check of an item before the run handles the signal.
    if step.incoming.items?.isOutOfTime == true { _ = reasonForEnding(plan.steps[step.index]) }
    guard !step.hasEnded, let request = step.request else { return }
    step.handle = nil
    // The slot is released only at the end, so that the steps that waited for this step compete for the slot by their rank. By then, the
    // step may hold another slot for its next page.
    let slot = takeSlot(of: step)
    defer {
      // A response that is being checked keeps its slot, so that the number of bodies that wait for a check never exceeds the number of
      // slots.
      if step.incoming.judging == nil { giveBack(slot) } else { step.line.slot = slot }
      if !step.hasEnded, Self.mayLeave(result) { step.mayHaveLeft = true }
    }
    switch step.incoming.stream?.checked(result) ?? result {
    case .failure(var error):
      // An earlier connection of the same stream reached the host.
      if let reader = step.incoming.stream, reader.reconnections > 0 { error.hasAnswered = true }
      noteAnswer(step, request, error)
      if step.incoming.stream != nil, reconnects(step, request, error) { return }
      if !waitsForNetwork(step, request, error) { failed(step, request, error) }
    case .success(let response):
      noteAnswer(step, request, response)
      step.incoming.stream?.finish()
      let view = ReceivedResponse(
        response, acceptedTypes: request.acceptedTypes, files: configuration.files.files, attempts: step.repeating?.requests ?? 1,
        stream: step.incoming.items?.record)
      let planned = plan.steps[step.index]
      if isEndOfWay(step, request, response) || wantsOtherToken(step, request, response, planned) { return }
      if isRefusedForNow(step, request, response, view, planned) || reconnects(step, request, response) { return }
      judge(step, request, response, view, planned)
    }
  }

  /// Whether a request may have left data on the server. False if the server rejected the request with a status 4xx, or if the request
  /// never reached the server.
  private static func mayLeave(_ result: Result<TransferResponse, NetworkingError>) -> Bool {
    switch result {
    case .success(let response): !(400...499).contains(response.statusCode)
    case .failure(let error): !error.isUnreachable && error.reason.kind != .invalidRequest
    }
  }

  private func judge(
    _ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, _ view: ReceivedResponse, _ planned: PlannedStep
  ) {
    let (context, checks) = (step.context.with(view), checks(of: planned))
    let isLastPoll = step.repeating.map { $0.isLastPoll(at: step.times.clock.time(at: now)) } ?? true
    if !HeavyWork.isNeeded(for: checks.traits, bodySize: view.size) {
      let trial = Computation(patience: HeavyWork.patience)
      let verdict = trial.run { ResponseChecks.verdict(on: view, for: planned.step, checks, isLastPoll: isLastPoll, in: context) }
      if !trial.hasEnded { return judged(step, request, response, view, verdict) }
    }
    let computation = Computation(patience: timeForJudging(response, request).duration)
    step.incoming.judging = Judging(response: response, computation: computation)
    let (transport, snapshots) = (transport, SnapshotRules(isUpdating: configuration.updatesSnapshots, redactor: configuration.redactor))
    Task.detached {
      let verdict = computation.run {
        // JSON that other steps will read is parsed here on another thread, and not at its first use.
        if planned.neededByOthers.contains(.json) { view.prepare(planned.jsonNeededByOthers) }
        let verdict = ResponseChecks.verdict(
          on: view, for: planned.step, checks, isLastPoll: isLastPoll, in: context, snapshots: snapshots)
        return computation.hasEnded ? verdict : verdict.settled
      }
      transport.perform {
        self.assumeIsolated { run in
          step.incoming.judging = nil
          let slot = run.takeSlot(of: step)
          defer { run.giveBack(slot) }
          guard !step.hasEnded else { return }
          if case .judged(let judgement) = verdict { for notice in judgement.notices { run.tell(.notice(notice)) } }
          run.judged(step, request, response, view, verdict)
        }
      }
    }
  }

  /// Returns the time limit for checking a response. It is the shortest of three times: the rest of the step's `deadline`, the step's
  /// `timeout`, and ``HeavyWork/longest``.
  private func timeForJudging(_ response: TransferResponse, _ request: BuiltRequest) -> (duration: Duration, words: String) {
    let settings = request.transfer.settings
    var time = (duration: HeavyWork.longest, words: "the time limit of \(HeavyWork.longest.inWords)")
    if let timeout = settings.idleTimeout, timeout < time.duration { time = (timeout, "the `timeout` of \(timeout.inWords)") }
    if let deadline = settings.deadline, deadline - response.duration < time.duration {
      // A response that arrived just before the deadline is still checked.
      time = (max(deadline - response.duration, .milliseconds(100)), "the `deadline` of \(deadline.inWords)")
    }
    return time
  }

  /// Returns whether the `retry` setting of the step repeats the request because of the response's status. If so, this function schedules
  /// the retry.
  private func isRefusedForNow(
    _ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, _ view: ReceivedResponse, _ planned: PlannedStep
  ) -> Bool {
    // A poll accepts every status. A step that expects this status is also not retried.
    guard step.repeating?.policy != nil, step.repeating?.poll == nil, step.haltReason == nil else { return false }
    guard let isExpected = expects(response, step, request, planned) else { return true }
    guard !isExpected else { return false }
    return sendsAgain(step, request, response, because: "after status \(view.status)") { $0.decide($1) }
  }

  /// Calls `decide` with the response, and returns whether the request is sent again. If so, this function schedules the next attempt.
  private func sendsAgain(
    _ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, because words: String,
    decide: (inout Repeating, RequestAttempt) -> Repeating.Decision
  ) -> Bool {
    guard var repeating = step.repeating else { return false }
    let attempt = RequestAttempt(
      request: request.transfer, response: response, retryCount: repeating.retries, isBodyRepeatable: request.transfer.body.isRepeatable)
    let label = repeating.label
    let decision = decide(&repeating, attempt)
    step.repeating = repeating
    guard case .again(let wait, let retry, let limit) = decision, mayGoOn(step) else { return false }
    if case .file(let file) = response.body { file.discard() }
    var exchange = recorder.exchange(of: request, response, isComplete: true)
    exchange.responseBody?.file = nil
    exchange.label = label
    step.exchanges.append(exchange)
    step.incoming.stream = nil
    pause(step, for: wait, because: "retry \(retry) of \(limit) \(words)")
    return true
  }

  /// Returns whether a step expects the status of a response. If evaluating the expectations of the step takes longer than the time limit,
  /// this function ends the step with a failure and returns nil.
  func expects(_ response: TransferResponse, _ step: ActiveStep, _ request: BuiltRequest, _ planned: PlannedStep) -> Bool? {
    do throws(EvaluationError) {
      return try inTime(planned) { () throws(EvaluationError) in
        planned.step.expects(status: response.statusCode, in: step.context)
      }
    } catch {
      if case .file(let file) = response.body { file.discard() }
      var ending = ending(for: error, of: planned)
      ending.exchanges = step.exchanges.kept(and: recorder.exchange(of: request, response, isComplete: true))
      end(step, ending)
      return nil
    }
  }

  /// Whether a step may send another request. After an abort of the run, this is false for every step. After a stop that cancels running
  /// steps, it is true only for steps that always run, such as cleanups.
  func mayGoOn(_ step: ActiveStep) -> Bool {
    guard !stage.isAborted else { return false }
    return !(scheduler.stopReason?.cancelsTransfers ?? false) || plan.steps[step.index].runsAlways
  }

  private func judged(
    _ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, _ view: ReceivedResponse,
    _ verdict: consuming ResponseVerdict
  ) {
    var judgement: Judgement
    switch consume verdict {
    case .judged(let done): judgement = done
    case .notYet(let unmet): return pollAgain(step, request, response, unmet)
    }
    if let reason = step.haltReason, step.isCutShort {
      return end(step, endingCutShort(step, reason, judgement) { ending(of: step, request, response, view, $0) })
    }
    if case .interrupt? = step.haltReason, judgement.failures.contains(where: \.isOutOfTime) {
      if case .file(let file) = response.body { file.discard() }
      return end(step, StepEnding(.notRun, reason: stopWords + " while the step ran"))
    }
    for index in judgement.failures.indices where judgement.failures[index].isOutOfTime && judgement.failures[index].kind != .file {
      let reason = step.haltReason?.inWords ?? "\(timeForJudging(response, request).words) was reached"
      judgement.failures[index].message = "the evaluation was not finished: \(reason) while the response was checked"
    }
    // This comes first, since a value that a step extracts as a secret must never be shown.
    for value in judgement.extracted { value?.forEachSecret { configuration.redactor.register($0) } }
    if let next = judgement.nextPage, judgement.failures.isEmpty {
      switch turnPage(step, request, response, to: next, extracted: judgement.extracted) {
      case .turned: return
      case .done: break
      case .failed(let failure): judgement.failures.append(failure)
      }
    }
    if let unmet = judgement.failures.first(where: { $0.kind == .expectation }), step.repeating?.retriesExpectations == true,
      step.haltReason == nil,
      sendsAgain(step, request, response, because: "after an expectation that failed: \(unmet.subject)", decide: { $0.decideUnmet($1) })
    {
      return
    }
    explain(&judgement.failures, of: step, request, response)
    end(step, ending(of: step, request, response, view, judgement))
  }

  /// Schedules the next poll after a response for which the condition of the poll is not met.
  private func pollAgain(_ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, _ unmet: [CheckFailure]) {
    let label = step.repeating?.label
    step.repeating?.unmet = unmet
    step.repeating?.pollAgain()
    if case .file(let file) = response.body { file.discard() }
    var exchange = recorder.exchange(of: request, response, isComplete: false)
    exchange.label = label ?? "poll 1"
    step.exchanges.append(exchange)
    guard mayGoOn(step), let poll = step.repeating?.poll else {
      end(step, StepEnding(.notRun, reason: stopWords + " while the step waited to send again"))
      return
    }
    pause(step, for: poll.every, because: "poll \(poll.count + 1)")
  }

  /// Adds explanations to the failures of a step.
  ///
  /// An unexpected status gets likely reasons, such as failed earlier attempts or rejected credentials. If the status is as expected but
  /// another expectation failed, the failure of that expectation can get advice about `retry`.
  private func explain(_ failures: inout [CheckFailure], of step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse) {
    if let words = step.repeating?.wordsForStatus, let index = failures.firstIndex(where: { $0.subject == "status" }) {
      failures[index].message += " (\(words))"
    }
    if !failures.contains(where: { $0.subject == "status" }), let index = failures.firstIndex(where: { $0.kind == .expectation }),
      let advice = step.repeating?.adviceOnExpectation(request.transfer)
    {
      failures[index].help = [failures[index].help, advice].compactMap(\.self).joined(separator: "\n")
    }
    guard let index = failures.firstIndex(where: { $0.subject == "status" && $0.kind == .expectation }) else { return }
    let planned = plan.steps[step.index]
    let lines = RefusedCredential(planned.step, of: planned.workflow, request, response).lines
    if !lines.isEmpty { failures[index].help = (lines + [failures[index].help].compactMap { $0 }).joined(separator: "\n") }
  }

  /// Returns the result of a step whose last response was checked.
  private func ending(
    of step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, _ view: ReceivedResponse, _ judgement: Judgement
  ) -> StepEnding {
    let planned = plan.steps[step.index]
    var ending = StepEnding(CheckFailure.outcome(of: judgement.failures), failures: judgement.failures)
    ending.checkCount = judgement.checkCount
    ending.found = judgement.found
    ending.extracted = step.repeating?.joined(judgement.extracted) ?? judgement.extracted
    if ledger.isUsed(step.index) {
      ending.response =
        ledger.isPrinted(step.index) ? view.kept(for: .everything) : view.kept(for: planned.neededByOthers, planned.jsonNeededByOthers)
    }
    if case .file(let file) = response.body, !isWholeBody(planned) { settle(file, of: planned, &ending) }
    var exchange = recorder.exchange(
      of: request, response, isComplete: ending.outcome != .passed && configuration.explainsFailures)
    if let items = step.incoming.items { exchange.stream = items.summary }
    if ending.outcome == .passed || !configuration.explainsFailures, !detail.contains(.bodies) { exchange.stream?.messages = [] }
    takeWholeBody(of: response, planned, into: &exchange)
    if ending.outcome != .passed {
      if configuration.explainsFailures { exchange.curlCommand = curlCommand(step, request) }
      // The download of a step that did not pass is deleted.
      exchange.responseBody?.file = nil
    }
    exchange.label = step.repeating?.label
    ending.exchanges = step.exchanges.kept(and: exchange)
    // A request that was rejected has created nothing that would have to be removed.
    ending.leavesNothing = ending.outcome == .failed && (400...499).contains(view.status) && !step.mayHaveLeft
    return ending
  }

  private enum PageTurn {
    case turned, done, failed(CheckFailure)
  }

  /// Prepares the request for the next page, and requests a transfer slot for it. The current page has already been checked. Returns `done`
  /// if the page limit of the document is reached.
  private func turnPage(
    _ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, to next: NextPage, extracted: [Value?]
  ) -> PageTurn {
    guard let pagination = plan.steps[step.index].step.flow.repetition.pagination, let isLimitGiven = step.repeating?.pages?.isLimitGiven,
      let limit = step.repeating?.pages?.limit
    else { return .done }
    switch followUp(of: request.transfer, next, on: response.url, pagination) {
    case .failure(let failure): return .failed(failure)
    case .success(let transfer):
      let label = step.repeating?.label
      guard step.repeating?.turnPage(extracted: extracted) ?? false else {
        if isLimitGiven { return .done }
        var failure = CheckFailure(
          .value, subject: "paginate", message: "there are more than \(limit) pages", at: pagination.range)
        failure.help = "to allow more pages, write `limit:` with their number"
        return .failed(failure)
      }
      if case .file(let file) = response.body { file.discard() }
      var exchange = recorder.exchange(of: request, response, isComplete: false)
      exchange.label = label ?? "page 1"
      step.exchanges.append(exchange)
      guard mayGoOn(step) else {
        end(step, StepEnding(.notRun, reason: stopWords + " while the step fetched further pages"))
        return .turned
      }
      step.request?.transfer = transfer
      step.changing.page = PageInTurn(url: transfer.url, changes: next.changes)
      lineUp(step)
      return .turned
    }
  }

  /// Returns the request for the next page, or the failure that explains why the request can't be created.
  private func followUp(
    of request: TransferRequest, _ next: NextPage, on page: String, _ pagination: Pagination
  ) -> Result<TransferRequest, CheckFailure> {
    next.resolve(on: page, own: request.url, pagination).flatMap { url in
      var request = request
      request.url = url
      do throws(CheckFailure) {
        try next.changes?.apply(to: &request, pagination)
      } catch {
        return .failure(error)
      }
      return .success(request)
    }
  }

  /// Moves a download to its final path if the step has passed; otherwise deletes the downloaded file.
  private func settle(_ file: DownloadedFile, of planned: PlannedStep, _ ending: inout StepEnding) {
    guard ending.outcome == .passed else {
      file.discard()
      return
    }
    configuration.files.willWrite?(file.targetPath)
    do throws(NetworkingError) {
      try file.commit()
    } catch {
      ending.outcome = .error
      ending.reason = error.description
      ending.failures = [.transport(error, nil, planned.step.request)]
    }
  }

  /// Returns a curl command that sends the request of the step, with secrets as shell variables. Comment lines above the command name the
  /// variables that the user's environment lacks.
  func curlCommand(_ step: ActiveStep, _ request: BuiltRequest) -> String {
    let document = documents[plan.steps[step.index].workflowIndex]
    var variables = ShellVariables()
    variables.add(document, item: step.context.item)
    for (source, stored) in ledger.used(by: step.index) {
      let name = document.workflow.name(ofStep: Int(source.ordinal))
      variables.add(stored, of: plan.steps[Int(source.index)].step, known: name)
    }
    variables.addTokens(of: document)
    var transfer = request.transfer
    let action = plan.steps[step.index].step.action
    var limits = [action.limitOfCurl, transfer.addUpgrade(of: action, knownIn: step.context)].compactMap { $0 }
    // Each request is signed when it is sent.
    if let signer = request.signer, let signed = try? signer.signed(transfer) { transfer = signed }
    variables.addRest(document, transfer) { configuration.redactor.redact($0) != $0 }
    let command = variables.command(for: transfer)
    var comments = command.variables.filter { !$0.isDeclared }.map { "# \($0.name): \($0.meaning)\n" }
    if request.signer?.isPlain == false { limits.append("the signature is valid only for a short time") }
    comments += limits.map { "# \($0)\n" }
    return comments.joined() + command.text
  }

  // MARK: Values that could not be evaluated

  /// Returns the result of a step that fails because an expression in it uses an undefined or invalid value.
  func ending(for error: EvaluationError, of planned: PlannedStep) -> StepEnding {
    if error.diagnostic.code == .outOfTime, let reason = reasonForEnding(planned) { return StepEnding(.notRun, reason: reason.inWords) }
    if planned.runsAlways, error.isUndefined, let culprit = culprit(for: error, of: planned) {
      // A cleanup runs after any outcome of other steps, so a missing value of these steps is not a failure of the cleanup.
      if planned.step.flow.cleanup?.step == plan.steps[culprit].step.ordinal {
        return StepEnding(.skipped, reason: "nothing to clean up for \(standing(of: culprit))")
      }
      var ending = StepEnding(.blocked, reason: "needs \(standing(of: culprit))")
      ending.blockedBy = [culprit]
      return ending
    }
    let failure = CheckFailure(error)
    return StepEnding(CheckFailure.outcome(of: [failure]), failures: [failure])
  }

  /// Returns the failed step that should have provided a missing value; nil if no failed step is the cause.
  private func culprit(for error: EvaluationError, of planned: PlannedStep) -> Int? {
    guard let place = error.diagnostic.range else { return nil }
    for reference in planned.step.references
    where reference.member != .address && reference.range.file === place.file && reference.range.offsets.overlaps(place.offsets) {
      guard let source = plan.step(reference.target, of: planned.workflowIndex)?.index else { continue }
      if ledger.outcome(of: source) != .passed { return source }
    }
    return nil
  }

  func ending(for refusal: RequestRefusal, of planned: PlannedStep) -> StepEnding {
    switch refusal {
    case .value(let error): return ending(for: error, of: planned)
    case .file(let failure): return StepEnding(.error, reason: failure.message, failures: [failure])
    case .request(let failure): return StepEnding(.failed, failures: [failure])
    }
  }
}

extension ResponseNeeds {
  /// All parts of a response.
  static let everything: ResponseNeeds = [.json, .text, .headers, .cookies, .facts, .extracts, .items]
}
