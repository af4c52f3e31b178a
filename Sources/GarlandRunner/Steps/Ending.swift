import GarlandResults
import GarlandWorkflow

/// The result with which a step ends, before it is converted to a `StepResult` for the observers.
struct StepEnding {
  var outcome: Outcome
  var reason: String?
  var blockedBy: [Int] = []
  var failures: [CheckFailure] = []
  var checkCount = 0
  /// For each expectation, the value that was compared, in short form.
  var found: [String?] = []
  var exchanges: [Exchange] = []
  /// The number of requests that are missing from `exchanges`, because there were too many.
  var omittedRequests = 0
  var extracted: [Value?] = []
  var response: ReceivedResponse?
  /// Whether the step has left nothing on the server that would need a cleanup. If nil, this is true only if the step has sent no request.
  var leavesNothing: Bool?

  init(_ outcome: Outcome, reason: String? = nil, failures: [CheckFailure] = []) {
    self.outcome = outcome
    self.reason = reason
    self.failures = failures
  }
}
