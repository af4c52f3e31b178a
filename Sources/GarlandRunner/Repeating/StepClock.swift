/// The time of a step that has sent a request: it stops while the step waits in line to send again, since that time says nothing about the server.
///
/// ```swift
/// var clock = StepClock()
/// clock.stop(at: .seconds(2))
/// clock.go(at: .seconds(9))
/// clock.time(at: .seconds(10))  // 3 s
/// ```
struct StepClock: Sendable {
  private var stopped: Duration = .zero
  private var since: Duration?

  /// The step waits in line.
  mutating func stop(at now: Duration) { since = since ?? now }

  /// The step sends.
  mutating func go(at now: Duration) {
    guard let since else { return }
    stopped += now - since
    self.since = nil
  }

  /// The time of the step, which is that of the run as long as the step has not waited.
  func time(at now: Duration) -> Duration { (since ?? now) - stopped }
}
