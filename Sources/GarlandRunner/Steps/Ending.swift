import GarlandResults
import GarlandWorkflow

/// The end of a step.
struct StepEnding {
  var outcome: Outcome
  var reason: String?
  var blockedBy: [Int] = []
  var failures: [CheckFailure] = []
  var checkCount = 0
  /// The value that each expectation found, in few words.
  var found: [String?] = []
  var exchanges: [Exchange] = []
  /// The number of requests that are not recorded.
  var omittedRequests = 0
  var extracted: [Value?] = []
  var response: ReceivedResponse?
  /// Whether the step has left nothing on the server. Nil: decided by whether anything was sent.
  var leavesNothing: Bool?

  init(_ outcome: Outcome, reason: String? = nil, failures: [CheckFailure] = []) {
    self.outcome = outcome
    self.reason = reason
    self.failures = failures
  }
}
