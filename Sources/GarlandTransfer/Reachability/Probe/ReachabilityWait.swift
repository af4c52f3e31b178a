/// Waits until all targets are reachable, for example in a pipeline after `docker compose up`.
///
/// ```swift
/// let wait = ReachabilityWait(limit: .seconds(60))
/// let reports = await wait.run([try ProbeTarget("db:5432"), try ProbeTarget("http://app:8080/health")]) { print("waiting:", $0.summary) }
/// ```
public struct ReachabilityWait: Sendable {
  private static let shortestAttempt = Duration.milliseconds(100)

  /// The probe that is repeated.
  public var probe: ReachabilityProbe
  /// The time limit. With zero, each target is probed once.
  public var limit: Duration
  /// The clock that measures the time limit of the wait and the pauses between probes.
  public var clock: SessionClock

  /// Creates a value that waits, up to a time limit, until targets are reachable.
  public init(probe: ReachabilityProbe = ReachabilityProbe(), limit: Duration, clock: SessionClock = SessionClock()) {
    self.probe = probe
    self.limit = limit
    self.clock = clock
  }

  /// Probes all targets concurrently, and probes unreachable targets again.
  ///
  /// The first pause before a repeated probe is 100 ms; each further pause is one and a half times as long, up to 2 s.
  ///
  /// - Parameters:
  ///   - targets: The URLs, or hosts and ports, that must become reachable.
  ///   - depth: The phase at which each probe stops.
  ///   - onFailure: Receives the report of each failed probe that will be repeated. Called on any thread.
  /// - Returns: The last report of each target, in the order of `targets`.
  public func run(
    _ targets: [ProbeTarget], depth: ReachabilityProbe.Depth = .answer, onFailure: @escaping @Sendable (ProbeReport) -> Void = { _ in }
  ) async -> [ProbeReport] {
    await withTaskGroup(of: (Int, ProbeReport).self) { group in
      for (index, target) in targets.enumerated() { group.addTask { (index, await run(target, depth, onFailure)) } }
      var reports: [Int: ProbeReport] = [:]
      for await (index, report) in group { reports[index] = report }
      return targets.indices.compactMap { reports[$0] }
    }
  }

  private func run(
    _ target: ProbeTarget, _ depth: ReachabilityProbe.Depth, _ onFailure: @Sendable (ProbeReport) -> Void
  ) async -> ProbeReport {
    let end = clock.now().advanced(by: limit)
    var pause = Duration.milliseconds(100)
    var probe = probe
    if limit > .zero { probe.limit = min(probe.limit, max(limit, Self.shortestAttempt)) }
    while true {
      let report = await probe.run(target, depth: depth)
      let left = clock.now().duration(to: end)
      guard !report.isReachable, left > .zero, !Task.isCancelled else { return report }
      onFailure(report)
      do { try await clock.sleep(min(pause, left)) } catch { return report }
      pause = min(pause * 1.5, .seconds(2))
      // A target that does not respond must not use up the time for the other targets.
      probe.limit = min(self.probe.limit, max(clock.now().duration(to: end), Self.shortestAttempt))
    }
  }
}
