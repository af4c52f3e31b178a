/// The outcome of a step.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The response came and every expectation held.
  case passed
  /// The response came, but an expectation or an extraction did not hold, or a value was undefined or refused at run time.
  case failed
  /// The request failed in transit, a deadline passed, or a local file could not be read or written.
  case error
  /// The host could not be reached (DNS, TCP, TLS), so the outcome says nothing about the API.
  case unreachable
  /// `when` was false, or there was nothing to clean up.
  case skipped
  /// A step that this one needs did not pass.
  case blocked
  /// The run ended before its turn: fail-fast, a deadline, an interrupt.
  case notRun = "not run"

  /// Whether the step ran to its end and failed.
  public var isProblem: Bool { self == .failed || self == .error || self == .unreachable }
}
