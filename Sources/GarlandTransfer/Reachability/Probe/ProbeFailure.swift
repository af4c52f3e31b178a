/// The reason why a target cannot be reached.
public enum ProbeFailure: Sendable, Hashable {
  /// The name does not resolve.
  case name(NameFailure)
  /// There is no route to the address. The associated value is the system's message.
  case noRoute(detail: String)
  /// No program listens at the port.
  case refused
  /// The time limit was exceeded in this phase.
  case timedOut(NetworkingError.Phase, after: Duration)
  /// TLS failed. The associated values are the kind of failure and the details.
  case tls(NetworkingError.TLS, detail: String)
  /// The proxy is unreachable or refused the connection.
  case proxy(detail: String)
  /// The connection is open, but the response is not HTTP.
  case noHTTP(detail: String)
  /// The connection is open, but no response arrived within this time.
  case noAnswer(after: Duration)
  /// A failure of any other kind.
  case other(detail: String)

  /// The kinds of failure; the raw value is the name in reports.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The name of the host has no address.
    case name
    /// There is no route to the address.
    case noRoute = "no_route"
    /// No program listens at the port.
    case refused
    /// The time limit was exceeded.
    case timedOut = "timed_out"
    /// TLS failed.
    case tls
    /// The proxy is unreachable or refused the connection.
    case proxy
    /// The connection is open, but no response arrived, or the response is not HTTP.
    case noHTTP = "no_http"
    /// A failure of any other kind.
    case other
  }

  /// The kind of failure.
  public var kind: Kind {
    switch self {
    case .name: .name
    case .noRoute: .noRoute
    case .refused: .refused
    case .timedOut: .timedOut
    case .tls: .tls
    case .proxy: .proxy
    case .noHTTP, .noAnswer: .noHTTP
    case .other: .other
    }
  }

  /// The progress of the connection before the failure. A larger number is a later phase.
  var progress: Int {
    switch self {
    case .name: 0
    case .noRoute: 1
    case .refused, .proxy, .other: 2
    case .timedOut(let phase, _): phase >= .tunneling ? 4 : 2
    case .tls: 4
    case .noHTTP, .noAnswer: 5
    }
  }

  /// Creates the failure for an error of a transfer. Returns nil if the host was reached, or if the error does
  /// not show whether the host is reachable.
  public init?(_ error: NetworkingError) {
    switch error.reason {
    case .resolve(let host): self = .name(NameFailure(name: host, kind: .unanswered, testimonies: []))
    case .refused: self = .refused
    case .unreachable(_, _, let detail): self = .noRoute(detail: detail)
    case .timeout(let timeout) where timeout.phase <= .securing: self = .timedOut(timeout.phase, after: timeout.duration)
    case .timeout(let timeout): self = .noAnswer(after: timeout.duration)
    case .tls(let failure, let detail): self = .tls(failure, detail: detail)
    case .proxy(let detail): self = .proxy(detail: detail)
    case .connectionLost(let detail), .invalidResponse(let detail): self = .noHTTP(detail: detail)
    case .library(_, let detail), .unsupported(let detail), .invalidRequest(let detail): self = .other(detail: detail)
    default: return nil
    }
  }
}

extension ProbeFailure: CustomStringConvertible {
  /// The failure as text, for example `connection refused`.
  public var description: String {
    switch self {
    case .name(let failure): failure.description
    case .noRoute(let detail): "no route: \(detail)"
    case .refused: "connection refused"
    case .timedOut(let phase, let limit): "timed out after \(limit.words) while \(phase)"
    case .tls(let failure, let detail): failure.words(detail)
    case .proxy(let detail): "the connection through the proxy failed: \(detail)"
    case .noHTTP(let detail): "connected, but received no HTTP response: \(detail)"
    case .noAnswer(let limit): "connected, but received no HTTP response within \(limit.words)"
    case .other(let detail): detail
    }
  }
}
