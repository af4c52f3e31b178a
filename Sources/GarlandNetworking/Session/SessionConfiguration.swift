import Glibc

/// The configuration of a session.
///
/// A session copies its configuration when it is created. A later change of the configuration does not affect this session.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.headerFields[.accept] = "application/json"
/// configuration.settings.idleTimeout = .seconds(10)
/// let session = Session(configuration)
/// ```
public struct SessionConfiguration: Sendable {
  /// The kind of a session, which determines whether the session may keep files on the disk.
  public enum Kind: Sendable, Hashable {
    /// The session may keep files, for example a cache, in a folder that the configuration names.
    case `default`
    /// The session writes only downloads to the disk.
    case ephemeral
    /// The configuration belongs to a ``BackgroundSession``. The identifier names the session: a later process that uses the same
    /// identifier continues the session's unfinished tasks. A plain ``Session`` ignores the identifier.
    case background(identifier: String)
  }

  /// The cookies that a session's requests share.
  public enum Cookies: Sendable, Hashable {
    /// A cookie jar that only this session uses, and that is discarded with the session.
    case isolated
    /// The cookie jar of the process, ``CookieJar/shared``.
    case shared
    /// The given cookie jar.
    case jar(CookieJar)
    /// No cookies are sent or kept.
    case none
  }

  /// The kind of the session, which determines whether the session may keep files on the disk.
  public let kind: Kind
  /// Header fields for every request. If a request has a field of the same name, the request's field is sent instead. To omit a field, a
  /// request lists its name in ``TransferRequest/removedFields``. Defaults to the `Accept-Language` of the environment.
  public var headerFields: HTTPFields
  /// The settings of requests: timeouts, redirects, proxy, TLS and so on.
  ///
  /// By default, the idle timeout is 60 s. The default deadline, which limits a request with all its retries, is 7 days.
  ///
  /// A request's own setting wins unless the session's setting is stricter; see ``TransferSettings/restricted(by:)``.
  public var settings: TransferSettings
  /// The cookies that the requests of the session share. By default, the session has a cookie jar of its own.
  public var cookies = Cookies.isolated
  /// Credentials by origin, for requests without their own credential. Defaults to none.
  public var credentials = SessionCredentials()
  /// The cache of responses; nil for no cache, which is the default.
  ///
  /// The policy ``TransferSettings/Values/cachePolicy`` in ``settings`` defines how the cache is used.
  ///
  /// An ephemeral session stores no responses on the disk: instead of a cache with files, the session uses a new memory cache of the same
  /// memory size.
  public var cache: ResponseCache?
  /// The handler that decides whether a response is stored. The session calls it only for responses that a cache may store by the rules of
  /// HTTP (RFC 9111). Without a handler, all these responses are stored. A request's own handler replaces the session's handler.
  public var cachedResponseHandler: (any CachedResponseHandler)?
  /// The maximum number of concurrent connections to one origin. Defaults to 6.
  public var connectionsPerOrigin = 6
  /// The maximum number of idle connections over all origins. Defaults to 128.
  public var idleConnections = 128
  /// Whether requests wait instead of failing when this machine has no network.
  ///
  /// Defaults to false.
  ///
  /// Each request reports the wait once, as ``RequestEvent/waitsForConnectivity(_:)``. The request continues as soon as the kernel has a
  /// route to the host or, for a host name, a default route. Failures that this machine did not cause, such as a refused or lost
  /// connection, still fail the request. The request's deadline keeps running during the wait.
  public var waitsForConnectivity = false
  /// The interceptor that changes all requests and decides about retries. A request's own interceptor is called before the session's
  /// interceptor.
  public var interceptor: (any RequestInterceptor)?
  /// The handler that decides about redirects. A request's own handler replaces the session's handler. Without a handler, all redirects are
  /// followed.
  public var redirectHandler: (any RedirectHandler)?
  /// The monitors that receive events.
  public var eventMonitors: [any EventMonitor] = []
  /// The handler that answers the challenges of servers. A request's own handler replaces the session's handler.
  public var challengeHandler: (any ChallengeHandler)?
  /// The URL against which the relative URLs of requests are resolved, such as `https://api.example.com/v1`.
  ///
  /// Defaults to none.
  ///
  /// The path of the base URL is treated as a folder: `users/1` becomes `https://api.example.com/v1/users/1`. A relative URL that begins
  /// with a slash replaces the whole path (RFC 3986, section 5.2).
  public var baseURL: String?
  /// The transport that answers the requests instead of the network; see ``StubTransport``. Defaults
  /// to none.
  public var transport: (any RequestTransport)?
  /// The clock for delays, time limits and dates. A test can replace the system's clock here, so that it need not wait.
  public var clock = SessionClock()
  /// The closure that receives warnings. By default it prints them to standard error.
  public var warn: @Sendable (SessionWarning) -> Void = { warning in
    let line = Array("GarlandNetworking: \(warning)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Creates a configuration with the defaults for a kind of session.
  public init(kind: Kind = .default) {
    self.kind = kind
    headerFields = HTTPFields()
    if let languages = AcceptLanguage.ofProcess { headerFields[.acceptLanguage] = languages }
    settings = TransferSettings()
    settings.deadline = .seconds(7 * 24 * 3600)
  }

  /// The default configuration, of kind ``Kind/default``.
  public static var `default`: SessionConfiguration { SessionConfiguration(kind: .default) }
  /// Returns a configuration for a ``BackgroundSession`` with the given identifier.
  public static func background(_ identifier: String) -> SessionConfiguration {
    SessionConfiguration(kind: .background(identifier: identifier))
  }
  /// The configuration of a session that writes no data to the disk except downloaded files.
  public static var ephemeral: SessionConfiguration { SessionConfiguration(kind: .ephemeral) }
}

extension SessionConfiguration {
  /// Returns an ephemeral configuration whose responses come from a transport instead of the network.
  public static func stubbed(by transport: some RequestTransport) -> SessionConfiguration {
    var configuration = SessionConfiguration.ephemeral
    configuration.transport = transport
    return configuration
  }

  /// Returns an ephemeral configuration whose responses come from a table instead of the network; see ``StubTransport``.
  public static func stubbed(by table: [String: StubbedResponse]) -> SessionConfiguration { stubbed(by: StubTransport(table)) }

  /// Returns an ephemeral configuration whose responses come from a closure instead of the network.
  public static func stubbed(
    _ answer: @escaping @Sendable (_ request: TransferRequest) async throws -> StubbedResponse
  ) -> SessionConfiguration {
    stubbed(by: StubTransport(answer))
  }
}
