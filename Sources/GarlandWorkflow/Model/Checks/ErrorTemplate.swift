public import GarlandDiagnostics
public import GarlandJSON

/// `expect.error`: the request is to fail, and how.
public struct ErrorTemplate: Sendable {
  /// Any of these; any failure at all if there are none.
  public let names: [Setting<ErrorName>]
  /// The predicates for the words of the failure.
  public let message: [Predicate]
  /// The place of the predicates.
  public let range: SourceRange
}

/// The failures in transit, by the words of the language.
public enum ErrorName: String, Sendable, Hashable, CaseIterable {
  /// The host's name has no address.
  case dns
  /// No program listens at the port.
  case refused
  /// There is no route to the host.
  case unreachable
  /// Time was up.
  case timeout
  /// TLS failed in any way, a certificate included.
  case tls
  /// The server's certificate is not accepted: expired, of an unknown authority, for another host, not pinned.
  case certificate
  /// The handshake failed: no common version or cipher, or the client's certificate is missing.
  case handshake
  /// The proxy failed.
  case proxy
  /// The connection was closed or reset before the response was complete.
  case reset
  /// The body ended early.
  case truncated
  /// The response is no HTTP.
  case invalidResponse = "invalid_response"
  /// Too many redirects, or one that leads nowhere.
  case redirect
  /// The body or the header is larger than allowed.
  case tooLarge = "too_large"
  /// The body's coding is broken.
  case decoding
  /// No response is stored, and `cache: {policy: only}` prevents a request.
  case notCached = "not_cached"
  /// Any of these.
  case any
}

extension ErrorName: SettingValue {
  /// The expected form, in the words of errors.
  public static var expectation: String { Words.list(allCases.map(\.rawValue), conjunction: "or") }

  /// Reads one of the names.
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
