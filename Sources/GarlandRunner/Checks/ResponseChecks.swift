import GarlandDiagnostics
import GarlandJSON
import GarlandResults
import GarlandWorkflow

/// Judges a response by what a step expects of it, and takes out of it what the step extracts. Pure: the same response gives the same judgement.
enum ResponseChecks {
  /// Judges everything, whatever fails: a reader should see all that is wrong at once. What is extracted does not depend on what was expected.
  static func judge(
    _ response: some ResponseView, for step: Step, in context: any EvaluationContext, snapshots: SnapshotRules = SnapshotRules()
  ) -> Judgement {
    var judge = ExpectationJudge(step: step, response: response, context: context, snapshots: snapshots)
    judge.judgeAll()
    var extractor = Extractor(response: response, context: context, values: judge.values)
    var judgement = Judgement(failures: judge.failures, checkCount: judge.checkCount)
    judgement.snapshots = judge.snapshotWrites
    judgement.extracted.reserveCapacity(step.extractions.count)
    for extraction in step.extractions {
      let (value, failure) = extractor.extract(extraction)
      judgement.extracted.append(value)
      if let failure { judgement.failures.append(failure) }
    }
    return judgement
  }
}
