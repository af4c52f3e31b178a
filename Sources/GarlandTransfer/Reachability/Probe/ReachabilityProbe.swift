/// Looks how far one gets towards a host: name, TCP, TLS, and an HTTP answer, each with its time, for both versions of IP.
///
/// ```swift
/// let report = await ReachabilityProbe().run(try ProbeTarget("https://example.com/"))
/// print(report.summary)   // reached by IPv4 93.184.215.14; not by IPv6 2606:2800::1: no route: Network is unreachable
/// ```
/// It goes the way that a transfer with the same settings would go: through the proxy, to the overriding addresses, with the same trust. It makes new
/// connections, on an engine of its own, so that neither connections that are open nor limits that are reached hide anything.
public struct ReachabilityProbe: Sendable {
  /// How far to go.
  public enum Depth: Sendable, Hashable {
    /// To a connection: name, TCP, and TLS for `https`.
    case connection
    /// To the head of an HTTP response, whatever its status; for a URL only.
    case answer
  }

  /// Where connections go and whom they trust.
  public var settings: TransferSettings
  /// How long looking up the name may take, and how long all that comes after it. A name that does not resolve in time takes up to 2 s more, in which its
  /// nameservers are asked why. Defaults to 10 s.
  public var limit: Duration
  let engine: Engine
  let resolver: NameResolver

  /// - Parameters:
  ///   - settings: where connections go and whom they trust.
  ///   - limit: see ``limit``.
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

  /// Tries all ways to a target, side by side. Cancelling the task ends it early.
  ///
  /// - Parameters:
  ///   - target: what to reach.
  ///   - depth: how far to go. Defaults to an answer.
  ///   - method: of the request that asks for the answer. Defaults to GET, which every server knows; the body is not read.
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
      // What was looked up, and whatever else leads elsewhere, has become these addresses.
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

/// The method of a request that only asks whether there is an answer.
public enum ProbeMethod: Sendable, Hashable {
  /// GET.
  case get
  /// HEAD.
  case head
}
