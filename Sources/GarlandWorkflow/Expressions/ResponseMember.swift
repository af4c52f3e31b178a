/// The members of every response, by the name that expressions use.
public enum ResponseMember: String, Sendable, Hashable, CaseIterable {
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
  /// The HTTP version as text: `1.1` or `2`.
  case version
  /// The number of requests that were sent: 1 without a retry or poll.
  case attempts
  /// The list of the redirects that were followed before the response.
  case redirects
  /// The list of events that were kept, for a step that reads a stream of events.
  case events
  /// The list of the kept lines' JSON values, for a step that reads JSON lines.
  case lines
  /// The list of parts that were kept, for a step that reads the parts of a multipart body.
  case parts
  /// The list of the messages that were kept, for a step with a WebSocket connection.
  case messages
  /// The method of a request that a listening step has received.
  case method
  /// The query parameters of a request that a listening step has received, used as `.query.name`.
  case query

  /// The kind of a step, which determines the members of its response.
  enum Owner: Equatable {
    case request, listening
    case stream(StreamFormat)
  }

  /// Whether responses to a step of the given kind, or requests that a listening step receives, have this member.
  func isThere(for owner: Owner) -> Bool {
    switch self {
    case .method, .query: owner == .listening
    case .status, .attempts, .redirects: owner != .listening
    case .json, .text: if case .stream = owner { false } else { true }
    case .events: owner == .stream(.events)
    case .lines: owner == .stream(.lines)
    case .parts: owner == .stream(.parts)
    case .messages: owner == .stream(.messages)
    case .headers, .cookies, .url, .time, .size, .version: true
    }
  }
}
