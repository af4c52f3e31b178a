import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

/// The judgement on a response: the expectations that did not hold, and the extracted values.
package struct Judgement: Sendable {
  /// Everything that did not hold or was not found, in document order.
  package var failures: [CheckFailure]
  /// How many expectations were judged, implicit ones included.
  package var checkCount: Int
  /// The value that each expectation of the step found, in few words; empty unless a report shows it.
  var found: [String?] = []
  /// Snapshots to be written.
  package var snapshots: [SnapshotWrite] = []
  /// Notices for the user.
  package var notices: [Diagnostic] = []
  /// The extracted values, one for each of ``Step/extractions``; nil where no value was found.
  package var extracted: [Value?]
  /// The request for the next page.
  var nextPage: NextPage?

  package init(failures: [CheckFailure] = [], checkCount: Int = 0, extracted: [Value?] = []) {
    self.failures = failures
    self.checkCount = checkCount
    self.extracted = extracted
  }
}

/// The next action for a response.
enum ResponseVerdict: Sendable {
  /// The response is final.
  case judged(Judgement)
  /// The polled condition does not hold yet: the unmet expectations, if it consists of
  /// expectations.
  case notYet([CheckFailure])

  /// The same with the snapshots written that it leaves to be written.
  var settled: ResponseVerdict {
    if case .judged(let judgement) = self { .judged(SnapshotWriter.settled(judgement)) } else { self }
  }
}
