public import GarlandDiagnostics

/// `retry:`: sending again after a transport error, or after a status that says "not now". What is not set has the defaults of the networking
/// core's retry policy.
public struct RetrySettings: Sendable {
  /// How often it is sent again.
  public var limit: Setting<Int>?
  /// The first wait.
  public var delay: Setting<Duration>?
  /// What the wait is multiplied by, each time.
  public var factor: Setting<Double>?
  /// By how much of itself a wait may become longer, by chance.
  public var jitter: Setting<Double>?
  /// The longest wait.
  public var maxDelay: Setting<Duration>?
  /// The statuses after which it is sent again.
  public var statuses: [Setting<StatusPattern>]?
  /// The methods that are sent again, in upper case.
  public var methods: [String]?
  /// Where it stands in the document.
  public var range: SourceRange

  init(at range: SourceRange) { self.range = range }

  /// These settings, and those of the defaults for what is not set.
  func merged(over defaults: RetrySettings) -> RetrySettings {
    var result = self
    result.limit = limit ?? defaults.limit
    result.delay = delay ?? defaults.delay
    result.factor = factor ?? defaults.factor
    result.jitter = jitter ?? defaults.jitter
    result.maxDelay = maxDelay ?? defaults.maxDelay
    result.statuses = statuses ?? defaults.statuses
    result.methods = methods ?? defaults.methods
    return result
  }
}
