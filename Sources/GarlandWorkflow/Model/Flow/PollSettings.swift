public import GarlandDiagnostics

/// `poll:`: repeats the request until a condition is met.
public struct PollSettings: Sendable {
  /// The time between the end of a response and the next request. Default: 1 s.
  public static let defaultPause = Duration.seconds(1)
  /// The time limit of a poll. Default: 1 min.
  public static let defaultTime = Duration.seconds(60)

  /// The condition to wait for.
  public enum Goal: Sendable {
    /// A condition that must be true. While its value is undefined, polling continues.
    case condition(Setting<Bool>)
    /// Expectations that must all be met.
    case expectations([Expectation])
  }

  /// `until:`: the condition to wait for.
  public var until: Goal
  /// The place of the condition.
  public var untilRange: SourceRange
  /// `every:`: the time between the end of a response and the next request.
  public var every: Setting<Duration>?
  /// `within:`: the time limit.
  public var within: Setting<Duration>?
  /// `fail:`: a condition that ends polling at once as a failure.
  public var fail: Setting<Bool>?
  /// The place of `poll` in the document.
  public var range: SourceRange

  init(until: Goal, at untilRange: SourceRange, in range: SourceRange) {
    self.until = until
    self.untilRange = untilRange
    self.range = range
  }
}
