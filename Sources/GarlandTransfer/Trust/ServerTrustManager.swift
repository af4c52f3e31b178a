/// Says, host by host, what a server must show before a request is sent to it.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.settings.serverTrust = try ServerTrustManager([
///   "api.example.com": PublicKeysTrustEvaluator("sha256/…", "sha256/…"),
///   "*.corp.example": AuthorityTrustEvaluator(pemFile: "corp.pem"),
/// ])
/// ```
/// Evaluators are asked on new connections and on those that are used again, for the first URL and for each that a redirect leads to, when the connection is there and nothing of
/// the request has left. Their refusal is ``NetworkingError/Reason/trust(_:)``. There is no TLS session resumption with hosts that are evaluated, since a resumed session
/// shows no certificates. Hosts that are reached without TLS, and proxies, are not evaluated.
///
/// A session's manager holds for all its requests; where a request has another one, both must accept the server.
public final class ServerTrustManager: Sendable, Hashable {
  /// Whether requests to hosts for which there is no evaluator are refused. If not, these get the usual validation.
  public let allHostsMustBeEvaluated: Bool
  private let table: HostTable
  /// The session's say, where this is a request's manager.
  private let session: Session?

  private struct Session: Sendable {
    let manager: ServerTrustManager?
    let verifies: Bool
  }

  /// A manager.
  ///
  /// - Parameters:
  ///   - allHostsMustBeEvaluated: Whether a host without an evaluator is refused. Defaults to true.
  ///   - evaluators: By host: `example.com` for the one host; `*.example.com` for all below it, at any depth; `*` for all. Of several that fit, the one that says most counts. A port
  ///     makes no difference. Throws if one is no host.
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

  /// What a request's manager becomes in a session that has one of its own, or none.
  func restricted(by manager: ServerTrustManager?, verifies: Bool) -> ServerTrustManager {
    if manager === self { return self }
    if manager == nil, !verifies || table.all.allSatisfy(\.isStrict) { return self }
    return ServerTrustManager(self, session: Session(manager: manager, verifies: verifies))
  }

  /// What is to be done about a host.
  enum Decision {
    /// What is done without evaluators.
    case usual
    case evaluate(HostTrust)
    /// It has no evaluator and must have one.
    case refuse
  }

  /// `host` is in lower case and ASCII.
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

  /// By identity.
  public static func == (left: ServerTrustManager, right: ServerTrustManager) -> Bool { left === right }
  /// By identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
