import GarlandDiagnostics
public import GarlandJSON

/// The expectation that a request fails without a response, with one of the errors that `expect.error` lists.
public struct ErrorTemplate: Sendable {
  /// The errors that are accepted. If the list is empty, every error is accepted.
  public let names: [Setting<ErrorName>]
  /// The predicates for the message of the error.
  public let message: [Predicate]
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
  /// Any error of TLS, including ``certificate`` and ``handshake``.
  case tls
  /// The server's certificate was rejected: it is expired, not signed by a trusted authority, for another host, or not pinned.
  case certificate
  /// The TLS handshake failed: there is no common version or cipher, or the client's certificate is missing.
  case handshake
  /// The connection to the proxy, or through it, failed.
  case proxy
  /// The connection was closed or reset before the response was complete.
  case reset
  /// The body ended before it was complete.
  case truncated
  /// The response is not valid HTTP.
  case invalidResponse = "invalid_response"
  /// There were too many redirects, or a redirect could not be followed.
  case redirect
  /// The body, the header or a stream item exceeds its size limit, or the header has too many fields.
  case tooLarge = "too_large"
  /// The body can't be decoded, because its content coding is corrupt.
  case decoding
  /// The cache contains no response, and `cache: {policy: only}` prevents a request.
  case notCached = "not_cached"
  /// The request must fail with any transport error.
  case any
}

extension ErrorName: SettingValue {
  /// The list of all valid error names as text, for the message about an invalid name.
  public static var expectation: String { Words.list(allCases.map(\.rawValue), conjunction: "or") }

  /// Reads the name of an error. For a name that other tools commonly use, throws a mistake that suggests Garland's name.
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
