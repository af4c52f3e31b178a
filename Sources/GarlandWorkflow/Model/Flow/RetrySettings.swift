public import GarlandDiagnostics

/// The settings that determine when a request is sent again after a failure, from the key `retry:`. By default, a request is sent again
/// after a transport error, or after a status that signals a temporary failure. For settings that are nil, the defaults of the HTTP
/// client's retry policy apply.
public struct RetrySettings: Sendable {
  /// A kind of failure after which a request is sent again.
  public enum Condition: String, Sendable, CaseIterable {
    /// The request is sent again after a transport error.
    case transport
    /// A retry follows a status code that signals a temporary failure.
    case status
    /// A retry follows a response that does not meet an expectation.
    case expect
  }

  /// The maximum number of retries.
  public var limit: Setting<Int>?
  /// The pause before the first retry, from the key `delay:`.
  public var delay: Setting<Duration>?
  /// The factor by which the pause grows with each retry.
  public var factor: Setting<Double>?
  /// The maximum share by which a pause is randomly extended. For example, with 0.5 a pause is up to 50 % longer.
  public var jitter: Setting<Double>?
  /// The maximum pause between two attempts.
  public var maxDelay: Setting<Duration>?
  /// The status codes after which the request is sent again.
  public var statuses: [Setting<StatusPattern>]?
  /// The methods whose requests are retried, in upper case; nil if this setting is missing.
  public var methods: [String]?
  /// The kinds of failures after which the request is sent again. Nil has the same effect as ``Condition/transport`` and
  /// ``Condition/status``.
  public var conditions: Set<Condition>?
  /// The source range of `retry` in the document.
  public var range: SourceRange

  init(at range: SourceRange) { self.range = range }

  /// Returns a copy of these settings, in which each missing (nil) setting has its value from `defaults`.
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
