public import GarlandDiagnostics
public import GarlandJSON

/// `expect.error`: the expectation that the request fails, and how.
public struct ErrorTemplate: Sendable {
  /// The errors that are accepted. If empty, any failure is accepted.
  public let names: [Setting<ErrorName>]
  /// The predicates for the message of the failure.
  public let message: [Predicate]
  /// The place of the predicates.
  public let range: SourceRange
}

/// The transport errors, by their names in documents.
public enum ErrorName: String, Sendable, Hashable, CaseIterable {
  /// The host name has no address.
  case dns
  /// The connection was refused, since no program listens at the port.
  case refused
  /// There is no route to the host.
  case unreachable
  /// A time limit was exceeded.
  case timeout
  /// TLS failed in any way, including `certificate` and `handshake`.
  case tls
  /// The server's certificate is rejected: it is expired, of an unknown authority, for another host, or not pinned.
  case certificate
  /// The handshake failed: no common version or cipher, or the client's certificate is missing.
  case handshake
  /// The proxy failed.
  case proxy
  /// The connection was closed or reset before the response was complete.
  case reset
  /// The body ended before it was complete.
  case truncated
  /// The response is not valid HTTP.
  case invalidResponse = "invalid_response"
  /// Too many redirects, or a redirect that can't be followed.
  case redirect
  /// The body or the header is larger than the limit.
  case tooLarge = "too_large"
  /// The body can't be decoded: its content coding is corrupt.
  case decoding
  /// No response is stored, and `cache: {policy: only}` prevents a request.
  case notCached = "not_cached"
  /// Any transport error.
  case any
}

extension ErrorName: SettingValue {
  /// The valid names, in the words of errors.
  public static var expectation: String { Words.list(allCases.map(\.rawValue), conjunction: "or") }

  /// Reads the name of an error. For a common name of another tool, the error suggests Garland's name.
  public static func read(_ value: JSONValue) throws(SettingMistake) -> ErrorName {
    guard case .string(let text) = value else { throw SettingMistake.unexpected(value, instead: expectation) }
    if let name = ErrorName(rawValue: text) { return name }
    let aliases: [String: ErrorName] = [
      "connection_refused": .refused, "ECONNREFUSED": .refused, "resolve": .dns, "ENOTFOUND": .dns, "ssl": .tls, "cert": .certificate,
      "expired": .certificate, "closed": .reset, "connection_lost": .reset, "ECONNRESET": .reset, "timed_out": .timeout,
      "ETIMEDOUT": .timeout,
    ]
    let near = aliases[text]?.rawValue ?? Suggestion.nearest(to: text, in: allCases.map(\.rawValue))
    guard let near else { throw SettingMistake.unexpected(value, instead: expectation) }
    throw SettingMistake("there is no error named `\(Words.excerpt(text))`", suggestion: near)
  }
}
