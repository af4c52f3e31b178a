import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

/// The result of checking a response: the expectations that were not met, and the extracted values.
package struct Judgement: Sendable {
  /// All unmet expectations and failed extractions, in document order.
  package var failures: [CheckFailure]
  /// The number of checked expectations, including implicit ones.
  package var checkCount: Int
  /// The value that each expectation of the step found, in short form; empty unless a report shows these values.
  var found: [String?] = []
  /// The snapshots that must be written.
  package var snapshots: [SnapshotWrite] = []
  /// Notices for the user.
  package var notices: [Diagnostic] = []
  /// The extracted values, one for each of ``Step/extractions``; nil where no value was found.
  package var extracted: [Value?]
  /// The request for the next page; nil if there is none.
  var nextPage: NextPage?

  package init(failures: [CheckFailure] = [], checkCount: Int = 0, extracted: [Value?] = []) {
    self.failures = failures
    self.checkCount = checkCount
    self.extracted = extracted
  }
}

/// The decision on how to continue after a response.
enum ResponseVerdict: Sendable {
  /// The response is final.
  case judged(Judgement)
  /// The condition of the poll is not met yet; with the unmet expectations, if the condition consists of expectations.
  case notYet([CheckFailure])

  /// The verdict after the snapshots in it have been written.
  var settled: ResponseVerdict {
    if case .judged(let judgement) = self { .judged(SnapshotWriter.settled(judgement)) } else { self }
  }
}
