/// Waits until everything that is needed can be reached: what a pipeline needs after `docker compose up`.
///
/// ```swift
/// let wait = ReachabilityWait(limit: .seconds(60))
/// let reports = await wait.run([try ProbeTarget("db:5432"), try ProbeTarget("http://app:8080/health")]) { print("waiting:", $0.summary) }
/// ```
public struct ReachabilityWait: Sendable {
  private static let shortestAttempt = Duration.milliseconds(100)

  /// What looks.
  public var probe: ReachabilityProbe
  /// For how long; zero looks once.
  public var limit: Duration
  /// Where time comes from.
  public var clock: SessionClock

  /// All of it.
  public init(probe: ReachabilityProbe = ReachabilityProbe(), limit: Duration, clock: SessionClock = SessionClock()) {
    self.probe = probe
    self.limit = limit
    self.clock = clock
  }

  /// Looks for all targets side by side, and again for those that can't be reached: after 100 ms, and each time half as long again, up to 2 s.
  ///
  /// - Parameters:
  ///   - targets: what to reach.
  ///   - depth: how far to go.
  ///   - onFailure: is told of each attempt after which somebody waits, from any thread.
  /// - Returns: the last report of each, in their order.
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
      // One that does not answer must not keep the others' time.
      probe.limit = min(self.probe.limit, max(clock.now().duration(to: end), Self.shortestAttempt))
    }
  }
}
