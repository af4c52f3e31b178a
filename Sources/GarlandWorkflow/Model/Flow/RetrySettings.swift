public import GarlandDiagnostics

/// `retry:`: when a request is sent again after a transport error, or after a status of a temporary failure. Unset settings have the
/// defaults of the networking core's retry policy.
public struct RetrySettings: Sendable {
  /// A reason to send a request again.
  public enum Condition: String, Sendable, CaseIterable {
    /// A transport error.
    case transport
    /// A status of a temporary failure.
    case status
    /// An expectation that the response did not meet.
    case expect
  }

  /// The maximum number of retries.
  public var limit: Setting<Int>?
  /// The pause before the first retry.
  public var delay: Setting<Duration>?
  /// The factor by which the pause grows with each retry.
  public var factor: Setting<Double>?
  /// The random share by which a pause may grow.
  public var jitter: Setting<Double>?
  /// The longest pause.
  public var maxDelay: Setting<Duration>?
  /// The statuses after which the request is sent again.
  public var statuses: [Setting<StatusPattern>]?
  /// The methods whose requests are sent again, in upper case.
  public var methods: [String]?
  /// The reasons to send a request again. If nil, these are ``Condition/transport`` and ``Condition/status``.
  public var conditions: Set<Condition>?
  /// The place of `retry` in the document.
  public var range: SourceRange

  init(at range: SourceRange) { self.range = range }

  /// Returns these settings, with the defaults in place of settings that are nil.
  func merged(over defaults: RetrySettings) -> RetrySettings {
    var result = self
    result.limit = limit ?? defaults.limit
    result.delay = delay ?? defaults.delay
    result.factor = factor ?? defaults.factor
    result.jitter = jitter ?? defaults.jitter
    result.maxDelay = maxDelay ?? defaults.maxDelay
    result.statuses = statuses ?? defaults.statuses
    result.methods = methods ?? defaults.methods
    result.conditions = conditions ?? defaults.conditions
    return result
  }
}
