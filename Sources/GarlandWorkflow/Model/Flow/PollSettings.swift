public import GarlandDiagnostics

/// The setting that makes a step repeat its request until a condition is met, from the key `poll:`.
public struct PollSettings: Sendable {
  /// The default time between the end of a response and the next request: 1 s.
  public static let defaultPause = Duration.seconds(1)
  /// The default time limit of a poll: 1 min.
  public static let defaultTime = Duration.seconds(60)

  /// The condition that ends a poll.
  public enum Goal: Sendable {
    /// A condition that ends the poll as soon as it is true. Polling continues while the condition is false or its value is undefined.
    case condition(Setting<Bool>)
    /// Expectations for the response, all of which must be met.
    case expectations([Expectation])
  }

  /// The condition that ends the poll, from the key `until:`.
  public var until: Goal
  /// The source range of the condition ``until``.
  public var untilRange: SourceRange
  /// The time between the end of a response and the next request, from the key `every:`.
  public var every: Setting<Duration>?
  /// The time limit of the poll, from the key `within:`.
  public var within: Setting<Duration>?
  /// A condition that ends the poll immediately, as a failure, from the key `fail:`.
  public var fail: Setting<Bool>?
  /// The source range of `poll` in the document.
  var range: SourceRange

  init(until: Goal, at untilRange: SourceRange, in range: SourceRange) {
    self.until = until
    self.untilRange = untilRange
    self.range = range
  }
}
