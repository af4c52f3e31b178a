import GarlandResults
import GarlandWorkflow

/// The result with which a step ends.
struct StepEnding {
  var outcome: Outcome
  var reason: String?
  var blockedBy: [Int] = []
  var failures: [CheckFailure] = []
  var checkCount = 0
  /// The value that each expectation found, in short form.
  var found: [String?] = []
  var exchanges: [Exchange] = []
  /// The number of requests that are missing from `exchanges`, because there were too many.
  var omittedRequests = 0
  var extracted: [Value?] = []
  var response: ReceivedResponse?
  /// Whether the step has left nothing on the server. If nil, the step has left nothing only if it has sent no request.
  var leavesNothing: Bool?

  init(_ outcome: Outcome, reason: String? = nil, failures: [CheckFailure] = []) {
    self.outcome = outcome
    self.reason = reason
    self.failures = failures
  }
}
