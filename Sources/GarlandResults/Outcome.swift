/// How a step ended.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The response came and every expectation held.
  case passed
  /// The response came, but an expectation or an extraction did not hold, or a value was undefined or refused at run time.
  case failed
  /// The request failed in transit, a deadline passed, or a local file could not be read or written.
  case error
  /// The host could not be reached (DNS, TCP, TLS), so nothing is said about the API.
  case unreachable
  /// `when` was false, or there was nothing to clean up.
  case skipped
  /// Something the step needs did not pass.
  case blocked
  /// The run ended before its turn: fail-fast, a deadline, an interrupt.
  case notRun = "not run"

  /// Whether the step was carried out to its end and went wrong.
  public var isProblem: Bool { self == .failed || self == .error || self == .unreachable }
}
