/// Probes a host: name, TCP, TLS and an HTTP response, each with its time, over both IP versions.
///
/// ```swift
/// let report = await ReachabilityProbe().run(try ProbeTarget("https://example.com/"))
/// print(report.summary)   // reached by IPv4 93.184.215.14; not by IPv6 2606:2800::1: no route: Network is unreachable
/// ```
/// A probe connects like a transfer with the same settings: it uses the same proxy, the same addresses (see ``ResolveOverride``) and the
/// same checks of the server's certificate. It opens new connections on its own engine. So a problem cannot be hidden by a connection that
/// is already open, or by a limit that other transfers have reached.
public struct ReachabilityProbe: Sendable {
  /// The phase at which a probe stops.
  public enum Depth: Sendable, Hashable {
    /// The probe stops when the connection is open: name lookup, TCP, and TLS for `https`.
    case connection
    /// For a URL, the probe stops when the head of an HTTP response arrives, with any status. For a host and port, the probe stops when the
    /// connection is open.
    case answer
  }

  /// The settings for connections and trust.
  public var settings: TransferSettings
  /// The time limit of the name lookup, and also the time limit of all later phases together. Defaults to 10 s.
  ///
  /// If the name does not resolve within the limit, the probe asks the nameservers directly to find the reason, for up to 2 s more.
  public var limit: Duration
  let engine: Engine
  let resolver: NameResolver

  /// Creates a probe.
  ///
  /// - Parameters:
  ///   - settings: The settings for connections and trust.
  ///   - limit: The time limit; see ``limit``.
  public init(settings: TransferSettings = TransferSettings(), limit: Duration = .seconds(10)) {
    var configuration = EngineConfiguration()
    configuration.connectionsPerOrigin = 0
    configuration.idleConnections = 1
    configuration.threadName = "garland-probe"
    self.init(settings: settings, limit: limit, engine: Engine(configuration: configuration), resolver: .shared)
  }

  init(settings: TransferSettings, limit: Duration, engine: Engine, resolver: NameResolver) {
    self.settings = settings
    self.limit = limit
    self.engine = engine
    self.resolver = resolver
  }

  /// Tries all paths to a target concurrently.
  ///
  /// Cancelling the task ends the probe early.
  ///
  /// - Parameters:
  ///   - target: The URL, or the host and port, to connect to.
  ///   - depth: The phase at which the probe stops. Defaults to a response.
  ///   - method: The method of the HTTP request. Defaults to GET, which every server supports; the body is not read.
  public func run(_ target: ProbeTarget, depth: Depth = .answer, method: ProbeMethod = .get) async -> ProbeReport {
    let begun = MonotonicClock.now
    let route = ProbeRoute(to: target.origin, settings)
    var lookup: NameLookup?
    var attempts: [ProbeAttempt] = []
    switch route {
    case .unixSocket(let path): attempts = [ProbeAttempt(path: ProbePath(.unixSocket, address: path), addresses: [])]
    case .proxy(let proxy): attempts = [ProbeAttempt(path: ProbePath(.proxy, address: proxy), addresses: [])]
    case .host(let host, let port, let given):
      let found: NameLookup
      if given.isEmpty {
        found = await resolver.lookUp(host, family: settings.addressFamily, limit: limit)
      } else {
        found = NameLookup(name: host, outcome: .success(given), source: .given, duration: .zero)
      }
      lookup = found
      attempts = ProbeAttempt.attempts(found.addresses, port: port)
    }
    let paths = await withTaskGroup(of: (Int, ProbePath).self) { group in
      for (index, attempt) in attempts.enumerated() {
        let request = request(target, attempt, depth: depth, method: method)
        group.addTask { (index, await attempt.carryOut(request, on: engine)) }
      }
      var paths = attempts.map(\.path)
      for await (index, path) in group { paths[index] = path }
      return paths
    }
    return ProbeReport(target: target, lookup: lookup, paths: paths, duration: .nanoseconds(Int64(MonotonicClock.now &- begun)))
  }

  private func request(_ target: ProbeTarget, _ attempt: ProbeAttempt, depth: Depth, method: ProbeMethod) -> TransferRequest {
    let origin = target.origin
    var settings = settings
    settings.deadline = limit
    settings.idleTimeout = limit
    settings.connectTimeout = limit / max(1, attempt.addresses.count)
    settings.redirects = .deliver
    settings.usesFreshConnection = true
    settings.cookies = nil
    if !attempt.addresses.isEmpty {
      // These addresses already replace the name lookup and all overrides.
      settings.connectTo = []
      settings.resolve = [
        ResolveOverride(host: origin.host, port: origin.port, addresses: attempt.addresses.map(\.description))
      ]
      if let port = attempt.port, port != origin.port {
        settings.resolve = []
        settings.connectTo = attempt.addresses.prefix(1).map {
          ConnectOverride(host: origin.host, port: origin.port, toHost: $0.description, toPort: port)
        }
      }
    }
    let url = target.url?.description ?? origin.description + "/"
    var request = TransferRequest(url: url, method: method == .head ? .head : .get, settings: settings, destination: .discard)
    request.extent = target.url == nil || depth == .connection ? .connection : .head
    return request
  }
}

/// Probes hosts, one target at a time: a ``ReachabilityProbe``, or for tests a script.
package protocol HostProbe: Sendable {
  /// The settings for connections and trust.
  var settings: TransferSettings { get set }
  /// The time limit; see ``ReachabilityProbe/limit``.
  var limit: Duration { get set }
  /// Tries all paths to a target; see ``ReachabilityProbe/run(_:depth:method:)``.
  func run(_ target: ProbeTarget, depth: ReachabilityProbe.Depth, method: ProbeMethod) async -> ProbeReport
}

extension ReachabilityProbe: HostProbe {}

/// The method of a request that only checks for a response.
public enum ProbeMethod: Sendable, Hashable {
  /// The probe sends a GET request.
  case get
  /// The probe sends a HEAD request.
  case head
}
