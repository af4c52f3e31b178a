/// `listen:`: nothing is sent; the step waits for a request.
public struct ListenTemplate: Sendable {
  /// How long, when nothing is said.
  public static let defaultLimit = Duration.seconds(30)

  /// `within:`.
  public let within: Setting<Duration>?
}
