import Glibc
import HTTPTypes

/// What a session is made with. The session copies it: later changes reach only sessions that are made later.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.headerFields[.accept] = "application/json"
/// configuration.settings.idleTimeout = .seconds(10)
/// let session = Session(configuration)
/// ```
public struct SessionConfiguration: Sendable {
  /// Whether a session may leave something behind.
  public enum Kind: Sendable, Hashable {
    /// It may keep files, a cache for example, if it is told where.
    case `default`
    /// Nothing on disk but what is downloaded to a place that the caller names.
    case ephemeral
    /// For a ``BackgroundSession``, which goes by this identifier from one process to the next. A ``Session`` is no different with it.
    case background(identifier: String)
  }

  /// Which cookies a session's requests share.
  public enum Cookies: Sendable, Hashable {
    /// A jar of the session's own, which ends with it.
    case isolated
    /// The one of the process, ``CookieJar/shared``.
    case shared
    /// This jar.
    case jar(CookieJar)
    /// None are sent or kept.
    case none
  }

  /// Whether the session may leave something behind.
  public let kind: Kind
  /// Fields that every request gets unless it has one of that name, or has it among its ``TransferRequest/removedFields``. Defaults to
  /// `Accept-Language`, as the environment has it.
  public var headerFields: HTTPFields
  /// How requests are sent: timeouts, redirects, proxy, TLS and so on. The idle timeout is 60 s and the deadline 7 days, which is the limit for a
  /// request with all its retries.
  ///
  /// What a request says wins, unless the session is stricter: see ``TransferSettings/restricted(by:)``.
  public var settings: TransferSettings
  /// Which cookies the requests share. Defaults to a jar of the session's own.
  public var cookies = Cookies.isolated
  /// Credentials by origin, for requests without one of their own. Defaults to none.
  public var credentials = SessionCredentials()
  /// Where responses are kept, so that they need not be asked for again; ``TransferSettings/Values/cachePolicy`` of ``settings`` says how it is used. Defaults to nowhere.
  ///
  /// An ephemeral session never writes to the disk: of a cache with files it takes the size, for one of its own in memory.
  public var cache: ResponseCache?
  /// Who says what becomes of responses that may be stored. A request's own handler replaces it; without one they are.
  public var cachedResponseHandler: (any CachedResponseHandler)?
  /// How many connections one origin gets at once. Defaults to 6.
  public var connectionsPerOrigin = 6
  /// How many idle connections are kept open, over all origins. Defaults to 128.
  public var idleConnections = 128
  /// Whether requests that can't connect because this machine has no network wait until it has one, instead of failing.
  ///
  /// That is told once for each request, as ``RequestEvent/waitsForConnectivity(_:)``. It goes on the moment the kernel has a route to the host, or for a
  /// host's name a default route, and fails as ever with what has nothing to do with this machine: a refused connection, or one that breaks. Its deadline
  /// runs on. Defaults to false.
  public var waitsForConnectivity = false
  /// Changes all requests, and says which are sent again. A request's own interceptor comes before it.
  public var interceptor: (any RequestInterceptor)?
  /// What happens to redirects. A request's own handler replaces it; without one they are followed.
  public var redirectHandler: (any RedirectHandler)?
  /// Who is told what happens.
  public var eventMonitors: [any EventMonitor] = []
  /// Where time comes from.
  public var clock = SessionClock()
  /// Who is warned; by default standard error.
  public var warn: @Sendable (SessionWarning) -> Void = { warning in
    let line = Array("GarlandNetworking: \(warning)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// The defaults for a kind.
  public init(kind: Kind = .default) {
    self.kind = kind
    headerFields = HTTPFields()
    if let languages = AcceptLanguage.ofProcess { headerFields[.acceptLanguage] = languages }
    settings = TransferSettings()
    settings.deadline = .seconds(7 * 24 * 3600)
  }

  /// The usual.
  public static var `default`: SessionConfiguration { SessionConfiguration(kind: .default) }
  /// For a ``BackgroundSession`` with this identifier.
  public static func background(_ identifier: String) -> SessionConfiguration {
    SessionConfiguration(kind: .background(identifier: identifier))
  }
  /// Nothing is kept.
  public static var ephemeral: SessionConfiguration { SessionConfiguration(kind: .ephemeral) }
}
