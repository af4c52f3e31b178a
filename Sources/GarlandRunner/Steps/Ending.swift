import GarlandResults
import GarlandWorkflow

/// How a step ended.
struct StepEnding {
  var outcome: Outcome
  var reason: String?
  var blockedBy: [Int] = []
  var failures: [CheckFailure] = []
  var checkCount = 0
  var exchanges: [Exchange] = []
  /// How many requests were sent beside those.
  var omittedRequests = 0
  var extracted: [Value?] = []
  var response: ReceivedResponse?
  /// Whether the server holds nothing because of it. Nil: decided by whether anything was sent.
  var leavesNothing: Bool?

  init(_ outcome: Outcome, reason: String? = nil, failures: [CheckFailure] = []) {
    self.outcome = outcome
    self.reason = reason
    self.failures = failures
  }
}
