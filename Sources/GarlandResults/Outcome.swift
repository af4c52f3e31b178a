/// The outcome of a step: whether it passed, and otherwise why not.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The response arrived and every expectation was met.
  case passed
  /// The response arrived, but an expectation was not met, an extraction failed, or a value was undefined or invalid during the run.
  case failed
  /// The transfer failed, a deadline passed, or a local file could not be read or written.
  case error
  /// The host could not be reached (DNS, TCP or TLS), so the result says nothing about the API.
  case unreachable
  /// The step was skipped, because its `when` was false, or because there was nothing to clean up.
  case skipped
  /// A step on which this step depends did not pass.
  case blocked
  /// The run ended before the step began: because of fail-fast, a deadline or an interrupt.
  case notRun = "not run"

  /// Whether the step ran and did not pass: true for `failed`, `error` and `unreachable`.
  public var isProblem: Bool { self == .failed || self == .error || self == .unreachable }
}
