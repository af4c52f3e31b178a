import GarlandDiagnostics
import GarlandNetworking
import GarlandPlanner
import GarlandResults
import GarlandWorkflow

/// What happens when a response, or an error, arrives.
extension Run {
  /// How a step ended.
  struct Ending {
    var outcome: Outcome
    var reason: String?
    var blockedBy: [Int] = []
    var failures: [CheckFailure] = []
    var checkCount = 0
    var exchanges: [Exchange] = []
    var extracted: [Value?] = []
    var response: ReceivedResponse?
    /// Whether the server holds nothing because of it. Nil: decided by whether anything was sent.
    var leavesNothing: Bool?

    init(_ outcome: Outcome, reason: String? = nil, failures: [CheckFailure] = []) {
      self.outcome = outcome
      self.reason = reason
      self.failures = failures
    }
  }

  func received(_ index: Int, _ result: Result<TransferResponse, NetworkingError>) {
    guard let step = active[index], let request = step.request else { return }
    let origin = step.origin
    switch result {
    case .failure(let error):
      failed(step, request, error)
      post(.transferEnded(origin: origin))
    case .success(let response):
      let view = ReceivedResponse(response, acceptedTypes: request.acceptedTypes, files: configuration.files.files)
      let planned = plan.steps[index]
      let context = step.context.with(view)
      guard HeavyWork.isNeeded(for: planned.step, bodySize: view.size) else {
        // The slot is given back only now, so that those who waited for this step compete for it by their rank.
        judged(step, request, response, view, ResponseChecks.judge(view, for: planned.step, in: context))
        post(.transferEnded(origin: origin))
        return
      }
      post(.transferEnded(origin: origin))
      let engine = engine
      let snapshots = SnapshotRules(isUpdating: configuration.updatesSnapshots, redactor: configuration.redactor)
      Task.detached {
        // What others will look at is parsed here as well, and not when they do.
        if planned.step.neededByOthers.contains(.json) { _ = try? view.json() }
        let judgement = SnapshotWriter.settled(ResponseChecks.judge(view, for: planned.step, in: context, snapshots: snapshots))
        engine.perform {
          self.assumeIsolated { run in
            guard let step = run.active[index] else { return }
            for notice in judgement.notices { run.tell(.notice(notice)) }
            run.judged(step, request, response, view, judgement)
          }
        }
      }
    }
  }

  private func judged(
    _ step: ActiveStep, _ request: BuiltRequest, _ response: TransferResponse, _ view: ReceivedResponse, _ judgement: Judgement
  ) {
    var ending = Ending(judgement.failures.isEmpty ? .passed : .failed, failures: judgement.failures)
    ending.checkCount = judgement.checkCount
    ending.extracted = judgement.extracted
    // Before anything else sees them: what a step takes out as a secret must never be shown.
    for value in judgement.extracted { value?.forEachSecret { configuration.redactor.register($0) } }
    let needs = printed.contains(step.index) ? .everything : plan.steps[step.index].step.neededByOthers
    if userCounts[step.index] > 0 { ending.response = view.kept(for: needs) }
    if case .file(let file) = response.body { settle(file, &ending) }
    var exchange = recorder.exchange(of: request, response, isComplete: ending.outcome != .passed)
    if ending.outcome != .passed { exchange.curlCommand = curlCommand(step, request) }
    ending.exchanges = [exchange]
    // A request that was refused has made nothing that would have to be removed.
    ending.leavesNothing = ending.outcome == .failed && (400...499).contains(view.status)
    end(step, ending)
  }

  /// A download is put into its place only if it is complete, and is what was expected.
  private func settle(_ file: DownloadedFile, _ ending: inout Ending) {
    guard ending.outcome == .passed else {
      file.discard()
      return
    }
    do throws(NetworkingError) {
      try file.commit()
    } catch {
      ending.outcome = .error
      ending.reason = error.description
    }
  }

