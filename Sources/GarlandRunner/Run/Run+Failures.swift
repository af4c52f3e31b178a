import GarlandDiagnostics
import GarlandTransfer
import GarlandPlanner
import GarlandResults
import GarlandWorkflow
import Glibc

/// What becomes of a step whose request failed.
extension Run {
  func failed(_ step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError) {
    var ending: Ending
    let planned = plan.steps[step.index]
    let judged: (failures: [CheckFailure], count: Int)?
    do throws(EvaluationError) {
      let isExpected = planned.step.expectsError && step.haltReason == nil
      judged =
        isExpected
        ? try inTime(planned) { () throws(EvaluationError) in ErrorJudge.judge(error, for: planned.step, in: step.context) } : nil
    } catch let overdue {
      end(step, add(error, of: step, request, to: self.ending(for: overdue, of: planned)))
      return
    }
    if let judged {
      ending = Ending(judged.failures.isEmpty ? .passed : .failed, failures: judged.failures)
      ending.checkCount = judged.count
      if error.isUnreachable { ending.leavesNothing = !step.mayHaveLeft }
    } else if let reason = step.haltReason, error.reason.kind == .cancelled {
      if case .deadline = reason {
        ending = Ending(.error, reason: reason.inWords)
      } else {
        ending = Ending(.notRun, reason: reason.inWords + " while it ran")
      }
    } else if let failure = overdue(step, error) {
      ending = Ending(.failed, failures: [failure] + (step.repeating?.unmet ?? []))
    } else {
      let attempt = RequestAttempt(
        request: request.transfer, error: error, retryCount: step.repeating?.retries ?? 0,
        isBodyRepeatable: request.transfer.body.isRepeatable)
      let label = step.repeating?.label
      var afterthought: String?
      switch step.repeating?.decide(attempt) {
      case .again(let wait, let retry, let limit)? where mayGoOn(step):
        var exchange = recorder.exchange(of: request, error)
        exchange.label = label
        step.exchanges.append(exchange)
        pause(step, for: wait, because: "retry \(retry) of \(limit) after an error: \(error.description)")
        return
      case .stands(let words)?: afterthought = words
      case .again?, nil: break
      }
      endUnanswered(step, request, error, afterthought)
      return
    }
    end(step, add(error, of: step, request, to: ending))
  }

  /// Where the time of a poll was up while its request was under way.
  private func overdue(_ step: ActiveStep, _ error: NetworkingError) -> CheckFailure? {
    guard error.reason.kind == .timeout, let repeating = step.repeating, let left = repeating.pollTimeLeft(at: step.clock.time(at: now)),
      left <= .milliseconds(5),
      let poll = plan.steps[step.index].step.flow.repetition.poll
    else { return nil }
    var failure = PollJudge(poll, step.context).overdue(attempts: repeating.requests)
    failure.help = "the last of them was not answered by then"
    return failure
  }

  /// What a request means that failed for good, with what was found out about its host.
  func ending(
    of step: ActiveStep, _ request: BuiltRequest, _ error: NetworkingError, _ afterthought: String? = nil, _ report: ProbeReport? = nil
  ) -> Ending {
    // What can't even be sent is a mistake in the values, not a trouble on the way, and no host has to answer for a file of this machine.
    let isInvalid = error.reason.kind == .invalidRequest
    let outcome: Outcome = isInvalid ? .failed : error.reason.brokenFile == nil && error.isUnreachable ? .unreachable : .error
    let failure = transportFailure(error, report, plan.steps[step.index])
    var ending = Ending(outcome, reason: afterthought.map { "\(failure.message) (\($0))" } ?? failure.message)
    ending.leavesNothing = (isInvalid || error.isUnreachable) && !step.mayHaveLeft
    ending.failures = [failure]
    return add(error, of: step, request, to: ending)
  }

  private func add(_ error: NetworkingError, of step: ActiveStep, _ request: BuiltRequest, to ending: Ending) -> Ending {
    var ending = ending
    var exchange = recorder.exchange(of: request, error)
    if ending.outcome != .notRun { exchange.curlCommand = curlCommand(step, request) }
    exchange.label = step.repeating?.label
    ending.exchanges = step.exchanges.kept(and: exchange)
    return ending
  }

  func transportFailure(_ error: NetworkingError, _ report: ProbeReport?, _ planned: PlannedStep) -> CheckFailure {
    let request = planned.step.request
    if case .trust(let refusal) = error.reason, case .keyNotPinned(let expected, let found) = refusal.problem {
      var failure = CheckFailure(
        .transport, subject: "request", message: "\(refusal.host) shows none of the pinned keys",
        at: request?.transport.tls.pins.first?.range ?? request?.url.range)
      failure.expected = expected.map(\.description).joined(separator: "\n")
      failure.actual = found.map { "\($0.publicKeyPin) (\($0))" }.joined(separator: "\n")
      failure.help = "if the server has a new key and that is as it should be, pin the new one"
      return failure
    }
    let file = error.reason.brokenFile
    let range =
      switch file {
      case .body?: request?.body?.key.range
      case .download?: request?.download?.range
      case .certificate?: request?.transport.tls.cert?.path.range
      case .authorities?: request?.transport.tls.ca?.path.range
      case .cache?: request?.transport.cache.directory?.range
      case .url?, nil: nil as SourceRange?
      }
    var failure = CheckFailure(
      file == nil ? .transport : .file, subject: file?.rawValue ?? "request",
      message: report.map { Diagnosis.words(for: error, $0) } ?? error.description, at: range ?? request?.url.range)
    if case .download(let file) = error.reason, file.operation == .create, file.detail == systemMessage(EEXIST) {
      failure.help = "`replace: true` in `download` replaces it"
    }
    if case .tls(.alert(let alert), _) = error.reason, alert.isAboutClientCertificate || alert == .handshakeFailure {
      failure.help =
        request?.transport.tls.cert == nil
        ? "send one with `tls: { cert: client.pem, key: client.key }`, in the step or in `defaults`"
        : "see what `tls.cert` has: openssl x509 -noout -subject -issuer -dates -in FILE"
    }
    if case .tls(.untrusted, let detail) = error.reason, detail.contains("self-signed") || detail.contains("issuer certificate") {
      failure.help =
        request?.transport.tls.ca == nil
        ? "if it is one of your own, trust it, or whoever issued it, with `tls: { ca: ca.pem }`, in the step or in `defaults`"
        : "it is not among what `tls.ca` has, and neither is its issuer: openssl s_client -showcerts -connect HOST:PORT shows what the server sends"
    }
    if case .tls(.clientCertificate, let detail) = error.reason, detail.contains("private key") {
      failure.help =
        request?.transport.tls.password == nil
        ? "if it has a passphrase, give it: `tls: { password: '${secrets.KEY_PASSWORD}' }`" : "is `tls.password` the passphrase of the key?"
    }
    return failure
  }
}
