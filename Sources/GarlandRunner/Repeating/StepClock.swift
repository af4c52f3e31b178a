/// The clock of a step that has sent a request. It shows the time of the run, but stops while the step waits for a transfer slot for its
/// next request. This waiting time says nothing about the server.
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

  /// Stops the clock at `now`. Called when the step begins to wait for a transfer slot. Has no effect on a clock that is already stopped.
  mutating func stop(at now: Duration) { since = since ?? now }

  /// Lets the stopped clock run again, because the step sends a request. Has no effect on a clock that is running.
  mutating func go(at now: Duration) {
    guard let since else { return }
    stopped += now - since
    self.since = nil
  }

  /// Converts the time `now` of the run to the time on the step's clock. Both times are equal if the step has never waited for a transfer
  /// slot.
  func time(at now: Duration) -> Duration { (since ?? now) - stopped }
}
