/// Logs a user in with a browser: shows the URL of the login page, and listens on the loopback interface for the redirect (RFC 8252 section
/// 7.3).
///
/// ```swift
/// let agent = LoopbackAgent { url in print("open \(url)") }
/// configuration.grant = .authorizationCode(agent)
/// ```
/// Only programs on this machine can reach the port. The agent accepts only one request: a request to the path of the redirect URI, with
/// the state of this login. Any web page in the browser can send other requests to the port, but these requests do not end the login. After
/// the redirect, the browser shows the result of the login.
public final class LoopbackAgent: AuthorizationAgent {
  private let wanted: String?
  private let patience: Duration
  private let open: @Sendable (String) async -> Void
  private let sleep: @Sendable (Duration) async throws -> Void
  private let listener = LoopbackListener()

  /// Always true, since the agent shows the URL of the authorization page to the user.
  public var showsRequest: Bool { true }

  /// Creates an agent.
  ///
  /// - Parameters:
  ///   - redirectURI: `http://127.0.0.1:PORT/PATH`, for a provider that accepts only this redirect URI. The host may also be `[::1]` or
  ///     `localhost`. If the URI has no port, the agent uses a free port; RFC 8252 requires providers to accept any port. If `redirectURI`
  ///     is nil, the agent uses a free port and the path `/callback`. For `localhost` the agent listens at `127.0.0.1` and `[::1]`, since a
  ///     browser may try either address first.
  ///   - patience: The time limit for the user's login. Defaults to five minutes.
  ///   - sleep: The closure that pauses the agent between two checks for the redirect. Tests replace it.
  ///   - open: Shows the URL of the login page, or opens it in a browser.
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

  /// Starts to listen on the loopback interface, and returns the redirect URI with the port.
  public func redirectURI() async throws(OAuthError) -> String {
    let wanted = try LoopbackURI(self.wanted ?? "http://127.0.0.1/callback")
    let port = try listener.listen(at: wanted.families, port: wanted.port ?? 0)
    return wanted.text(port: port)
  }

  /// Shows the authorization page to the user, waits until the provider redirects the browser back to this machine, and returns the URL of
  /// that redirect.
  public func authorize(_ request: AuthorizationRequest) async throws(OAuthError) -> String {
    defer { listener.close() }
    let uri = try LoopbackURI(request.redirectURI)
    await open(request.url)
    let end = ContinuousClock.now + patience
    var problem: String?
    while ContinuousClock.now < end {
      let found = listener.takeRequest { target in
        guard uri.isRedirect(target) else { return .other(.nothing) }
        let redirect = uri.origin + target
        if request.isOwn(redirect) { return .answer(LoopbackPage(of: request, redirect)) }
        problem = Self.problem(redirect, request)
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
    throw .timeUp(
      "the login in the browser was not completed within \(limit)\(problem.map { "; an invalid redirect was ignored: \($0)" } ?? "")")
  }

  /// Returns the reason why a redirect is not valid for the request; nil if it is valid.
  private static func problem(_ redirect: String, _ request: AuthorizationRequest) -> String? {
    do throws(OAuthError) {
      _ = try request.code(from: redirect)
      return nil
    } catch {
      if case .invalidCallback(let detail) = error { return detail }
      return error.description
    }
  }
}
