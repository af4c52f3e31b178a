/// The time of a step that has sent a request. It stops while the step waits for a slot to send again, since that time says nothing about
/// the server.
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

  /// Stops the clock at `now`, because the step begins to wait for a slot. Does nothing if it is stopped already.
  mutating func stop(at now: Duration) { since = since ?? now }

  /// Starts the clock again, because the step sends.
  mutating func go(at now: Duration) {
    guard let since else { return }
    stopped += now - since
    self.since = nil
  }

  /// Returns the time of the step, which equals that of the run if the step has never waited.
  func time(at now: Duration) -> Duration { (since ?? now) - stopped }
}
