public import GarlandDiagnostics

/// `poll:`: sending again until the response says what is waited for.
public struct PollSettings: Sendable {
  /// The time between the end of a response and the next request. Default: 1 s.
  public static let defaultPause = Duration.seconds(1)
  /// How long it goes on. Default: 1 min.
  public static let defaultTime = Duration.seconds(60)

  /// `until:`: what is waited for. Undefined counts as not yet.
  public var until: Setting<Bool>
  /// `every:`: the time between the end of a response and the next request.
  public var every: Setting<Duration>?
  /// `within:`: how long it goes on.
  public var within: Setting<Duration>?
  /// `fail:`: what makes waiting useless.
  public var fail: Setting<Bool>?
  /// Where it stands in the document.
  public var range: SourceRange

  init(until: Setting<Bool>, at range: SourceRange) {
    self.until = until
    self.range = range
  }
}
