import GarlandTransfer

/// A probe of a host after a failed request, to find out why the host did not respond.
struct HostInquiry: Sendable {
  /// The longest time limit of a probe. A probe of a URL to which the host has responded before may take longer, if the failed request took
  /// longer.
  private static let longest = Duration.seconds(3)
  private static let shortest = Duration.milliseconds(500)

  /// The probed server (scheme, host and port), for messages.
  let host: String
  private let probe: any HostProbe
  private var target: ProbeTarget
  private var depth = ReachabilityProbe.Depth.connection
  private var method = ProbeMethod.head

  /// Creates a probe of a host after a failed request.
  ///
  /// - Parameters:
  ///   - host: the host that did not respond.
  ///   - answers: the earlier responses of the host; nil if there are none.
  ///   - suspicion: the question that the probe must answer: whether a connection to the host can be established, or whether the host
  ///     responds.
  ///   - request: the request that has failed.
  ///   - probe: carries out the probe.
  init(
    about host: ProbeTarget, _ answers: OriginAnswers?, after error: NetworkingError, _ suspicion: Suspicion, of request: TransferRequest,
    by probe: any HostProbe
  ) {
    self.host = host.description
    target = host
    // The probe takes no longer than the step has already waited, but at least 500 ms and at most 3 s.
    let paid = error.reason.timeout?.duration ?? Self.longest
    var limit = max(min(paid, Self.longest), Self.shortest)
    if suspicion == .answer {
      if let answers {
        // A host that has responded before counts as down only if it no longer responds to a path that has worked before. A failure of a
        // different path is not sufficient.
        if let place = answers.place(otherThan: error.url ?? request.url), let target = try? ProbeTarget(place.url) {
          self.target = target
          depth = .answer
          method = place.isGet ? .get : .head
          limit = max(paid, limit)
        }
      } else {
        depth = .answer
      }
    }
    var probe = probe
    probe.settings = request.settings
    probe.limit = limit
    self.probe = probe
  }

  func run() async -> ProbeReport { await probe.run(target, depth: depth, method: method) }
}
