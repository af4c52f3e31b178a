import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// Checks a response against the expectations of a step, and extracts values. This is a pure function: the same response always has the
/// same result.
enum ResponseChecks {
  /// Checks a response. If the step must poll again, only the poll condition is checked.
  ///
  /// - Parameter isLastPoll: whether there is no time for another poll. An unmet poll condition is then a failure.
  static func verdict(
    on response: some ResponseView, for step: Step, _ prepared: PreparedChecks, isLastPoll: Bool, in context: any EvaluationContext,
    snapshots: SnapshotRules = SnapshotRules()
  ) -> ResponseVerdict {
    Shown.masking(secretsOf: context) {
      decide(on: response, for: step, prepared, isLastPoll: isLastPoll, in: context, snapshots: snapshots)
    }
  }

  private static func decide(
    on response: some ResponseView, for step: Step, _ prepared: PreparedChecks, isLastPoll: Bool, in context: any EvaluationContext,
    snapshots: SnapshotRules
  ) -> ResponseVerdict {
    var found: [CheckFailure] = []
    if let poll = step.flow.repetition.poll {
      switch PollJudge(poll, context).judge(response, of: step, isLast: isLastPoll) {
      case _ where Computation.hasEnded: return .judged(Judgement(failures: [.outOfTime("poll.until", at: poll.untilRange)]))
      case .done: break
      case .notYet(let unmet): return .notYet(unmet)
      case .failed(let failures): found = failures
      }
    }
    var judgement = judge(response, for: step, prepared, in: context, snapshots: snapshots)
    if step.request?.stream != nil || response.stream != nil {
      found += response.stream?.failures ?? StreamChecks.missing(response, of: step, besides: judgement.failures)
      judgement.checkCount += response.stream?.checkCount ?? 1
    }
    judgement.failures.insert(contentsOf: found, at: 0)
    if step.flow.repetition.poll != nil { judgement.checkCount += 1 }
    if judgement.failures.isEmpty, let pagination = step.flow.repetition.pagination {
      do throws(EvaluationError) {
        judgement.nextPage = try NextPage.find(after: response, pagination, in: context)
      } catch {
        judgement.failures.append(CheckFailure(error))
      }
    }
    if Computation.hasEnded, !judgement.failures.contains(where: \.isOutOfTime) {
      judgement.failures = [.outOfTime("response", at: step.request?.method.range ?? step.range)]
    }
    return .judged(judgement)
  }

  /// Checks all expectations, even after one has failed, so that the user sees all mistakes at once. Values are extracted even if
  /// expectations failed.
  static func judge(
    _ response: some ResponseView, for step: Step, _ prepared: PreparedChecks? = nil, in context: any EvaluationContext,
    snapshots: SnapshotRules = SnapshotRules()
  ) -> Judgement {
    let prepared = prepared ?? PreparedChecks(of: step)
    var judge = ExpectationJudge(step: step, response: response, context: context, snapshots: snapshots, paths: prepared.bodyPaths)
    judge.judgeAll(prepared.traits)
    guard !step.extractions.isEmpty, !Computation.hasEnded else {
      var judgement = Judgement(failures: judge.failures, checkCount: judge.checkCount)
      judgement.snapshots = judge.snapshotWrites
      judgement.found = judge.foundWords
      if !judgement.failures.isEmpty { RepeatedNames.tell(of: response, in: &judgement.failures) }
      return judgement
    }
    var extractor = Extractor(response: response, context: context, values: judge.values)
    var judgement = Judgement(failures: judge.failures, checkCount: judge.checkCount)
    judgement.snapshots = judge.snapshotWrites
    judgement.found = judge.foundWords
    judgement.extracted.reserveCapacity(step.extractions.count)
    for (position, extraction) in step.extractions.enumerated() {
      if case .item = extraction.source {
        judgement.extracted.append(response.stream.flatMap { $0.extracted.indices.contains(position) ? $0.extracted[position] : nil })
        continue
      }
      let (value, failure) = extractor.extract(extraction)
      if Computation.hasEnded {
        judgement.failures.append(.outOfTime(extraction.subject, at: extraction.range))
        return judgement
      }
      judgement.extracted.append(value)
      if let failure { judgement.failures.append(failure) }
    }
    if !judgement.failures.isEmpty { RepeatedNames.tell(of: response, in: &judgement.failures) }
    return judgement
  }
}
