/// The setting, from the key `reach:`, of a step that sends no request and only waits until a host is reachable.
public struct ReachTemplate: Sendable {
  /// The default time limit for waiting until the host is reachable: 30 s.
  public static let defaultLimit = Duration.seconds(30)

  /// The time limit for waiting, from the key `within:`.
  public let within: Setting<Duration>?
}

extension ReachTemplate: StepKind {
  static var key: String? { "reach" }
  static var hasResponse: Bool { false }
  static var isAddressed: Bool { false }

  static func refusalOfCurl(step id: String) -> (words: String, help: String)? {
    ("the step `\(id)` sends no request: it waits for a host", "to check whether a host is reachable, use `garland reach`")
  }
}
