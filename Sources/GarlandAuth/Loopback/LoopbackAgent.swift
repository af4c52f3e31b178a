/// A person with a browser: shows the page to open, and listens on the loopback interface for the redirect (RFC 8252 section 7.3).
///
/// ```swift
/// let agent = LoopbackAgent { url in print("open \(url)") }
/// configuration.grant = .authorizationCode(agent)
/// ```
/// Only programs of this machine can reach the port, and only what comes to the path of the redirect URI with the state of this login is taken, once:
/// any page that the browser shows can send it there, and ends no login by that. The browser is told how it went.
public final class LoopbackAgent: AuthorizationAgent {
  private let wanted: String?
  private let patience: Duration
  private let open: @Sendable (String) async -> Void
  private let sleep: @Sendable (Duration) async throws -> Void
  private let listener = LoopbackListener()

  /// The page is shown to somebody.
  public var showsRequest: Bool { true }

  /// An agent.
  ///
  /// - Parameters:
  ///   - redirectURI: `http://127.0.0.1:PORT/PATH`, or the same at `[::1]` or `localhost`, if the provider knows only that one; nil takes a free port
  ///     and `/callback`. Without a port a free one is taken, as RFC 8252 wants providers to allow. At `localhost` both addresses are listened at,
  ///     since a browser may try either first.
  ///   - patience: how long the person has. Defaults to five minutes.
  ///   - sleep: waits.
  ///   - open: shows the page, or opens it.
  public init(
    redirectURI: String? = nil, patience: Duration = .seconds(300),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    open: @escaping @Sendable (String) async -> Void
  ) {
    wanted = redirectURI
    self.patience = patience
    self.open = open
    self.sleep = sleep
  }

  /// Begins to listen.
  public func redirectURI() async throws(OAuthError) -> String {
    let wanted = try LoopbackURI(self.wanted ?? "http://127.0.0.1/callback")
    let port = try listener.listen(at: wanted.families, port: wanted.port ?? 0)
    return wanted.text(port: port)
  }

  /// Shows the page and waits for the redirect.
  public func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String {
    defer { listener.close() }
    let uri = try LoopbackURI(request.redirectURI)
    await open(request.url)
    let end = ContinuousClock.now + patience
    var stranger: OAuthError?
    while ContinuousClock.now < end {
      let found = listener.takeRequest { target in
        guard uri.isRedirect(target) else { return .other(.nothing) }
        let redirect = uri.origin + target
        if request.isOwn(redirect) { return .answer(LoopbackPage(of: request, redirect)) }
        stranger = Self.problem(redirect, request)
        return .other(.stranger)
      }
      if let found { return uri.origin + found }
      do {
        try await sleep(.milliseconds(50))
      } catch {
        throw .cancelled
      }
    }
    let (seconds, rest) = patience.components
    let limit = seconds > 0 ? "\(seconds) s" : "\(rest / 1_000_000_000_000_000) ms"
    throw .timeUp("nobody has logged in within \(limit)\(stranger.map { "; what came was of another login: \($0)" } ?? "")")
  }

  private static func problem(_ redirect: String, _ request: AuthorizationRequest) -> OAuthError? {
    do throws(OAuthError) {
      _ = try request.code(from: redirect)
      return nil
    } catch {
      return error
    }
  }
}
