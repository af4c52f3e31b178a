public import GarlandDiagnostics

/// `retry:`: sending again after a transport error, or after a status that says "not now". Unset
/// settings have the defaults of the networking core's retry policy.
public struct RetrySettings: Sendable {
  /// A reason for which a request is sent again.
  public enum Condition: String, Sendable, CaseIterable {
    /// An error in transit.
    case transport
    /// A status that says "not now".
    case status
    /// An expectation that the response does not meet.
    case expect
  }

  /// The maximal number of retries.
  public var limit: Setting<Int>?
  /// The first wait.
  public var delay: Setting<Duration>?
  /// The factor by which the pause grows each time.
  public var factor: Setting<Double>?
  /// The share by which a pause may grow at random.
  public var jitter: Setting<Double>?
  /// The longest wait.
  public var maxDelay: Setting<Duration>?
  /// The statuses after which it is sent again.
  public var statuses: [Setting<StatusPattern>]?
  /// The methods that are sent again, in upper case.
  public var methods: [String]?
  /// The reasons for which a request is sent again; nil for an error in transit and a status.
  public var conditions: Set<Condition>?
  /// Its place in the document.
  public var range: SourceRange

  init(at range: SourceRange) { self.range = range }

  /// Returns these settings, with those of the defaults where these are unset.
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
