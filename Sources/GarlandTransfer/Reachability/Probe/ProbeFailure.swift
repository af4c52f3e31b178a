/// Why something can't be reached.
public enum ProbeFailure: Sendable, Hashable {
  /// The name does not resolve.
  case name(NameFailure)
  /// There is no way to the address, in the system's words.
  case noRoute(detail: String)
  /// Nobody listens at the port.
  case refused
  /// Time was up, during this phase.
  case timedOut(NetworkingError.Phase, after: Duration)
  /// TLS failed, and how.
  case tls(NetworkingError.TLS, detail: String)
  /// The proxy can't be reached, or refuses.
  case proxy(detail: String)
  /// A connection is made, and nothing that is HTTP comes back.
  case noHTTP(detail: String)
  /// A connection is made, and nothing comes back for this long.
  case noAnswer(after: Duration)
  /// Anything else.
  case other(detail: String)

  /// The kinds by name.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The name has no address.
    case name
    /// No way leads to the address.
    case noRoute = "no_route"
    /// Nobody listens there.
    case refused
    /// Time was up.
    case timedOut = "timed_out"
    /// TLS does not come about.
    case tls
    /// The proxy can't be reached, or refuses.
    case proxy
    /// A connection is made, and nothing that is HTTP comes back.
    case noHTTP = "no_http"
    /// Anything else.
    case other
  }

  /// Which of the kinds it is.
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

  /// How far a connection came before this: the more, the later.
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

  /// What an error of a transfer means for reachability; nil if the host was reached, or nothing can be said about it.
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
  /// Human words: `connection refused`.
  public var description: String {
    switch self {
    case .name(let failure): failure.description
    case .noRoute(let detail): "no route: \(detail)"
    case .refused: "connection refused"
    case .timedOut(let phase, let limit): "timed out after \(limit.words) while \(phase)"
    case .tls(let failure, let detail): failure.words(detail)
    case .proxy(let detail): "the proxy failed: \(detail)"
    case .noHTTP(let detail): "connected, but there is no HTTP: \(detail)"
    case .noAnswer(let limit): "connected, but there is no HTTP: no answer within \(limit.words)"
    case .other(let detail): detail
    }
  }
}
