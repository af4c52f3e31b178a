public import GarlandDiagnostics

/// `poll:`: sending again until the response says what is waited for.
public struct PollSettings: Sendable {
  /// The time between the end of a response and the next request. Default: 1 s.
  public static let defaultPause = Duration.seconds(1)
  /// How long it goes on. Default: 1 min.
  public static let defaultTime = Duration.seconds(60)

  /// What is waited for.
  public enum Goal: Sendable {
    /// A condition; undefined counts as not yet.
    case condition(Setting<Bool>)
    /// Expectations, all of which have to hold.
    case expectations([Expectation])
  }

  /// `until:`: what is waited for.
  public var until: Goal
  /// Where that stands.
  public var untilRange: SourceRange
  /// `every:`: the time between the end of a response and the next request.
  public var every: Setting<Duration>?
  /// `within:`: how long it goes on.
  public var within: Setting<Duration>?
  /// `fail:`: what makes waiting useless.
  public var fail: Setting<Bool>?
  /// Where it stands in the document.
  public var range: SourceRange

  init(until: Goal, at untilRange: SourceRange, in range: SourceRange) {
    self.until = until
    self.untilRange = untilRange
    self.range = range
  }
}
