/// Defines, by host, the proof of identity that a server must provide before a request is sent to it.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.settings.serverTrust = try ServerTrustManager([
///   "api.example.com": PublicKeysTrustEvaluator("sha256/…", "sha256/…"),
///   "*.corp.example": AuthorityTrustEvaluator(pemFile: "corp.pem"),
/// ])
/// ```
/// Evaluators are called for the first URL and for each redirect, on new and reused connections. They are called once the connection is
/// ready and before any part of the request is sent. A refusal is the error ``NetworkingError/Reason/trust(_:)``. TLS sessions with
/// evaluated hosts are not resumed, since a resumed session shows no certificates. Hosts without TLS, and proxies, are not evaluated.
///
/// A session's manager applies to all its requests. If a request has its own manager, both managers must accept the server.
public final class ServerTrustManager: Sendable, Hashable {
  /// Whether requests to hosts without an evaluator are refused. If false, the default validation
  /// applies to these hosts.
  public let allHostsMustBeEvaluated: Bool
  private let table: HostTable
  /// The session's trust settings, if this is the manager of a request. A server must satisfy these settings and the settings of this
  /// manager. Nil for a manager that belongs to no request, and if the session's settings require nothing more.
  private let session: Session?

  private struct Session: Sendable {
    let manager: ServerTrustManager?
    let verifies: Bool
  }

  /// Creates a manager.
  ///
  /// - Parameters:
  ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is refused. Defaults to true.
  ///   - evaluators: The evaluators by host: `example.com` for one host; `*.example.com` for all
  ///     its subdomains, at any depth; `*` for all hosts. The most specific match wins. Ports are
  ///     ignored. Throws for an invalid host.
  public init(
    allHostsMustBeEvaluated: Bool = true, _ evaluators: [String: any ServerTrustEvaluating]
  ) throws(TrustConfigurationError) {
    self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
    table = try HostTable(evaluators)
    session = nil
  }

  private init(_ own: ServerTrustManager, session: Session) {
    allHostsMustBeEvaluated = own.allHostsMustBeEvaluated
    table = own.table
    self.session = session
  }

  /// Adds the trust settings of the session to this manager, which contains the trust settings of a request. A server must then satisfy the
  /// settings of the request and those of the session. Returns this manager itself if the session's settings require nothing more.
  ///
  /// - Parameters:
  ///   - manager: The manager of the session; nil if it has none.
  ///   - verifies: The session's ``TLSSettings/verifies``.
  func restricted(by manager: ServerTrustManager?, verifies: Bool) -> ServerTrustManager {
    if manager === self { return self }
    if manager == nil, !verifies || table.all.allSatisfy(\.isStrict) { return self }
    return ServerTrustManager(self, session: Session(manager: manager, verifies: verifies))
  }

  /// The way in which the certificate of a host is checked.
  enum Decision {
    /// Use the default validation, without evaluators.
    case usual
    case evaluate(HostTrust)
    /// Refuse the host: it has no evaluator, but one is required.
    case refuse
  }

  /// Returns the way in which the certificate of a host is checked. The host must be in lower case and ASCII.
  func decision(for host: String) -> Decision {
    let own = table.find(host)
    if own == nil, allHostsMustBeEvaluated { return .refuse }
    switch session?.manager?.decision(for: host) ?? .usual {
    case .refuse: return .refuse
    case .evaluate(let theirs): return .evaluate(own?.merged(with: theirs) ?? theirs)
    case .usual:
      guard let own else { return .usual }
      let isCareless = session?.verifies == true && !own.isStrict
      return .evaluate(isCareless ? own.merged(with: HostTrust([DefaultTrustEvaluator()])) : own)
    }
  }

  /// Whether both operands are the same manager object.
  public static func == (left: ServerTrustManager, right: ServerTrustManager) -> Bool { left === right }
  /// Hashes the identity of the manager.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
