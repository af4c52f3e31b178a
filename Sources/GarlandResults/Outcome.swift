/// The outcome of a step.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The response arrived and every expectation was met.
  case passed
  /// The response arrived, but an expectation was not met, an extraction failed, or a value was undefined or invalid at run time.
  case failed
  /// The request failed in transit, a deadline passed, or a local file could not be read or written.
  case error
  /// The host could not be reached (DNS, TCP, TLS), so the outcome says nothing about the API.
  case unreachable
  /// `when` was false, or there was nothing to clean up.
  case skipped
  /// A step on which this step depends did not pass.
  case blocked
  /// The run ended before the step began: because of fail-fast, a deadline or an interrupt.
  case notRun = "not run"

  /// Whether the step ran to its end and failed.
  public var isProblem: Bool { self == .failed || self == .error || self == .unreachable }
}
