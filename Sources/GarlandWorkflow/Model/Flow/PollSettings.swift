public import GarlandDiagnostics

/// `poll:`: repeats the request until a condition holds.
public struct PollSettings: Sendable {
  /// The time between the end of a response and the next request. Default: 1 s.
  public static let defaultPause = Duration.seconds(1)
  /// The time limit of a poll. Default: 1 min.
  public static let defaultTime = Duration.seconds(60)

  /// The condition to wait for.
  public enum Goal: Sendable {
    /// A condition; undefined counts as not yet.
    case condition(Setting<Bool>)
    /// Expectations, all of which have to hold.
    case expectations([Expectation])
  }

  /// `until:`: what is waited for.
  public var until: Goal
  /// The place of the condition.
  public var untilRange: SourceRange
  /// `every:`: the time between the end of a response and the next request.
  public var every: Setting<Duration>?
  /// `within:`: how long it goes on.
  public var within: Setting<Duration>?
  /// `fail:`: what makes waiting useless.
  public var fail: Setting<Bool>?
  /// Its place in the document.
  public var range: SourceRange

  init(until: Goal, at untilRange: SourceRange, in range: SourceRange) {
    self.until = until
    self.untilRange = untilRange
    self.range = range
  }
}
