/// The parts of a response, and of a received request, that expressions can use, such as `status` in `${login.status}`.
public enum ResponseMember: Sendable, Hashable, CaseIterable {
  /// The status code, a number.
  case status
  /// The header fields, used as `.headers.Name`.
  case headers
  /// The cookies that the response set, used as `.cookies.name`.
  case cookies
  /// The body as JSON.
  case json
  /// The body as text.
  case text
  /// The URL of the response, after redirects.
  case url
  /// The seconds from the start of the request to the end of the response.
  case time
  /// The size of the body in bytes.
  case size
  /// The HTTP version as text, such as `1.1` or `2`.
  case version
  /// The number of requests that were sent until the response was accepted. It is 1 without a retry or poll.
  case attempts
  /// The list of the redirects that were followed before the response.
  case redirects
  /// The method of a request that a listening step has received.
  case method
  /// The query parameters of a request that a listening step has received, used as `.query.name`.
  case query
  /// The list of those items of a stream that the step has stored.
  case items(StreamFormat)

  private static let names: [(ResponseMember, String)] =
    [
      (.status, "status"), (.headers, "headers"), (.cookies, "cookies"), (.json, "json"), (.text, "text"), (.url, "url"), (.time, "time"),
      (.size, "size"), (.version, "version"), (.attempts, "attempts"), (.redirects, "redirects"), (.method, "method"), (.query, "query"),
    ] + StreamFormat.allCases.map { (.items($0), $0.rawValue) }
  private static let membersByName = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })
  private static let namesByMember = Dictionary(uniqueKeysWithValues: names)

  /// All members, in the order in which messages list them.
  public static let allCases = names.map(\.0)

  /// Creates the member with the given name; nil if there is no such member.
  init?(rawValue: String) {
    guard let member = Self.membersByName[rawValue] else { return nil }
    self = member
  }

  /// The name of the member in expressions.
  public var rawValue: String { Self.namesByMember[self] ?? "" }

  /// A kind of step (a request, a listening step, or a reader of a stream), which determines the members of its response.
  enum Owner: Equatable {
    case request, listening
    case stream(StreamFormat)
  }

  /// Whether the response of a step of the given kind has this member. For a listening step, the received request takes the place of the
  /// response.
  func isThere(for owner: Owner) -> Bool {
    switch self {
    case .method, .query: owner == .listening
    case .status, .attempts, .redirects: owner != .listening
    case .json, .text: if case .stream = owner { false } else { true }
    case .items(let format): owner == .stream(format)
    case .headers, .cookies, .url, .time, .size, .version: true
    }
  }
}
