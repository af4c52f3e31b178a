/// The members of every response, by the name that expressions use.
public enum ResponseMember: String, Sendable, Hashable, CaseIterable {
  /// The status code, a number.
  case status
  /// The fields: `.headers.Name`.
  case headers
  /// Cookies that the response set: `.cookies.name`.
  case cookies
  /// The body as JSON.
  case json
  /// The body as text.
  case text
  /// The final URL, after redirects.
  case url
  /// Seconds from the start of the request to the end of the response.
  case time
  /// Bytes of the body.
  case size
  /// `1.1` or `2`, text.
  case version
  /// How many requests it took, a number: 1 without a retry or poll.
  case attempts
  /// The redirects that were followed before it came, a list.
  case redirects
  /// Of a step that reads a stream of events, those that are kept, a list.
  case events
  /// Of a step that reads JSON lines, the values of those that are kept, a list.
  case lines
  /// Of a step that reads the parts of a multipart body, those that are kept, a list.
  case parts
  /// The method of a request that a listening step has received.
  case method
  /// The query parameters of a request that a listening step has received: `.query.name`.
  case query

  /// The kind of step whose responses have certain members.
  enum Owner: Equatable {
    case request, listening
    case stream(StreamFormat)
  }

  /// Whether the response of such a step, or the request that a step listens for, has it.
  func isThere(for owner: Owner) -> Bool {
    switch self {
    case .method, .query: owner == .listening
    case .status, .attempts, .redirects: owner != .listening
    case .json, .text: if case .stream = owner { false } else { true }
    case .events: owner == .stream(.events)
    case .lines: owner == .stream(.lines)
    case .parts: owner == .stream(.parts)
    case .headers, .cookies, .url, .time, .size, .version: true
    }
  }
}
