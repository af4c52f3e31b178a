/// `reach:`: nothing is sent; the step waits until something can be reached.
public struct ReachTemplate: Sendable {
  /// The default time limit.
  public static let defaultLimit = Duration.seconds(30)

  /// `within:`.
  public let within: Setting<Duration>?
}
