/// Waits until all targets are reachable, for example in a pipeline after `docker compose up`.
///
/// ```swift
/// let wait = ReachabilityWait(limit: .seconds(60))
/// let reports = await wait.run([try ProbeTarget("db:5432"), try ProbeTarget("http://app:8080/health")]) { print("waiting:", $0.summary) }
/// ```
public struct ReachabilityWait: Sendable {
  fileprivate static let shortestAttempt = Duration.milliseconds(100)

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
      for (index, target) in targets.enumerated() {
        group.addTask { (index, await probe.wait(for: target, depth: depth, atMost: limit, clock: clock, onFailure)) }
      }
      var reports: [Int: ProbeReport] = [:]
      for await (index, report) in group { reports[index] = report }
      return targets.indices.compactMap { reports[$0] }
    }
  }
}

extension HostProbe {
  /// Probes a target until it is reachable, or for at most the duration `time`, and returns the last report. See ``ReachabilityWait``.
  package func wait(
    for target: ProbeTarget, depth: ReachabilityProbe.Depth = .answer, atMost time: Duration, clock: SessionClock,
    _ onFailure: @Sendable (ProbeReport) -> Void
  ) async -> ProbeReport {
    let end = clock.now().advanced(by: time)
    var pause = Duration.milliseconds(100)
    var probe = self
    if time > .zero { probe.limit = min(limit, max(time, ReachabilityWait.shortestAttempt)) }
    while true {
      let report = await probe.run(target, depth: depth, method: .get)
      let left = clock.now().duration(to: end)
      guard !report.isReachable, left > .zero, !Task.isCancelled else { return report }
      onFailure(report)
      do { try await clock.sleep(min(pause, left)) } catch { return report }
      pause = min(pause * 1.5, .seconds(2))
      // A target that does not respond must not use up the time for the other targets.
      probe.limit = min(limit, max(clock.now().duration(to: end), ReachabilityWait.shortestAttempt))
    }
  }
}
