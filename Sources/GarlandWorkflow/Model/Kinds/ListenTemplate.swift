/// The setting that makes a step wait for a request instead of sending one, from the key `listen:`.
public struct ListenTemplate: Sendable {
  /// The default time limit for waiting: 30 s.
  public static let defaultLimit = Duration.seconds(30)

  /// The time limit for waiting, from the key `within:`.
  public let within: Setting<Duration>?
}
