/// The setting that makes a step wait until a host is reachable instead of sending a request, from the key `reach:`.
public struct ReachTemplate: Sendable {
  /// The default time limit for waiting: 30 s.
  public static let defaultLimit = Duration.seconds(30)

  /// The time limit for waiting, from the key `within:`.
  public let within: Setting<Duration>?
}
