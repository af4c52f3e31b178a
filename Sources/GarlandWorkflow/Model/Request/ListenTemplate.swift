/// `listen:`: nothing is sent; the step waits for a request.
public struct ListenTemplate: Sendable {
  /// The default time limit.
  public static let defaultLimit = Duration.seconds(30)

  /// `within:`.
  public let within: Setting<Duration>?
}
