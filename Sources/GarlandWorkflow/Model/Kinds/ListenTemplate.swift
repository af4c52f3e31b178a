/// `listen:`: the step sends no request, but waits to receive a request.
public struct ListenTemplate: Sendable {
  /// The default time limit.
  public static let defaultLimit = Duration.seconds(30)

  /// `within:`: the time limit.
  public let within: Setting<Duration>?
}
