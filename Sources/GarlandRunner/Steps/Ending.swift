import GarlandResults
import GarlandWorkflow

/// The result with which a step ends, before it is converted to a `StepResult` for the observers.
struct StepEnding {
  var outcome: Outcome
  var reason: String?
  var blockedBy: [Int] = []
  var failures: [CheckFailure] = []
  var checkCount = 0
  /// For each expectation, the compared value as a short text; nil if the expectation compared no value.
  var found: [String?] = []
  var exchanges: [Exchange] = []
  /// The number of requests that are missing from `exchanges`, because there were too many.
  var omittedRequests = 0
  var extracted: [Value?] = []
  var response: ReceivedResponse?
  /// Whether a cleanup of this step can be skipped, because the step has left no data on the server. If nil, the cleanup can be skipped
  /// only if the step has sent no request.
  var leavesNothing: Bool?

  init(_ outcome: Outcome, reason: String? = nil, failures: [CheckFailure] = []) {
    self.outcome = outcome
    self.reason = reason
    self.failures = failures
  }
}
