/// What every response has, by the name that expressions use.
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
  /// The URL that answered, after redirects.
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
  /// Of a request that a step listens for, its method.
  case method
  /// Of a request that a step listens for, the parameters of its URL's query: `.query.name`.
  case query

  /// Whether a response has it, or, of a step that listens, a request.
  func isThere(isListening: Bool) -> Bool {
    switch self {
    case .method, .query: isListening
    case .status, .attempts, .redirects: !isListening
    case .headers, .cookies, .json, .text, .url, .time, .size, .version: true
    }
  }
}
