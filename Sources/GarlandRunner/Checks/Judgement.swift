import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

/// The result of checking a response: the expectations that were not met, and the extracted values.
package struct Judgement: Sendable {
  /// All unmet expectations and failed extractions, in document order.
  package var failures: [CheckFailure]
  /// The number of checked expectations, including default expectations.
  package var checkCount: Int
  /// For each expectation, a short form of the value that was compared. The list is empty if no report shows these values.
  var found: [String?] = []
  /// The snapshot files to write for this response.
  package var snapshots: [SnapshotWrite] = []
  /// Messages for the user that do not make the step fail, such as the notice that a snapshot was written.
  package var notices: [Diagnostic] = []
  /// The extracted values, one for each of ``Step/extractions``; nil where no value was found.
  package var extracted: [Value?]
  /// The request for the next page; nil if there is no next page.
  var nextPage: NextPage?

  package init(failures: [CheckFailure] = [], checkCount: Int = 0, extracted: [Value?] = []) {
    self.failures = failures
    self.checkCount = checkCount
    self.extracted = extracted
  }
}

/// The result of checking a response: a final judgement, or the decision to poll again.
enum ResponseVerdict: Sendable {
  /// The response was checked, and the step does not poll again.
  case judged(Judgement)
  /// The condition of the poll is not met yet, so the step polls again. The associated value contains the unmet expectations, if the
  /// condition consists of expectations.
  case notYet([CheckFailure])

  /// The verdict after the snapshots of the checked response were written. Reading this property writes the snapshots. A snapshot that
  /// can't be written becomes a failure.
  var settled: ResponseVerdict {
    if case .judged(let judgement) = self { .judged(SnapshotWriter.settled(judgement)) } else { self }
  }
}
