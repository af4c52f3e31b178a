/// `reach:`: the step sends no request, but waits until a host is reachable.
public struct ReachTemplate: Sendable {
  /// The default time limit.
  public static let defaultLimit = Duration.seconds(30)

  /// `within:`: the time limit.
  public let within: Setting<Duration>?
}
