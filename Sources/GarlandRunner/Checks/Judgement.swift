import GarlandDiagnostics
import GarlandResults
import GarlandWorkflow

/// What came of a response: which expectations did not hold, and what was taken out of it.
package struct Judgement: Sendable {
  /// Everything that did not hold or was not found, in document order.
  package var failures: [CheckFailure]
  /// How many expectations were judged, implicit ones included.
  package var checkCount: Int
  /// Snapshots to be written.
  package var snapshots: [SnapshotWrite] = []
  /// What the user should know besides.
  package var notices: [Diagnostic] = []
  /// What was extracted, one for each of ``Step/extractions``; nil where nothing was found.
  package var extracted: [Value?]
  /// How the next page is asked for.
  var nextPage: NextPage?

  package init(failures: [CheckFailure] = [], checkCount: Int = 0, extracted: [Value?] = []) {
    self.failures = failures
    self.checkCount = checkCount
    self.extracted = extracted
  }
}

/// What is to be done with a response.
enum ResponseVerdict: Sendable {
  /// It is the one that counts.
  case judged(Judgement)
  /// What is polled for has not come: what does not hold yet, if that is expectations.
  case notYet([CheckFailure])

  /// The same with the snapshots written that it leaves to be written.
  var settled: ResponseVerdict {
    if case .judged(let judgement) = self { .judged(SnapshotWriter.settled(judgement)) } else { self }
  }
}
