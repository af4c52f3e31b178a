/// The setting that makes a step wait for a request instead of sending one, from the key `listen:`.
public struct ListenTemplate: Sendable {
  /// The default time limit for the arrival of the request: 30 s.
  public static let defaultLimit = Duration.seconds(30)

  /// The time limit for the arrival of the request, from the key `within:`.
  public let within: Setting<Duration>?
}

extension ListenTemplate: StepKind {
  static var key: String? { "listen" }
  static var isRequest: Bool { false }
  static var isListening: Bool { true }
  static var isAddressed: Bool { false }
  static var owner: ResponseMember.Owner? { .listening }

  static func refusalOfCurl(step id: String) -> (words: String, help: String)? {
    (
      "the step `\(id)` sends no request: it waits for a request",
      "name the step that sends the request, and give the URL with `--var \(id).url=…`"
    )
  }
}