  private func failed(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError) {
    var ending: Ending
    let planned = plan.steps[step.index]
    if planned.step.expectsError, step.haltReason == nil, let judged = ErrorJudge.judge(error, for: planned.step, in: step.context) {
      ending = Ending(judged.failures.isEmpty ? .passed : .failed, failures: judged.failures)
      ending.checkCount = judged.count
      if error.isUnreachable { ending.leavesNothing = true }
    } else if let reason = step.haltReason, error.reason.kind == .cancelled {
      if case .deadline = reason {
        ending = Ending(.error, reason: reason.inWords)
      } else {
        ending = Ending(.notRun, reason: reason.inWords + " while it ran")
      }
    } else {
      // What can't even be sent is a mistake in the values, not a trouble on the way.
      let outcome: Outcome = error.reason.kind == .invalidRequest ? .failed : error.isUnreachable ? .unreachable : .error
      ending = Ending(outcome, reason: error.description)
      ending.leavesNothing = outcome != .error
      ending.failures = [transportFailure(error, plan.steps[step.index])]
    }
    var exchange = recorder.exchange(of: request, error)
    if ending.outcome != .notRun { exchange.curlCommand = curlCommand(step, request) }
    ending.exchanges = [exchange]
    end(step, ending)
  }

  private func transportFailure(_ error: NetworkingError, _ planned: PlannedStep) -> CheckFailure {
    let request = planned.step.request
    let range: SourceRange
    switch error.reason.kind {
    case .upload: range = request.body?.key.range ?? request.url.range
    case .download: range = request.download?.range ?? request.url.range
    default: range = request.url.range
    }
    return CheckFailure(.transport, subject: "request", message: error.description, at: range)
  }

  private func curlCommand(_ step: ActiveStep, _ request: BuiltRequest) -> String {
    let document = documents[plan.steps[step.index].workflowIndex]
    var variables = ShellVariables(document.namedSecrets)
    for source in sources[step.index] {
      guard let stored = stored[Int(source)] else { continue }
      let planned = plan.steps[Int(source)].step
      for (extraction, value) in zip(planned.extractions, stored.extracted) {
        value?.forEachSecret { variables.add($0, name: "\(planned.id)_\(extraction.name.value)") }
      }
    }
    return CURLCommand(request.transfer, secrets: variables.secrets).text
  }

  // MARK: Values that could not be made

  /// What an undefined or refused value means for a step.
  func ending(for error: EvaluationError, of planned: PlannedStep) -> Ending {
    if planned.runsAlways, error.isUndefined, let culprit = culprit(for: error, of: planned) {
      // It runs however others ended; when what it needs of them is not there, that is no fault of its own.
      if planned.step.flow.cleanup?.step == plan.steps[culprit].step.ordinal {
        return Ending(.skipped, reason: "nothing to clean up: \(standing(of: culprit))")
      }
      var ending = Ending(.blocked, reason: "needs \(standing(of: culprit))")
      ending.blockedBy = [culprit]
      return ending
    }
    return Ending(.failed, failures: [CheckFailure(error)])
  }

  /// The step that did not pass and whose value is missing.
  private func culprit(for error: EvaluationError, of planned: PlannedStep) -> Int? {
    guard let place = error.diagnostic.range else { return nil }
    for reference in planned.step.references
    where reference.range.file === place.file && reference.range.offsets.overlaps(place.offsets) {
      guard let source = plan.step(reference.target, of: planned.workflowIndex)?.index else { continue }
      if outcomes[source] != .passed { return source }
    }
    return nil
  }

  func ending(for refusal: RequestRefusal, of planned: PlannedStep) -> Ending {
    switch refusal {
    case .value(let error): return ending(for: error, of: planned)
    case .file(let failure): return Ending(.error, reason: failure.message, failures: [failure])
    case .request(let failure): return Ending(.failed, failures: [failure])
    }
  }
}

extension ResponseNeeds {
  /// All that can be looked at.
  static let everything: ResponseNeeds = [.json, .text, .headers, .cookies, .facts, .extracts]
}

extension CheckFailure {
  /// Of a value that could not be made.
  init(_ error: EvaluationError) {
    let diagnostic = error.diagnostic
    self.init(.value, subject: diagnostic.code == "form" ? "submit" : diagnostic.range?.text ?? "value", message: diagnostic.message, at: diagnostic.range)
    help = diagnostic.helps.first?.message
  }
}
